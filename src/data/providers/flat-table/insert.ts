/** Creates records: any number of them by one statement, from the text of the body, which Postgres reads itself. */
import { join, type Sql, sql } from '../../../db/sql.ts'
import type { Field, Table } from '../../datatables/table.ts'
import { recordColumns } from '../../query/render.ts'
import type { Given } from '../../records/validate.ts'

/** See Provider. */
export function insertRecords(table: Table, body: string, count: number, { counts, highestIdentity }: Given): Sql[] {
  const insert = insertStatement(table, body, count, counts)
  return table.identity && highestIdentity !== undefined ? [advanceIdentity(table, table.identity, highestIdentity), insert] : [insert]
}

function insertStatement(table: Table, body: string, count: number, presence: Given['counts']): Sql {
  const given = [...table.fields.values()].filter((field) => presence.has(field.name))
  const columns = join(given.map((field) => field.column))
  const inserted =
    given.length === 0
      ? // Nothing but defaults. The key is the only column that every table has.
        sql`insert into ${table.relation} (${keyColumns(table)}) select ${join(table.primaryKey.map((field) => generated(table, field) ?? sql`null`))}
              from generate_series(1, ${count}::integer) n order by n`
      : sql`insert into ${table.relation} (${columns}) select ${join(given.map((field) => input(table, field, count, presence)))}
              from ${source(given, body)} order by _input.n`
  return sql`
    with _inserted as (${inserted} returning ${recordColumns(table)})
    select coalesce(json_agg(_inserted), '[]')::text as data from _inserted`
}

const keyColumns = (table: Table) => join(table.primaryKey.map((field) => field.column))

/** The body as rows: each record whole, as `_input.record`, and its fields, as the columns of `_fields`. */
function source(given: readonly Field[], body: string): Sql {
  const typed = join(given.map((field) => sql`${field.column} ${field.type.input ?? field.type.column}`))
  return sql`jsonb_array_elements(${body}::jsonb) with ordinality _input (record, n), jsonb_to_record(_input.record) _fields (${typed})`
}

/** A field that some records leave out gets in those what its column's default says. */
function input(table: Table, field: Field, count: number, presence: Given['counts']): Sql {
  const read = sql`_fields.${field.column}`
  const value = field.type.read?.(read) ?? read
  const everywhere = presence.get(field.name) === count
  const otherwise = everywhere ? undefined : generated(table, field)
  return otherwise ? sql`case when _input.record ? ${field.name} then ${value} else ${otherwise} end` : value
}

const generated = (table: Table, field: Field): Sql | undefined => (field === table.identity ? nextIdentity(table, field) : field.default)

const sequence = (table: Table, field: Field): Sql => sql`pg_get_serial_sequence(${qualifiedName(table)}, ${field.name})`

const nextIdentity = (table: Table, field: Field): Sql => sql`nextval(${sequence(table, field)})`

/** The name of the physical table as Postgres reads it in a string. */
const qualifiedName = (table: Table): string => table.relation.strings.join('')

/** A higher number than this is a client's own affair: numbering that went on after it would soon have none left. */
const identityMax = String(2 ** 53 - 1)

/**
 * Lets the numbering of records go on after the highest number that a client gives; without it a record without a
 * number would get one that is taken.
 */
const advanceIdentity = (table: Table, field: Field, highest: bigint): Sql => sql`
  select setval(${sequence(table, field)}, ${String(highest)}::bigint)
   where ${String(highest)}::bigint > (select coalesce(pg_sequence_last_value(${sequence(table, field)}::regclass), 0))
     and ${String(highest)}::bigint < ${identityMax}::bigint`
