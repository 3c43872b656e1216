/** The filters of a table as typed query parameters: for each field, the operators that its type has. R2, W3. */
import { type FieldType, fieldTypes } from '../data/datatables/service.ts'
import { equality, listParameters, operators, operatorsOn, positiveOf } from '../data/query/service.ts'
import type { JsonSchema, Parameter } from '../http/openapi/types.ts'
import { type DescribedField, filterSchema } from './record-schemas.ts'

/** What a field has or is in the records that an operator finds. */
const meanings: Readonly<Record<string, string>> = {
  exact: 'is this',
  ne: 'is not this',
  gt: 'is more than this',
  gte: 'is this or more',
  lt: 'is less than this',
  lte: 'is this or less',
  between: 'is in this range, both ends included',
  nbetween: 'is outside this range',
  in: 'is one of these',
  nin: 'is none of these',
  ina: 'is one of these, whatever the case',
  nina: 'is none of these, whatever the case',
  contains: 'contains this',
  ncontains: 'does not contain this',
  icontains: 'contains this, whatever the case',
  nicontains: 'does not contain this, whatever the case',
  startswith: 'begins with this',
  nstartswith: 'does not begin with this',
  istartswith: 'begins with this, whatever the case',
  nistartswith: 'does not begin with this, whatever the case',
  endswith: 'ends with this',
  nendswith: 'does not end with this',
  iendswith: 'ends with this, whatever the case',
  niendswith: 'does not end with this, whatever the case',
  null: 'has no value (`false`: has a value)',
  nnull: 'has a value (`false`: has no value)',
  contained_by: 'is contained in this JSON',
  has_key: 'has this key',
  has_any_keys: 'has one of these keys',
  has_all_keys: 'has all of these keys',
}

/** `ins` is `in`, `containss` is `contains`: the reference names one of two operators that ask the same. */
const isSynonym = (name: string): boolean => name.endsWith('s') && operators.has(name.slice(0, -1))

/** One for each field and operator, but for synonyms. Throws if an operator has no meaning here. */
export const filterParameters = (fields: readonly DescribedField[]): Parameter[] =>
  fields.flatMap((field) => {
    const type = fieldTypes.get(field.type)
    return type
      ? operatorsOn(type)
          .filter((name) => !isSynonym(name))
          .map((operator) => parameterOf(field, type, operator))
      : []
  })

function parameterOf(field: DescribedField, type: FieldType, operator: string): Parameter {
  const meaning = meanings[operator]
  if (!meaning) throw new Error(`the operator "${operator}" has no meaning in filter-parameters.ts`)
  // A field with the name of another parameter is filtered by its name and the operator.
  const isPlain = operator === equality && !listParameters.has(field.name)
  return {
    name: isPlain ? field.name : `${field.name}__${operator}`,
    in: 'query',
    description: `\`${field.name}\` ${meaning}.`,
    ...givenAs(field, type, operator),
  }
}

/** What may be given: one value, a list, or a flag. */
function givenAs(field: DescribedField, type: FieldType, operator: string): Pick<Parameter, 'schema' | 'style' | 'explode'> {
  const positive = positiveOf(operator)
  if (positive.takes === 'flag') return { schema: { type: 'boolean' } }
  const isText = !type.comparable || positive.forms.some((form) => form.on(type) && form.as)
  const one: JsonSchema = isText ? { type: 'string' } : filterSchema(field)
  if (positive.takes === 'one') return { schema: one }
  const pair = positive.takes === 'pair' ? { minItems: 2, maxItems: 2 } : {}
  return { style: 'form', explode: false, schema: { type: 'array', items: one, ...pair } }
}
