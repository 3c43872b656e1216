/**
 * The constraints of fields: one row each. JavaScript checks them, so that errors name the record and the
 * field. Postgres checks them again, as CHECK constraints. D4.
 */
import { join, literal, type Sql, sql } from '../../kernel/db/sql.ts'
import { readJson, withDoubles } from '../../kernel/lib/exact-json.ts'
import { type PreparedSchema, prepareSchema } from '../../kernel/lib/json-schema/prepare-schema.ts'
import { problemsOf as validateBySchema } from '../../kernel/lib/json-schema/validate.ts'
import { isPathSegment, pathSegmentRule } from '../../kernel/lib/path-segment.ts'
import { compilePattern, type Pattern, postgresPattern } from '../../kernel/lib/pattern.ts'
import type { FieldType } from './field-types.ts'
import { type Format, formats } from './formats.ts'
import type { FieldSchema } from './schema-form.ts'
import { baseOf, typeOf } from './types.ts'

/** A rule of one field, with its bound. */
export interface Rule {
  /** Its name in `constraints`, and in the name of its CHECK constraint. */
  name: string
  /** Returns why a value of the field's type breaks the rule; undefined if it does not. */
  problem(value: unknown): string | undefined
  /** Returns the most steps that `problem` can take. Omitted: too few to count. */
  stepsFor?(value: unknown): number
  /** Returns the condition of the CHECK constraint. Omitted: Postgres cannot check the rule. */
  check?(column: Sql): Sql
}

/** A rule that Postgres checks, too. */
export type CheckedRule = Rule & { check(column: Sql): Sql }

/** Tells whether Postgres checks a rule. */
export const hasCheck = (rule: Rule): rule is CheckedRule => rule.check !== undefined

type Bound = string | number
type RuleRow = (bound: never, field: FieldSchema, type: FieldType) => Omit<Rule, 'name'>

/** Counts characters as Postgres does: code points. */
const characters = (text: string): number => [...text].length

/** Counts the characters of a text, the items of an array or the members of an object. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return characters(value)
  return Array.isArray(value) ? value.length : Object.keys(value as object).length
}

function unitOf(value: unknown): string {
  if (typeof value === 'string') return 'characters'
  return Array.isArray(value) ? 'items' : 'members'
}

const lengths: Record<string, (column: Sql) => Sql> = {
  array: (column) => sql`jsonb_array_length(${column})`,
  object: (column) => sql`jsonb_array_length(jsonb_path_query_array(${column}, '$.keyvalue()'))`,
}
const lengthSql = (field: FieldSchema, column: Sql): Sql =>
  lengths[baseOf(field)]?.(column) ?? sql`char_length(${column})`

const ordinal = (type: FieldType, value: Sql): Sql => type.ordinal?.(value) ?? value

/**
 * Returns the value of a bound or of an enum, which may be written as a string: `"5"` of an integer is 5.
 * D14.
 */
export function parseConstant(type: FieldType, written: unknown): unknown {
  if (typeof written !== 'string' || type.problem(written) === undefined) return written
  const parsed = type.parse(written)
  return parsed === undefined ? written : readJson(parsed)
}

function constantSql(written: unknown, type: FieldType): Sql {
  const text = type.comparable ? String(written) : JSON.stringify(parseConstant(type, written))
  return sql`${literal(text)}::${type.column}`
}

/** Returns a number below 0 if a value comes before a bound, and above 0 if it comes after. */
function compare(type: FieldType, value: unknown, bound: Bound): number {
  const [a, b] = [type.key(value as never), type.key(parseConstant(type, bound) as never)]
  return a < b ? -1 : Number(a > b)
}

