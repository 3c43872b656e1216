/** Plans comparisons of properties without a type: the value determines how the property is read. R2. */
import { isRawNumber } from '../../../kernel/lib/exact-json.ts'
import { quoteValue } from '../../../kernel/lib/quote-value.ts'
import { storageProblem } from '../../../kernel/lib/storable.ts'
import type { Field } from '../../model/field.ts'
import { type FieldType, fieldTypes } from '../../model/field-types.ts'
import { any, type Predicate } from '../predicate.ts'
import {
  compare,
  formProblem,
  type Operation,
  operationProblem,
  type Problem,
  reader,
  startOfJson,
} from './compared-values.ts'

/** A JSON type that a property can be read as. */
interface Reading {
  as: 'string' | 'number' | 'boolean' | 'json'
  type: FieldType
  read(value: unknown, json: boolean): string | undefined
}

const container = fieldTypes.get('object') as FieldType
const isContainer = (value: unknown) =>
  typeof value === 'object' && value !== null && !isRawNumber(value) && !storageProblem(value)

/**
 * The ways to read a property. Properties have no declared type, so the value determines the type. A JSON
 * value has one type; a text of a query string is tried as each type, but 0 and 1 are numbers, and no
 * booleans as elsewhere. The order matters: numbers are compared before texts.
 */
const readings: readonly Reading[] = [
  readingOf('number'),
  readingOf('string'),
  readingOf('boolean'),
  {
    as: 'json',
    type: container,
    read(value, json) {
      if (json) return isContainer(value) ? JSON.stringify(value) : undefined
      const text = value as string
      if (!startOfJson.test(text)) return undefined
      return container.parse(text) ?? (fieldTypes.get('array') as FieldType).parse(text)
    },
  },
]

function readingOf(as: 'string' | 'number' | 'boolean'): Reading {
  const fieldType = fieldTypes.get(as) as FieldType
  const read = reader(fieldType)
  const isOfOther = (value: unknown, json: boolean) =>
    json ? kindOf(value) !== as : as === 'boolean' && (value === '0' || value === '1')
  return { as, type: fieldType, read: (value, json) => (isOfOther(value, json) ? undefined : read(value)) }
}

const kindOf = (value: unknown): string => (isRawNumber(value) ? 'number' : typeof value)

const notOnProperties = 'This operator does not work on JSON properties, which cannot be dates.'

/**
 * Plans a comparison of a property. It is true if it is true for any of the types as which the values can be
 * read.
 */
export function propertyComparison(
  field: Field,
  path: readonly string[],
  operation: Operation,
): Predicate | Problem {
  const { operator, values, json } = operation
  const problem = operationProblem(operation)
  if (problem) return { problem }
  const unread = new Set(values)
  const comparisons = readings.flatMap(({ as, type, read }): Predicate[] => {
    const form = operator.forms.find((candidate) => candidate.on(type))
    if (!form) return []
    const texts = values.flatMap((value) => {
      const text = (form.as?.read ?? read)(value, json)
      if (text !== undefined) unread.delete(value)
      return text ?? []
    })
    const isComplete = operator.takes === 'list' ? texts.length > 0 : texts.length === values.length
    return isComplete
      ? [compare({ field, property: { path, as } }, operator, { form, values, texts, as: type })]
      : []
  })
  const wrongValues = unread.size > 0 || comparisons.length > 0 ? [...unread] : values
  const [wrong] = wrongValues
  const form = operator.forms.find(({ on }) => readings.some(({ type }) => on(type)))
  if (wrongValues.length > 0 && !form) return { problem: notOnProperties }
  if (wrongValues.length > 0)
    return {
      problem:
        (form && formProblem(form, wrong)) ??
        `This operator cannot compare a JSON property with ${quoteValue(wrong)}.`,
    }
  return operator.ordered ? (comparisons[0] as Predicate) : any(comparisons)
}
