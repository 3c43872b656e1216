/** The rules of a field's values: one row each, said once for JavaScript, which names the row and the field, and once for Postgres, which holds it. D4. */
import { join, literal, type Sql, sql } from '../../db/sql.ts'
import { isPathSegment, pathSegmentRule } from '../../lib/path-segment.ts'
import { compilePattern, type Pattern, postgresPattern } from '../../lib/pattern.ts'
import { type FieldType, fieldTypes, formats } from './field-types.ts'
import type { FieldSchema } from './table-schema.ts'

export interface Rule {
  /** Its name in `constraints`, and in the name of the check that holds it. */
  name: string
  /** Why a value of the field's type breaks it. */
  problem(value: unknown): string | undefined
  /** How many steps it may take to find that out, where they are worth counting. */
  stepsFor?(value: unknown): number
  check(column: Sql): Sql
}

type Bound = string | number
type RuleRow = (bound: never, field: FieldSchema, type: FieldType) => Omit<Rule, 'name'>

/** Characters as Postgres counts them: code points. */
const characters = (text: string): number => [...text].length

const constant = (value: string | number | boolean, type: FieldType) =>
  sql`${literal(typeof value === 'string' ? value : String(value))}::${type.column}`

/** Less than 0 when a value comes before a bound, more than 0 when it comes after. */
function compare(type: FieldType, value: unknown, bound: Bound): number {
  const [a, b] = [type.key(value as never), type.key(bound as never)]
  return a < b ? -1 : Number(a > b)
}

const rows: Record<string, RuleRow> = {
  minLength: (min: number) => ({
    problem: (value) => (characters(value as string) < min ? `Ensure this field has at least ${min} characters.` : undefined),
    check: (column) => sql`char_length(${column}) >= ${literal(min)}`,
  }),
  maxLength: (max: number) => ({
    problem: (value) => (characters(value as string) > max ? `Ensure this field has no more than ${max} characters.` : undefined),
    check: (column) => sql`char_length(${column}) <= ${literal(max)}`,
  }),
  minimum: (min: Bound, _field, type) => ({
    problem: (value) => (compare(type, value, min) < 0 ? `Ensure this value is greater than or equal to ${min}.` : undefined),
    check: (column) => sql`${column} >= ${constant(min, type)}`,
  }),
  maximum: (max: Bound, _field, type) => ({
    problem: (value) => (compare(type, value, max) > 0 ? `Ensure this value is less than or equal to ${max}.` : undefined),
    check: (column) => sql`${column} <= ${constant(max, type)}`,
  }),
  pattern: (source: string) => {
    // Not before it is needed: a catalog may have tens of thousands.
    let compiled: Pattern | undefined
    const pattern = () => (compiled ??= compilePattern(source) as Pattern)
    return {
      problem: (value) => (pattern().matches(value as string) ? undefined : `Ensure this field matches the pattern ${source}`),
      stepsFor: (value) => pattern().stepsFor(value as string),
      check: (column) => sql`${column} ~ ${literal(postgresPattern(source))}`,
    }
  },
  enum: (values: readonly (string | number | boolean)[], _field, type) => {
    const allowed = new Set(values.map((value) => type.key(value as never)))
    const list = join(values.map((value) => constant(value, type)))
    return {
      problem: (value) => (allowed.has(type.key(value as never)) ? undefined : `Must be one of: ${values.join(', ')}.`),
      check: (column) => sql`${column} in (${list})`,
    }
  },
  format: (name: string) => {
    const { pattern, lengthMax, problem, test = () => true } = formats.get(name) as NonNullable<ReturnType<typeof formats.get>>
    const expression = new RegExp(pattern)
    return {
      problem: (value) => ((value as string).length <= lengthMax && expression.test(value as string) && test(value as string) ? undefined : problem),
      check: (column) => sql`char_length(${column}) <= ${literal(lengthMax)} and ${column} ~ ${literal(pattern)}`,
    }
  },
}

/** The rules of a field, as its schema declares them. */
export function rulesOf(field: FieldSchema): Rule[] {
  const type = fieldTypes.get(field.type) as FieldType
  const declared = Object.entries({ ...field.constraints, format: field.format })
  return declared.flatMap(([name, bound]) => {
    const row = rows[name]
    return row && bound !== undefined ? [{ name, ...row(bound as never, field, type) }] : []
  })
}

/** What holds of a text that is a primary key by itself: the record's path ends with it. R7. */
export const pathRule: Rule = {
  name: 'path',
  problem: (value) => (isPathSegment(value as string) ? undefined : pathSegmentRule),
  check: (column) => sql`${column} not in ('', '.', '..')`,
}

/** Whether a field alone is the primary key, and is text. */
export const isTextKey = (primaryKey: readonly string[], { name, type }: FieldSchema): boolean =>
  type === 'string' && primaryKey.length === 1 && primaryKey[0] === name

/** Everything that is wrong with a value that is not null. A rule for which there are not enough steps is said to be left out. */
export function valueProblems(type: FieldType, rules: readonly Rule[], value: unknown, work?: Work): string[] {
  const problem = type.problem(value)
  if (problem) return [problem]
  return rules.flatMap((rule) => {
    const isAffordable = !work || !rule.stepsFor || work.affords(rule.stepsFor(value))
    return (isAffordable ? rule.problem(value) : work.leftOut) ?? []
  })
}

/** What one request may spend on patterns. */
export interface Work {
  /** Counts the steps, if there are as many left. */
  affords(steps: number): boolean
  /** What is said of a value that was not judged; nothing, where Postgres judges it. */
  leftOut?: string
}

/** Half a second or more, if a client wants it so. */
const stepsMax = 50_000_000

export function workOf(leftOut?: string): Work {
  let left = stepsMax
  return {
    ...(leftOut === undefined ? {} : { leftOut }),
    affords(steps) {
      if (steps > left) return false
      left -= steps
      return true
    },
  }
}
