/** Operations that a change has instead of values: `{"$add": -1}`. They are exact, as in Postgres. */
import type { Document } from 'mongodb'
import { bsonRules } from '../../src/data/model/bson-rule.ts'
import { rulesOf } from '../../src/data/model/constraints.ts'
import type { FieldSchema } from '../../src/data/model/schema-form.ts'
import { baseOf, typeOf } from '../../src/data/model/types.ts'
import type { WriteForm } from '../../src/data/providers/mongodb/wire.ts'
import { isRawNumber, numberText, readJsonVerbatim } from '../../src/kernel/lib/exact-json.ts'
import { type Exact, exactOf, plainText } from './decimals.ts'
import type { Sent } from './new-documents.ts'
import { decode, valueAt } from './values.ts'
import { Conflict, type Work } from './work.ts'

const operations: Readonly<Record<string, (present: Exact, operand: Exact) => Exact>> = {
  $add(a, b) {
    const exponent = Math.min(a.exponent, b.exponent)
    const scaled = (one: Exact) => one.digits * 10n ** BigInt(one.exponent - exponent)
    return { digits: scaled(a) + scaled(b), exponent }
  },
  $multiply: (a, b) => ({ digits: a.digits * b.digits, exponent: a.exponent + b.exponent }),
}

/** Tells whether a record has an operation. */
export const hasOperation = ({ computed = [] }: WriteForm, record: Sent): boolean =>
  computed.some(({ name }) => isOperation(record[name]))

const isOperation = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !isRawNumber(value)

/**
 * Returns a record with the results of its operations on a document. Throws a Conflict for those that break a
 * rule of their fields.
 */
export function withResults({ form, write }: Work, record: Sent, document: Document, place: number): Sent {
  const broken: [number, string, string[]][] = []
  const results = (write.computed ?? []).flatMap((field): [string, unknown][] => {
    const operation = record[field.name]
    if (!isOperation(operation)) return []
    const path = form.fields.find(({ name }) => name === field.name)?.path ?? field.name
    const present = valueAt(document, path)
    if (present === null || present === undefined) return [[field.name, null]]
    const [[name = '', operand] = []] = Object.entries(operation)
    const result = operations[name]?.(exactOf(textOf(baseOf(field), present)), exactOf(operandText(operand)))
    const value = result && readJsonVerbatim(plainText(result))
    const [problem] = problemsOf(field, value)
    if (problem) broken.push([place, field.name, [problem]])
    return [[field.name, value]]
  })
  if (broken.length > 0) throw new Conflict({ broken })
  return { ...record, ...Object.fromEntries(results) }
}

/** Returns why a result is not possible, as Postgres says it. */
function problemsOf(field: FieldSchema, value: unknown): string[] {
  if (typeOf(field).problem(value as never)) return ['The result is out of the range of the field.']
  return [
    ...bsonRules(field).flatMap((rule) => rule.problem(value) ?? []),
    ...rulesOf(field).flatMap(({ name, problem }) =>
      problem(value) === undefined ? [] : [`The value violates the rule "${name}".`],
    ),
  ]
}

/** Returns the digits of a stored number: a large integer is a text in JSON. */
const textOf = (type: string, value: unknown): string => decode(type, value).replaceAll('"', '')
const operandText = (value: unknown): string =>
  typeof value === 'string' ? value : (numberText(value) ?? '0')