const rows: Record<string, RuleRow> = {
  minLength: (min: number, field) => ({
    problem: (value) =>
      lengthOf(value) < min ? `Ensure this field has at least ${min} ${unitOf(value)}.` : undefined,
    check: (column) => sql`${lengthSql(field, column)} >= ${literal(min)}`,
  }),
  maxLength: (max: number, field) => ({
    problem: (value) =>
      lengthOf(value) > max ? `Ensure this field has no more than ${max} ${unitOf(value)}.` : undefined,
    check: (column) => sql`${lengthSql(field, column)} <= ${literal(max)}`,
  }),
  minimum: (min: Bound, _field, type) => ({
    problem: (value) =>
      compare(type, value, min) < 0 ? `Ensure this value is greater than or equal to ${min}.` : undefined,
    check: (column) => sql`${ordinal(type, column)} >= ${ordinal(type, constantSql(min, type))}`,
  }),
  exclusiveMinimum: (min: Bound, _field, type) => ({
    problem: (value) =>
      compare(type, value, min) <= 0 ? `Ensure this value is greater than ${min}.` : undefined,
    check: (column) => sql`${ordinal(type, column)} > ${ordinal(type, constantSql(min, type))}`,
  }),
  maximum: (max: Bound, _field, type) => ({
    problem: (value) =>
      compare(type, value, max) > 0 ? `Ensure this value is less than or equal to ${max}.` : undefined,
    check: (column) => sql`${ordinal(type, column)} <= ${ordinal(type, constantSql(max, type))}`,
  }),
  exclusiveMaximum: (max: Bound, _field, type) => ({
    problem: (value) =>
      compare(type, value, max) >= 0 ? `Ensure this value is less than ${max}.` : undefined,
    check: (column) => sql`${ordinal(type, column)} < ${ordinal(type, constantSql(max, type))}`,
  }),
  pattern: (source: string) => {
    // Compiled on first use: a catalog can have tens of thousands of patterns.
    let compiled: Pattern | undefined
    const pattern = () => (compiled ??= compilePattern(source) as Pattern)
    return {
      problem: (value) =>
        pattern().matches(value as string) ? undefined : `Ensure this field matches the pattern ${source}`,
      stepsFor: (value) => pattern().stepsFor(value as string),
      check: (column) => sql`${column} ~ ${literal(postgresPattern(source))}`,
    }
  },
  enum: (values: readonly unknown[], _field, type) => {
    const allowed = new Set(values.map((value) => type.key(parseConstant(type, value) as never)))
    const list = join(values.map((value) => constantSql(value, type)))
    const printed = values.map((value) => (typeof value === 'object' ? JSON.stringify(value) : String(value)))
    return {
      problem: (value) =>
        allowed.has(type.key(value as never)) ? undefined : `Must be one of: ${printed.join(', ')}.`,
      check: (column) => sql`${column} in (${list})`,
    }
  },
  jsonSchema: (source: unknown) => {
    let prepared: PreparedSchema | undefined
    const schema = () => (prepared ??= prepareSchema(source) as PreparedSchema)
    return {
      problem(value) {
        const problems = validateBySchema(schema(), withDoubles(value))
        const [first] = Object.entries(problems ?? {})
        if (!first) return undefined
        const [path, messages] = first
        const place = path === '' ? '' : ` at ${path}`
        return `The value does not match its jsonSchema${place}: ${messages.join(' ')}`
      },
      stepsFor: (value) => validationSteps + JSON.stringify(value).length * stepsPerCharacter,
    }
  },
  format: (name: string) => {
    const { pattern, lengthMax, problem, test = () => true, ...format } = formats.get(name) as Format
    const expression = new RegExp(pattern)
    const { matches = (text: string) => expression.test(text) } = format
    return {
      problem: (value) =>
        (value as string).length <= lengthMax && matches(value as string) && test(value as string)
          ? undefined
          : problem,
      check: (column) =>
        sql`char_length(${column}) <= ${literal(lengthMax)} and ${column} ~ ${literal(pattern)}`,
    }
  },
}

/** Returns the rules that a field's schema declares, and the rule of its type if Postgres must check it. */
export function rulesOf(field: FieldSchema): Rule[] {
  const type = typeOf(field)
  const format = field.type === 'string' && formats.has(field.format ?? '') ? field.format : undefined
  const { holds } = type
  // JavaScript already checks the type by `FieldType.problem`.
  const ofType: Rule[] = holds
    ? [
        {
          name: 'type',
          problem: () => undefined,
          check: (column) => sql`${column} is null or (${holds(column)})`,
        },
      ]
    : []
  const declared = Object.entries({ ...field.constraints, format })
  return [
    ...ofType,
    ...declared.flatMap(([name, bound]) => {
      const row = rows[name]
      return row && bound !== undefined ? [{ name, ...row(bound as never, field, type) }] : []
    }),
  ]
}

/** The rule of a text that is the whole primary key: the record's path ends with it. R7. */
export const pathRule = {
  name: 'path',
  problem: (value: unknown) => (isPathSegment(value as string) ? undefined : pathSegmentRule),
  check: (column: Sql) => sql`${column} not in ('', '.', '..')`,
} satisfies Rule

const searchedLengthMax = 1_000_000

/**
 * The rule of a text that is searched: Postgres would take seconds to find the words of a longer one, which
 * are then mostly too many.
 */
export const searchRule: Rule = {
  name: 'search',
  problem: (value) =>
    (value as string).length <= searchedLengthMax
      ? undefined
      : `A text that is searched has at most ${searchedLengthMax} characters.`,
}

/** Tells whether a field is the whole primary key, and is text. */
export const isTextKey = (primaryKey: readonly string[], field: FieldSchema): boolean =>
  baseOf(field) === 'string' && primaryKey.length === 1 && primaryKey[0] === field.name

/**
 * Returns all problems of a value that is not null. If the work budget does not suffice for a rule, the
 * result has the budget's message instead of the rule's.
 */
export function valueProblems(
  type: FieldType,
  rules: readonly Rule[],
  value: unknown,
  work?: WorkBudget,
): string[] {
  const problem = type.problem(value)
  if (problem) return [problem]
  return rules.flatMap((rule) => {
    if (!work || !rule.stepsFor || work.spend(rule.stepsFor(value))) return rule.problem(value) ?? []
    return work.skippedMessage ?? (rule.check ? [] : tooMuchWork)
  })
}

const tooMuchWork =
  'Validating these values against their jsonSchema takes too much work, because they are too many ' +
  'or too long. Send fewer records.'
/** The steps that one validation by a jsonSchema counts as, before the length of the value. */
const validationSteps = 500
const stepsPerCharacter = 20

/** The steps that one request may spend on patterns and JSON schemas. */
export interface WorkBudget {
  /** Takes the steps from the budget. Returns false, and takes nothing, if fewer are left. */
  spend(steps: number): boolean
  /** The message for a value that was not checked. Omitted: none, where Postgres checks the rule. */
  skippedMessage?: string
}

/** Half a second of work, or a little more. */
const stepsMax = 50_000_000

/** Creates the budget of a request. */
export function workBudget(skippedMessage?: string): WorkBudget {
  let left = stepsMax
  return {
    ...(skippedMessage === undefined ? {} : { skippedMessage }),
    spend(steps) {
      if (steps > left) return false
      left -= steps
      return true
    },
  }
}
