/** The rules of a field's values: one row each, said once for JavaScript, which names the row and the field, and once for Postgres, which holds it. D4. */
import { join, literal, type Sql, sql } from '../../db/sql.ts'
import { approximate, readJson } from '../../lib/exact-json.ts'
import { type PreparedSchema, prepareSchema } from '../../lib/json-schema/prepare.ts'
import { problemsOf as judgedBySchema } from '../../lib/json-schema/validate.ts'
import { isPathSegment, pathSegmentRule } from '../../lib/path-segment.ts'
import { compilePattern, type Pattern, postgresPattern } from '../../lib/pattern.ts'
import { type FieldType, type Format, formats } from './field-types.ts'
import type { FieldSchema } from './schema-form.ts'
import { baseOf, typeOf } from './types.ts'

export interface Rule {
  /** Its name in `constraints`, and in the name of the check that holds it. */
  name: string
  /** Why a value of the field's type breaks it. */
  problem(value: unknown): string | undefined
  /** How many steps it may take to find that out, where they are worth counting. */
  stepsFor?(value: unknown): number
  /** Omitted: Postgres cannot hold it. */
  check?(column: Sql): Sql
}

/** A rule that Postgres holds, too. */
export type HeldRule = Rule & { check(column: Sql): Sql }
export const isHeld = (rule: Rule): rule is HeldRule => rule.check !== undefined

type Bound = string | number
type RuleRow = (bound: never, field: FieldSchema, type: FieldType) => Omit<Rule, 'name'>

/** Characters as Postgres counts them: code points. */
const characters = (text: string): number => [...text].length

/** Of a text its characters, of an array its items, of an object its members. */
const lengthOf = (value: unknown): number =>
  typeof value === 'string' ? characters(value) : Array.isArray(value) ? value.length : Object.keys(value as object).length
const unitOf = (value: unknown): string => (typeof value === 'string' ? 'characters' : Array.isArray(value) ? 'items' : 'members')

const lengths: Record<string, (column: Sql) => Sql> = {
  array: (column) => sql`jsonb_array_length(${column})`,
  object: (column) => sql`jsonb_array_length(jsonb_path_query_array(${column}, '$.keyvalue()'))`,
}
const lengthSql = (field: FieldSchema, column: Sql): Sql => lengths[baseOf(field)]?.(column) ?? sql`char_length(${column})`

const ordinal = (type: FieldType, value: Sql): Sql => type.ordinal?.(value) ?? value

/** Bounds and enums may be written as strings. D14. */
export function meantBy(type: FieldType, said: unknown): unknown {
  if (typeof said !== 'string' || type.problem(said) === undefined || type.parse(said) === undefined) return said
  return readJson(type.parse(said) as string)
}

const constant = (said: unknown, type: FieldType) =>
  sql`${literal(type.comparable ? String(said) : JSON.stringify(meantBy(type, said)))}::${type.column}`

/** Less than 0 when a value comes before a bound, more than 0 when it comes after. */
function compare(type: FieldType, value: unknown, bound: Bound): number {
  const [a, b] = [type.key(value as never), type.key(meantBy(type, bound) as never)]
  return a < b ? -1 : Number(a > b)
}

