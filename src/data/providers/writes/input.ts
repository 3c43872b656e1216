/**
 * The records of a body as rows of a statement. Postgres parses the text of the body once, and reads each
 * value as its field's type.
 */
import { emptySql, identifier, join, large, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { CheckedRule } from '../../model/constraints.ts'
import type { Field } from '../../model/field.ts'
import type { Table } from '../../model/table.ts'
import type { Cte } from './ctes.ts'

/** The validated records of a body. */
export interface InputRows {
  /** The text of a JSON array of the records. */
  text: string
  /** The names of the primary key, if the text has `id` in its place. */
  keyOfId?: readonly string[] | undefined
  /** The number of records. */
  count: number
  /** The number of records that have each field. */
  counts: ReadonlyMap<string, number>
  /** The highest number for the key that numbers records. */
  highestIdentity: bigint | undefined
  /** The fields that have an operation instead of a value in any record (model/arithmetic.ts). */
  computed?: ReadonlySet<string>
  /** Whether any record has a value for a field that Postgres computes. */
  claims?: boolean
  /** The values that are not in the text. */
  taken?: readonly TakenValue[]
  /**
   * An expression for the array of the records, for example a parameter of a function. It replaces the text.
   */
  document?: Sql
}

/** A value that a record takes from a record of an earlier step of the same run. */
export interface TakenValue {
  /** The position, from 0, of the record that takes the value, and the member that gets it. */
  place: number
  member: string
  /** The number of the step, the position of its record, from 0, and the name of the field. */
  step: number
  position: number
  field: string
}

/** The part of the input rows that describes the body. */
type SentRows = Pick<InputRows, 'text' | 'keyOfId' | 'count' | 'taken' | 'document'>

/**
 * Returns the column of a field in `_input`. It is numbered, because the longest names leave no room for a
 * prefix.
 */
export const inputColumn = (table: Table, field: Field): Sql =>
  identifier(`_f${[...table.fields.keys()].indexOf(field.name)}`)

/**
 * Returns the CTE `_input`. Its columns are `_n`, the position of a record in the body, from 0; `_sent`, the
 * whole record; and an `inputColumn` for each field that any record has. If a record omits a field in
 * `filled`, the field gets its default.
 */
export function inputCte(
  table: Table,
  input: SentRows & Pick<InputRows, 'counts' | 'computed'>,
  filled: readonly Field[] = [],
): Cte {
  const fields = [...table.fields.values()].filter((field) => input.counts.has(field.name))
  const typed = fields.map((field) => sql`${field.column} ${field.type.input ?? field.type.column}`)
  const values = new Map(fields.map((field) => [field, read(field)]))
  for (const field of filled) {
    const otherwise = defaultOf(table, field)
    if (!otherwise) continue
    const value = values.get(field)
    values.set(field, value ? ifSent(sql`_body._sent`, field, value, otherwise) : otherwise)
  }
  const columns = [...values].map(([field, value]) => sql`, ${value} as ${inputColumn(table, field)}`)
  const record =
    typed.length > 0 ? sql`, jsonb_to_record(${plainOf(input)}) _fields (${join(typed)})` : emptySql
  return [
    '_input',
    // The limit cuts nothing off. It tells the planner the number of rows, so that it uses indexes for a few.
    sql`select _body._n - 1 as _n, _body._sent${join(columns, emptySql)}
          from ${bodyOf(input)}${record}
         limit ${input.document ? sql`all` : input.count}`,
  ]
}

/**
 * Tells whether `uniformInput` can read the records: each has the same fields, under their own names, with
 * values in the text. A single record may also take values from earlier steps.
 */
export const isUniform = ({ count, counts, keyOfId, computed, claims, taken = [] }: InputRows): boolean =>
  keyOfId === undefined &&
  !claims &&
  !computed?.size &&
  (taken.length === 0 || count === 1) &&
  count > 0 &&
  counts.size > 0 &&
  [...counts.values()].every((having) => having === count)

/**
 * Selects what `inputCte` does without `_sent`, for records that are uniform, in one pass. `_n` counts from
 * 1: Postgres then knows that the rows are in its order.
 */
export function uniformInput(table: Table, { text, counts, taken = [] }: InputRows): Sql {
  const fields = [...table.fields.values()].filter((field) => counts.has(field.name))
  const typed = join(fields.map((field) => sql`${field.column} ${field.type.input ?? field.type.column}`))
  const names = join(fields.map((field) => field.column))
  const columns = join(fields.map((field) => sql`${read(field)} as ${inputColumn(table, field)}`))
  const withTakenOnes = sql`jsonb_build_array((${large(text)}::jsonb -> 0) || ${membersTaken(taken)})`
  const recordset =
    taken.length > 0
      ? sql`jsonb_to_recordset(${withTakenOnes})`
      : sql`json_to_recordset(${large(text)}::json)`
  return sql`
    select _fields._n, ${columns}
      from rows from (${recordset} as (${typed})) with ordinality _fields (${names}, _n)`
}

/** Returns a record without its operations, because an operation does not have the type of its field. */
function plainOf({ computed }: Pick<InputRows, 'computed'>): Sql {
  if (!computed || computed.size === 0) return sql`_body._sent`
  const operations = sql`
    select array_agg(_name) from unnest(${[...computed]}::text[]) _name
     where jsonb_typeof(_body._sent -> _name) = 'object'`
  return sql`_body._sent - coalesce((${operations}), '{}')`
}

/** Returns the records of a body as `_body`: each as `_sent`, with its position `_n`, from 1. */
export function bodyOf({ text, keyOfId, count, taken = [], document }: SentRows): Sql {
  const records = sql`jsonb_array_elements(${document ?? sql`${large(text)}::jsonb`}) with ordinality`
  if (taken.length > 0)
    return sql`(${count === 1 ? withTakenByOne(records, taken) : withTaken(records, taken)}) _body`
  if (keyOfId === undefined) return sql`${records} _body (_sent, _n)`
  const key = keyOfId.map((name, place) => {
    const value = keyOfId.length === 1 ? sql`_sent -> 'id'` : sql`_sent -> 'id' -> ${place}::integer`
    return sql`${name}::text, ${value}`
  })
  const renamed = sql`(_sent - 'id') || jsonb_build_object(${join(key)})`
  const sent = sql`case when _sent ?| ${keyOfId}::text[] then _sent else ${renamed} end`
  return sql`(select ${sent} as _sent, _n from ${records} _all (_sent, _n)) _body`
}

/** Returns the records of a body as an array, for a function that writes them. */
export const documentOf = (input: SentRows): Sql =>
  input.keyOfId === undefined && !input.taken?.length
    ? sql`${large(input.text)}::jsonb`
    : sql`(select jsonb_agg(_body._sent order by _body._n) from ${bodyOf(input)})`

/**
 * Returns a member of the row of an earlier step, as a text. `step` is its number, from 0. `$2` has the rows
 * of steps: see `public.run`.
 */
export const memberOfStep = (step: Sql, member: 'data' | 'etag'): Sql =>
  sql`($2[${step}::integer + 1]::json -> 1 ->> ${member})`

/** Selects the only record with the values that it takes: Postgres plans this faster than a join. */
function withTakenByOne(records: Sql, taken: readonly TakenValue[]): Sql {
  return sql`
    select _all._sent || ${membersTaken(taken)} as _sent, _all._n
      from ${records} _all (_sent, _n)`
}

/** Returns the values that the only record takes, as an object. */
function membersTaken(taken: readonly TakenValue[]): Sql {
  const members = taken.map(({ member, step, position, field }) => {
    const written = sql`${memberOfStep(sql`${step}`, 'data')}::jsonb`
    return sql`${member}::text, ${written} -> ${position}::integer -> ${field}::text`
  })
  return sql`jsonb_build_object(${join(members)})`
}

/** Selects records with the values that they take. */
function withTaken(records: Sql, taken: readonly TakenValue[]): Sql {
  const steps = [...new Set(taken.map(({ step }) => step))]
  const written = sql`
    select _step, ${memberOfStep(sql`_step`, 'data')}::jsonb as _records
      from unnest(${steps}::integer[]) _step`
  const wanted = sql`unnest(
    ${taken.map(({ place }) => place)}::integer[], ${taken.map(({ member }) => member)}::text[],
    ${taken.map(({ step }) => step)}::integer[], ${taken.map(({ position }) => position)}::integer[],
    ${taken.map(({ field }) => field)}::text[]) _wanted (_place, _member, _step, _position, _field)`
  return sql`
    select _all._sent || coalesce(_taken._values, '{}') as _sent, _all._n
      from ${records} _all (_sent, _n)
      left join (select _place, jsonb_object_agg(_member, _value) as _values
                   from (select _place, _member, _records -> _position -> _field as _value
                           from ${wanted} join (${written}) _written using (_step) offset 0) _found
                  group by _place) _taken
             on _taken._place = _all._n - 1`
}

/** Returns the value of a field in `_fields`. `_fields` are read from JSON with the fields' input types. */
export function read(field: Field): Sql {
  const value = sql`_fields.${field.column}`
  return field.type.read?.(value) ?? value
}

/**
 * Returns `value` for records that have the field, `otherwise` for those without it. `sent` is the record.
 */
export const ifSent = (sent: Sql, field: Field, value: Sql, otherwise: Sql): Sql =>
  sql`case when ${sent} ? ${field.name} then ${value} else ${otherwise} end`

/** Returns the value of an omitted field in a new record; undefined if it has none. */
export function defaultOf(table: Table, field: Field): Sql | undefined {
  if (field !== table.identity) return field.default
  const sequence = table.storage.sequence(field)
  return table.triesNumbers ? sql`tessera.next_number(${sequence})` : sql`nextval(${sequence})`
}

/**
 * Selects the position of the first record whose value violates a rule as Postgres checks it, if there is
 * one.
 */
export function firstCheckFailure(
  table: Table,
  { text, count }: Pick<InputRows, 'text' | 'count'>,
  field: Field,
  rule: CheckedRule,
): Sql<{ _n: number }> {
  const [, rows] = inputCte(table, { text, count, counts: new Map([[field.name, count]]) })
  const holds = rule.check(inputColumn(table, field))
  return sql<{ _n: number }>`select _n from (${rows}) _input where not (${holds}) order by _n limit 1`
}
