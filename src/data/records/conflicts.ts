/**
 * Checks rows against other records without writing them: duplicate values, and references to missing
 * records. D15.
 */
import { emptySql, join, type Sql, sql } from '../../kernel/db/sql.ts'

import type { Catalog } from '../catalog/load-catalog.ts'
import { mayLearnOf } from '../catalog/scoped.ts'
import { duplicateMessage, missingMessage, repeatedMessage } from '../failures/errors.ts'
import { checkMessage } from '../model/checks.ts'
import { type Field, nullOf } from '../model/field.ts'
import { isToItself, uniqueKeysOf } from '../model/keys.ts'
import { type Table, withColumns } from '../model/table.ts'
import { checkCondition } from '../providers/ddl/checks.ts'
import { conditionOf } from '../providers/ddl/filter.ts'
import { inputColumn, inputCte } from '../providers/writes/input.ts'
import { computedFields, isComputed, withValues } from '../query/plan/expression/row-expression.ts'
import { visible } from '../query/predicate.ts'
import { renderPredicate } from '../query/render/render.ts'
import { fieldSql, row } from '../query/row.ts'
import { computedMessage } from '../write/parse/validate.ts'
import { type BadFields, exclusionChecks, rangeChecks } from './exclusion-checks.ts'

/** A row that fails a check. */
interface ConflictRow {
  /** The position of the check. */
  check: number
  /** The position of the row, from 0. */
  place: number
  /** The position of the earlier row with the same values; null if a stored record has them. */
  first: number | null
  /** Whether the stored record is soft-deleted. */
  deleted: boolean
  /** The number of failing rows in all. */
  total: number
}

/** A statement that finds conflicts, and their messages. */
export interface Conflicts {
  /** Undefined if no check applies. */
  statement: Sql<ConflictRow> | undefined
  messageOf(conflict: ConflictRow): { fields: string; message: string }
}

interface Check {
  fields: readonly string[]
  message(first: number | null, deleted: boolean): string
  /** Selects `_n`, `_first` and `_deleted` of the failing rows. */
  rows: Sql
}

/**
 * Returns the statement that finds at most `limit` conflicts. The values of `rows` must fit the types of
 * their fields. `counts` is the number of rows that give each field, `bad` the fields that were left out.
 */
export function conflictsOf(
  catalog: Catalog,
  table: Table,
  rows: readonly object[],
  counts: ReadonlyMap<string, number>,
  { limit, bad }: { limit: number; bad: BadFields },
): Conflicts {
  // A default that generates a new value for each record cannot conflict.
  const filled = [...table.fields.values()].filter((field) => field.default && !field.generated)
  const isGiven = (field: Field) =>
    (counts.get(field.name) ?? 0) > 0 || filled.includes(field) || isComputed(field)
  const inputAs = (of: Sql) =>
    withValues(table, (field) => (isGiven(field) ? sql`${of}.${inputColumn(table, field)}` : nullOf(field)))
  const inputTable = inputAs(sql`_input`)
  const checks = [
    ...claimChecks(table, inputTable, counts),
    ...schemaChecks(inputTable),
    ...uniqueChecks(table, inputTable, isGiven, mayLearnOf(catalog, table.name)),
    ...referenceChecks(catalog, table, inputTable, isGiven),
    ...rangeChecks(table, inputTable, bad),
    ...exclusionChecks(table, inputAs, bad),
  ]
  const [, body] = inputCte(table, { text: JSON.stringify(rows), count: rows.length, counts }, filled)
  const all = checks.map(
    (check, position) =>
      sql`select ${position}::integer as "check", _n, _first, _deleted from (${check.rows}) _fault`,
  )
  return {
    statement:
      rows.length === 0 || checks.length === 0
        ? undefined
        : sql<ConflictRow>`with _input as materialized (${body})
              select "check", _n as place, _first as first, _deleted as deleted, count(*) over () as total
                from (${join(
                  all,
                  sql`
                union all `,
                )}) _faults
               order by _n, "check" limit ${limit}`,
    messageOf({ check: position, first, deleted }) {
      const { fields, message } = checks[position] as Check
      return { fields: fields.join(','), message: message(first, deleted) }
    },
  }
}