const rows: Record<string, RuleRow> = {
  minLength: (min: number, field) => ({
    problem: (value) => (lengthOf(value) < min ? `Ensure this field has at least ${min} ${unitOf(value)}.` : undefined),
    check: (column) => sql`${lengthSql(field, column)} >= ${literal(min)}`,
  }),
  maxLength: (max: number, field) => ({
    problem: (value) => (lengthOf(value) > max ? `Ensure this field has no more than ${max} ${unitOf(value)}.` : undefined),
    check: (column) => sql`${lengthSql(field, column)} <= ${literal(max)}`,
  }),
  minimum: (min: Bound, _field, type) => ({
    problem: (value) => (compare(type, value, min) < 0 ? `Ensure this value is greater than or equal to ${min}.` : undefined),
    check: (column) => sql`${ordinal(type, column)} >= ${ordinal(type, constant(min, type))}`,
  }),
  exclusiveMinimum: (min: Bound, _field, type) => ({
    problem: (value) => (compare(type, value, min) <= 0 ? `Ensure this value is greater than ${min}.` : undefined),
    check: (column) => sql`${ordinal(type, column)} > ${ordinal(type, constant(min, type))}`,
  }),
  maximum: (max: Bound, _field, type) => ({
    problem: (value) => (compare(type, value, max) > 0 ? `Ensure this value is less than or equal to ${max}.` : undefined),
    check: (column) => sql`${ordinal(type, column)} <= ${ordinal(type, constant(max, type))}`,
  }),
  exclusiveMaximum: (max: Bound, _field, type) => ({
    problem: (value) => (compare(type, value, max) >= 0 ? `Ensure this value is less than ${max}.` : undefined),
    check: (column) => sql`${ordinal(type, column)} < ${ordinal(type, constant(max, type))}`,
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
  enum: (values: readonly unknown[], _field, type) => {
    const allowed = new Set(values.map((value) => type.key(meantBy(type, value) as never)))
    const list = join(values.map((value) => constant(value, type)))
    return {
      problem: (value) =>
        allowed.has(type.key(value as never))
          ? undefined
          : `Must be one of: ${values.map((one) => (typeof one === 'object' ? JSON.stringify(one) : String(one))).join(', ')}.`,
      check: (column) => sql`${column} in (${list})`,
    }
  },
  jsonSchema: (source: unknown) => {
    let prepared: PreparedSchema | undefined
    const judge = () => (prepared ??= prepareSchema(source) as PreparedSchema)
    return {
      problem(value) {
        const problems = judgedBySchema(judge(), approximate(value))
        const [first] = Object.entries(problems ?? {})
        return first && `The value breaks its jsonSchema${first[0] === '' ? '' : ` at ${first[0]}`}: ${first[1].join(' ')}`
      },
      stepsFor: (value) => judgementSteps + JSON.stringify(value).length * stepsPerCharacter,
    }
  },
  format: (name: string) => {
    const { pattern, lengthMax, problem, test = () => true } = formats.get(name) as Format
    const expression = new RegExp(pattern)
    return {
      problem: (value) => ((value as string).length <= lengthMax && expression.test(value as string) && test(value as string) ? undefined : problem),
      check: (column) => sql`char_length(${column}) <= ${literal(lengthMax)} and ${column} ~ ${literal(pattern)}`,
    }
  },
}

/** The rules of a field, as its schema declares them. */
export function rulesOf(field: FieldSchema): Rule[] {
  const type = typeOf(field)
  const format = field.type === 'string' && formats.has(field.format ?? '') ? field.format : undefined
  const { holds } = type
  // What is no value of the type, the type says itself.
  const ofType: Rule[] = holds ? [{ name: 'type', problem: () => undefined, check: (column) => sql`${column} is null or (${holds(column)})` }] : []
  const declared = Object.entries({ ...field.constraints, format })
  return [
    ...ofType,
    ...declared.flatMap(([name, bound]) => {
      const row = rows[name]
      return row && bound !== undefined ? [{ name, ...row(bound as never, field, type) }] : []
    }),
  ]
}

/** What holds of a text that is a primary key by itself: the record's path ends with it. R7. */
export const pathRule = {
  name: 'path',
  problem: (value: unknown) => (isPathSegment(value as string) ? undefined : pathSegmentRule),
  check: (column: Sql) => sql`${column} not in ('', '.', '..')`,
} satisfies Rule

/** Whether a field alone is the primary key, and is text. */
export const isTextKey = (primaryKey: readonly string[], field: FieldSchema): boolean =>
  baseOf(field) === 'string' && primaryKey.length === 1 && primaryKey[0] === field.name

/** Everything that is wrong with a value that is not null. A rule for which there are not enough steps is said to be left out. */
export function valueProblems(type: FieldType, rules: readonly Rule[], value: unknown, work?: Work): string[] {
  const problem = type.problem(value)
  if (problem) return [problem]
  return rules.flatMap((rule) => {
    const isAffordable = !work || !rule.stepsFor || work.affords(rule.stepsFor(value))
    return (isAffordable ? rule.problem(value) : (work.leftOut ?? (rule.check ? undefined : unjudged))) ?? []
  })
}

const unjudged = 'It takes too much work to judge so many values, or so long ones, by their jsonSchema: send fewer records.'
/** So much of a request's work one judgement by a jsonSchema is counted as. */
const judgementSteps = 500
const stepsPerCharacter = 20

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
