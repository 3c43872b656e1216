/** What other records have against rows that are not written: values that are taken, or twice among the rows, and references to nothing. D15. */
import { join, nothing, type Sql, sql } from '../../db/sql.ts'
import type { Catalog } from '../catalog.ts'
import { isToItself, uniqueKeysOf } from '../datatables/references.ts'
import { type Field, type Table, withColumns } from '../datatables/table.ts'
import { conditionOf } from '../providers/ddl/objects.ts'
import { givenColumn, givenStep } from '../providers/given.ts'
import { visible } from '../query/predicate.ts'
import { renderPredicate } from '../query/render.ts'
import { fieldSql, row } from '../query/row.ts'
import { duplicateMessage, missingMessage, repeatedMessage } from './errors.ts'

/** A row that is at fault. */
export interface ConflictRow {
  /** Which check it fails. */
  check: number
  place: number
  /** The place of the row that has the same values. */
  first: number | null
  /** How many such rows there are in all. */
  total: number
}

export interface Conflicts {
  /** Undefined: there is nothing to be asked. */
  statement: Sql | undefined
  messageOf(conflict: ConflictRow): { fields: string; message: string }
}

interface Check {
  fields: readonly string[]
  message(first: number | null): string
  /** Selects `_n` and `_first` of the rows at fault. */
  rows: Sql
}

/** `rows` have values of their fields' types alone; `counts` says for how many of them each field is given. */
export function conflictsOf(catalog: Catalog, table: Table, rows: readonly object[], counts: ReadonlyMap<string, number>, limit: number): Conflicts {
  // What each record gets another value for is no conflict.
  const filled = [...table.fields.values()].filter((field) => field.default && !field.generated)
  const isGiven = (field: Field) => (counts.get(field.name) ?? 0) > 0 || filled.includes(field)
  const given = withColumns(table, (field) => (isGiven(field) ? sql`_given.${givenColumn(table, field)}` : sql`null::${field.type.column}`))
  const checks = [...uniqueChecks(table, given, isGiven), ...referenceChecks(catalog, table, given, isGiven)]
  const [, body] = givenStep(table, { text: JSON.stringify(rows), count: rows.length, counts }, filled)
  const all = checks.map((check, position) => sql`select ${position}::integer as "check", _n, _first from (${check.rows}) _fault`)
  return {
    statement:
      rows.length === 0 || checks.length === 0
        ? undefined
        : sql`with _given as materialized (${body})
              select "check", _n as place, _first as first, count(*) over () as total from (${join(all, sql` union all `)}) _faults
               order by _n, "check" limit ${limit}`,
    messageOf({ check: position, first }) {
      const { fields, message } = checks[position] as Check
      return { fields: fields.join(','), message: message(first) }
    },
  }
}

function uniqueChecks(table: Table, given: Table, isGiven: (field: Field) => boolean): Check[] {
  const stored = withColumns(table, (field) => fieldSql(field, row))
  return uniqueKeysOf(table).flatMap(({ fields, where }): Check[] => {
    if (!fieldsOf(table, fields).every(isGiven)) return []
    const own = columnsOf(given, fields)
    const condition = (of: Table) => (where ? sql` and ${conditionOf(of, where)}` : nothing)
    const candidates = sql`_given where ${allThere(own)}${condition(given)}`
    const repeated = {
      fields,
      message: (first: number | null) => repeatedMessage(fields, first ?? 0),
      rows: sql`select _n, _first from (select _n, min(_n) over (partition by ${join(own)}) as _first from ${candidates}) _all where _n > _first`,
    }
    if (!table.isMaterialized) return [repeated]
    const same = sql`select from ${table.rows} ${row.alias} where ${equal(columnsOf(stored, fields), own)}${condition(stored)}`
    const taken = {
      fields,
      message: () => duplicateMessage(fields),
      rows: sql`select _n, null::bigint as _first from ${candidates} and exists (${same})`,
    }
    return [taken, repeated]
  })
}

function referenceChecks(catalog: Catalog, table: Table, given: Table, isGiven: (field: Field) => boolean): Check[] {
  return (table.schema.foreignKeys ?? []).flatMap((key): Check[] => {
    const toItself = isToItself(table, key)
    const target = toItself ? table : catalog.tables.get(key.reference.resource)
    if (!target || !(target.isMaterialized || toItself) || !fieldsOf(table, key.fields).every(isGiven)) return []
    const own = columnsOf(given, key.fields)
    const there = columnsOf(
      withColumns(target, (field) => fieldSql(field, row)),
      key.reference.fields,
    )
    const stored = target.isMaterialized
      ? sql` and not exists (select from ${target.rows} ${row.alias} where ${equal(there, own)} and ${renderPredicate(visible(target), row)})`
      : nothing
    // Rows may reference each other, and themselves.
    const isAmongRows = toItself && fieldsOf(table, key.reference.fields).every(isGiven)
    const others = withColumns(table, (field) => sql`_other.${givenColumn(table, field)}`)
    const among = isAmongRows
      ? sql` and not exists (select from _given _other where ${equal(columnsOf(others, key.reference.fields), own)})`
      : nothing
    return [
      {
        fields: key.fields,
        message: () => missingMessage(key.fields, target.name),
        rows: sql`select _n, null::bigint as _first from _given where ${allThere(own)}${stored}${among}`,
      },
    ]
  })
}

const fieldsOf = (table: Table, names: readonly string[]): Field[] => names.flatMap((name) => table.fields.get(name) ?? [])

const columnsOf = (table: Table, names: readonly string[]): Sql[] => fieldsOf(table, names).map(({ column }) => column)

const allThere = (columns: readonly Sql[]): Sql =>
  join(
    columns.map((column) => sql`${column} is not null`),
    sql` and `,
  )

const equal = (some: readonly Sql[], others: readonly Sql[]): Sql =>
  join(
    some.map((one, position) => sql`${one} = ${others[position] as Sql}`),
    sql` and `,
  )