/** Finds rows that break checks of the schema. */
const schemaChecks = (inputTable: Table): Check[] =>
  (inputTable.schema.checks ?? []).map((check) => ({
    fields: [check.name],
    message: () => checkMessage(check),
    rows: failing(sql`(${checkCondition(inputTable, check)}) is false`),
  }))

/** Finds rows with another value for a computed field than it gets. */
const claimChecks = (table: Table, inputTable: Table, counts: ReadonlyMap<string, number>): Check[] =>
  computedFields(inputTable)
    .filter(({ name }) => counts.has(name))
    .map((field) => ({
      fields: [field.name],
      message: () => computedMessage,
      rows: failing(
        sql`_sent ? ${field.name} and _input.${inputColumn(table, field)} is distinct from ${field.column}`,
      ),
    }))

const failing = (condition: Sql): Sql =>
  sql`select _n, null::bigint as _first, false as _deleted from _input where ${condition}`

function uniqueChecks(
  table: Table,
  inputTable: Table,
  isGiven: (field: Field) => boolean,
  mayKnow: boolean,
): Check[] {
  const stored = withColumns(table, (field) => fieldSql(field, row))
  return uniqueKeysOf(table).flatMap(({ fields, where }): Check[] => {
    if (!fieldsOf(table, fields).every(isGiven)) return []
    const own = columnsOf(inputTable, fields)
    const condition = (of: Table) => (where ? sql` and ${conditionOf(of, where)}` : emptySql)
    const candidates = sql`_input where ${allThere(own)}${condition(inputTable)}`
    const repeated = {
      fields,
      message: (first: number | null) => repeatedMessage(fields, `rows[${first ?? 0}]`),
      rows: sql`select _n, _first, false as _deleted
        from (select _n, min(_n) over (partition by ${join(own)}) as _first from ${candidates}) _all
       where _n > _first`,
    }
    if (!table.isMaterialized) return [repeated]
    const isDeleted = table.softDelete && mayKnow ? sql`_row.${table.softDelete.column} is true` : sql`false`
    const holder = sql`select ${isDeleted} as _deleted from ${table.rows} ${row.alias}
      where ${equal(columnsOf(stored, fields), own)}${condition(stored)} limit 1`
    const taken = {
      fields,
      message: (_: number | null, deleted: boolean) =>
        duplicateMessage(fields, deleted ? 'deleted' : 'other'),
      rows: sql`select _n, null::bigint as _first, _deleted
        from (select * from ${candidates}) _input, lateral (${holder}) _holder`,
    }
    return [taken, repeated]
  })
}

function referenceChecks(
  catalog: Catalog,
  table: Table,
  inputTable: Table,
  isGiven: (field: Field) => boolean,
): Check[] {
  return (table.schema.foreignKeys ?? []).flatMap((key): Check[] => {
    const toItself = isToItself(table, key)
    const target = toItself ? table : catalog.tables.get(key.reference.resource)
    if (!target || !(target.isMaterialized || toItself) || !fieldsOf(table, key.fields).every(isGiven))
      return []
    const own = columnsOf(inputTable, key.fields)
    const there = columnsOf(
      withColumns(target, (field) => fieldSql(field, row)),
      key.reference.fields,
    )
    const stored = target.isMaterialized
      ? sql` and not exists (select from ${target.rows} ${row.alias}
        where ${equal(there, own)} and ${renderPredicate(visible(target), row)})`
      : emptySql
    // Rows may reference each other and themselves.
    const isAmongRows = toItself && fieldsOf(table, key.reference.fields).every(isGiven)
    const others = withColumns(table, (field) => sql`_other.${inputColumn(table, field)}`)
    const among = isAmongRows
      ? sql` and not exists (select from _input _other
        where ${equal(columnsOf(others, key.reference.fields), own)})`
      : emptySql
    return [
      {
        fields: key.fields,
        message: () => missingMessage(key.fields, target.name),
        rows: sql`select _n, null::bigint as _first, false as _deleted
          from _input where ${allThere(own)}${stored}${among}`,
      },
    ]
  })
}

const fieldsOf = (table: Table, names: readonly string[]): Field[] =>
  names.flatMap((name) => table.fields.get(name) ?? [])

const columnsOf = (table: Table, names: readonly string[]): Sql[] =>
  fieldsOf(table, names).map(({ column }) => column)

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
