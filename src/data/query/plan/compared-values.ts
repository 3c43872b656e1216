/** What comparisons of fields and of properties share: how values are read and bound. */
import { sql } from '../../../kernel/db/sql.ts'
import { parseJson } from '../../../kernel/lib/parse-json.ts'
import type { FieldType } from '../../model/field-types.ts'
import type { Form } from '../operator-forms.ts'
import type { Comparison } from '../operators.ts'
import type { Operand, Predicate } from '../predicate.ts'

/** Why a condition cannot be planned. */
export interface Problem {
  problem: string
}

const listLengthMax = 1000

/** An operator with the values of one comparison. */
export interface Operation {
  /** The name of the operator, which may be a negation. */
  name: string
  operator: Comparison
  values: readonly unknown[]
  /** Whether the values are JSON. */
  json: boolean
}

/**
 * Returns why an operator does not take so many values, or why a text of a query string is JSON that must not
 * be parsed; undefined if there is no such problem. `type`: the type of the operand, if it has one.
 */
export function operationProblem(
  { operator: { takes }, values, json }: Operation,
  type?: FieldType,
): string | undefined {
  if (takes === 'pair' && values.length !== 2) return 'Two values are required, for example 1,10.'
  if (values.length > listLengthMax) return `A list may have ${listLengthMax} values at most.`
  for (const value of json || type?.comparable ? [] : values) {
    const parsed = typeof value === 'string' && startOfJson.test(value) ? parseJson(value) : undefined
    if (parsed && 'problem' in parsed && parsed.isJson) return parsed.problem
  }
  return undefined
}

/** The beginning of an object or an array. */
export const startOfJson = /^\s*[[{]/

/** Returns the message of a form for a wrong value; undefined if it has none. */
export const formProblem = ({ as }: Form, value: unknown): string | undefined =>
  value === null ? undefined : as?.problem?.(value)

/** Reads a value of a type: texts are parsed; other JSON must be of the type. */
export const reader =
  (type: FieldType) =>
  (value: unknown): string | undefined => {
    if (typeof value === 'string') return type.parse(value)
    if (value === null || type.problem(value)) return undefined
    return type.parse(typeof value === 'object' ? JSON.stringify(value) : String(value))
  }

/** What an operand is compared with: values, and the texts that are bound for them. */
interface Compared {
  form: Form
  values: readonly unknown[]
  texts: readonly string[]
  /** The type of the values. */
  as: FieldType
}

/** Creates the comparison of an operand with values that were read. */
export function compare(
  operand: Operand,
  { takes }: Comparison,
  { form, values, texts, as }: Compared,
): Predicate {
  const type = form.as?.column ?? as.column
  const bound =
    takes === 'list' ? [{ value: texts, type: sql`${type}[]` }] : texts.map((value) => ({ value, type }))
  const hasSigma = texts.some((text) => /[σςΣ]/.test(text))
  const render = (hasSigma && form.sqlOfSigma) || form.sql
  const admitsAll = texts.every((text, index) => form.admitsAll?.(values[index], text) ?? false)
  return { kind: 'compare', operand, means: form.means, sql: render, values: bound, admitsAll }
}
