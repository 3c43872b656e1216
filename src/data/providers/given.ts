/** The records of a body as rows of a statement: Postgres reads the text itself, once, and every value as its field's type. */
import { identifier, join, large, nothing, type Sql, sql } from '../../db/sql.ts'
import type { HeldRule } from '../datatables/constraints.ts'
import type { Field, Table } from '../datatables/table.ts'
import type { Given } from '../records/validate.ts'
import type { Step } from './steps.ts'

/** What `_given` calls a field: by number, as no prefix would fit before the longest name. */
export const givenColumn = (table: Table, field: Field): Sql => identifier(`_f${[...table.fields.keys()].indexOf(field.name)}`)

/**
 * The step `_given`: `_n`, the place of a record in the body from 0; `_said`, it whole; and each field that any record
 * gives, by its `givenColumn`. `filled` are fields that have their default there where a record leaves them out.
 */
export function givenStep(table: Table, given: Pick<Given, 'text' | 'keyOfId' | 'count' | 'counts'>, filled: readonly Field[] = []): Step {
  const fields = [...table.fields.values()].filter((field) => given.counts.has(field.name))
  const typed = fields.map((field) => sql`${field.column} ${field.type.input ?? field.type.column}`)
  const values = new Map(fields.map((field) => [field, read(field)]))
  for (const field of filled) {
    const otherwise = defaultOf(table, field)
    if (!otherwise) continue
    const value = values.get(field)
    values.set(field, value ? whereSaid(sql`_body._said`, field, value, otherwise) : otherwise)
  }
  const columns = [...values].map(([field, value]) => sql`, ${value} as ${givenColumn(table, field)}`)
  const record = typed.length > 0 ? sql`, jsonb_to_record(_body._said) _fields (${join(typed)})` : nothing
  return [
    '_given',
    // The limit cuts nothing: it tells the planner how many there are, so that for a few it goes by an index.
    sql`select _body._n - 1 as _n, _body._said${join(columns, nothing)}
          from ${bodyOf(given)}${record}
         limit ${given.count}`,
  ]
}

/** The records of a body, each with its place from 1. */
function bodyOf({ text, keyOfId }: Pick<Given, 'text' | 'keyOfId'>): Sql {
  const records = sql`jsonb_array_elements(${large(text)}::jsonb) with ordinality`
  if (keyOfId === undefined) return sql`${records} _body (_said, _n)`
  const named = sql`case when _said ? ${keyOfId} then _said else (_said - 'id') || jsonb_build_object(${keyOfId}::text, _said -> 'id') end`
  return sql`(select ${named} as _said, _n from ${records} _all (_said, _n)) _body`
}

function read(field: Field): Sql {
  const value = sql`_fields.${field.column}`
  return field.type.read?.(value) ?? value
}

/** A value for the records that give the field, another for those that leave it out. `said` is the record. */
export const whereSaid = (said: Sql, field: Field, value: Sql, otherwise: Sql): Sql =>
  sql`case when ${said} ? ${field.name} then ${value} else ${otherwise} end`

/** What a field gets in a record that is created without it. */
export const defaultOf = (table: Table, field: Field): Sql | undefined =>
  field === table.identity ? sql`nextval(${table.storage.sequence(field)})` : field.default

/** `_n` of the first record whose value of the field breaks the rule for Postgres alone, or none. */
export function firstBreach(table: Table, { text, count }: Pick<Given, 'text' | 'count'>, field: Field, rule: HeldRule): Sql {
  const [, rows] = givenStep(table, { text, count, counts: new Map([[field.name, count]]) })
  return sql`select _n from (${rows}) _given where not (${rule.check(givenColumn(table, field))}) order by _n limit 1`
}
