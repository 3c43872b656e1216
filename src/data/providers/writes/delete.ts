/**
 * Deletes records by their keys or by a filter, or marks them as deleted. Foreign keys to them take effect
 * only on a physical deletion, but RESTRICT and NO ACTION prevent both. D5, D6, R18.
 */
import { identifier, join, OneSql, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Field } from '../../model/field.ts'
import type { Table } from '../../model/table.ts'
import { renderPredicate } from '../../query/render/render.ts'
import { row } from '../../query/row.ts'
import type { DeletedRecords, FilteredRecords, RecordDeletion, WriteBatch } from '../provider.ts'
import {
  type Cte,
  conflictsAnswer,
  conflictsCte,
  ifNoConflicts,
  needsRecords,
  places,
  recordsAnswer,
  recordsStatement,
  stale,
} from './ctes.ts'
import { heldConflicts } from './held.ts'
import { type InputRows, inputColumn, inputCte } from './input.ts'
import {
  allEqual,
  beforeCtes,
  filterConflicts,
  foundBy,
  foundInVersion,
  keyJson,
  matchesBefore,
  rowColumns,
  touch,
  writtenState,
} from './rows.ts'

/** See Provider. */
export function deleteRecords(table: Table, deletion: RecordDeletion): WriteBatch<DeletedRecords> {
  const { which, hard, ifMatch, returnsRecords, inbound } = deletion
  const one = deleteOne(table, deletion)
  if (one) return { written: one }
  /** The field that marks records as deleted. Undefined: records are deleted physically. */
  const mark = hard ? undefined : table.softDelete
  const before = beforeCtes(table, {
    ...searched(table, which),
    includeDeleted: hard,
    withState: ifMatch !== null,
    lock: mark ? 'no key update' : 'update',
  })
  const conflicts = {
    ...('filter' in which ? filterConflicts(table, which, hard) : {}),
    ...('input' in which ? { missing } : {}),
    ...(ifMatch ? { stale: stale(ifMatch) } : {}),
    ...(mark ? heldConflicts(table, inbound) : {}),
  }
  const canConflict = Object.keys(conflicts).length > 0
  const action = mark
    ? sql`update ${table.relation} _row set ${markAsDeleted(table, mark)} from`
    : sql`delete from ${table.relation} _row using`
  const where = canConflict
    ? sql`${matchesBefore(table)} and ${ifNoConflicts(conflicts)}`
    : matchesBefore(table)
  const state = writtenState(table, needsRecords(table, deletion, ['RECORD_DELETE']), true)
  const written = sql`
    ${action} _before where ${where} returning _before._n, ${state}`
  const answer = [
    recordsAnswer({ returnsRecords, returnsKeys: true }),
    ...(canConflict ? [conflictsAnswer] : []),
  ]
  const input = 'input' in which ? [inputCte(table, which.input)] : []
  const ctes: Cte[] = [
    ...input,
    ...before,
    ...(canConflict ? [conflictsCte(conflicts)] : []),
    ['_written', written],
  ]
  return { written: recordsStatement(table, ctes, [{ event: 'RECORD_DELETE' }], join(answer)) }
}

/**
 * Returns the statement that deletes one record; undefined if it has conflicts other than another version, or
 * returns the record.
 */
function deleteOne(table: Table, deletion: RecordDeletion): Sql<DeletedRecords> | undefined {
  const { which, hard, ifMatch, inbound, isAlone } = deletion
  const mark = hard ? undefined : table.softDelete
  const [key, ...others] = 'keys' in which ? which.keys : []
  const isPlain = isAlone && table.storage.hasColumns && !(mark && inbound.length > 0)
  if (!key || others.length > 0 || !isPlain || needsRecords(table, deletion, ['RECORD_DELETE']))
    return undefined
  const action = mark
    ? sql`update ${table.relation} _row set ${markAsDeleted(table, mark)}`
    : sql`delete from ${table.relation} _row`
  const values = table.primaryKey.map((field, at) => sql`${key[at] as string}::${field.type.column}`)
  const found = foundBy(table, [allEqual(rowColumns(table.primaryKey), values)], hard)
  const none = { data: null, etag: null, ids: null, written: 0 }
  return new OneSql<DeletedRecords>(
    sql`${action} where ${foundInVersion(found, ifMatch)} returning ${keyJson(table)} as _id`,
    (text) => ({ ...none, ids: `[${text.slice('{"_id":'.length, -'}'.length)}]`, written: 1 }),
    none,
  )
}

const markAsDeleted = (table: Table, mark: Field): Sql =>
  table.storage.assignment([[mark, sql`true`], ...touch(table)])

/** Returns the conflict query for keys of a body that no record has, and for repeated keys. */
const missing = places(sql`_input where _n not in (select _n from _before)`)

/** Returns how `_before` finds the records. */
function searched(table: Table, which: RecordDeletion['which']) {
  if ('keys' in which) return amongKeys(table, which.keys)
  return 'input' in which ? amongInput(table, which.input) : matching(which)
}

/** Selects the rows whose keys a body has. */
function amongInput(table: Table, { counts }: InputRows) {
  const keys = table.primaryKey
    .filter(({ name }) => counts.has(name))
    .map((field) => inputColumn(table, field))
  const columns = join(keys)
  return {
    joined: sql`, (select ${columns}, min(_n) as _n from _input group by ${columns}) _wanted`,
    where: [
      allEqual(
        rowColumns(table.primaryKey),
        keys.map((key) => sql`_wanted.${key}`),
      ),
    ],
    columns: [sql`_wanted._n`],
  }
}

/** Selects the rows that match a filter. */
const matching = ({ filter, limit, order, rowsMax }: FilteredRecords) => ({
  where: [renderPredicate(filter, row)],
  columns: [],
  rowsMax: limit ?? rowsMax + 1,
  order,
  numbered: true,
})

/**
 * Selects the rows with the given keys. `_n` is the position of the key; of a repeated key, the first one.
 */
function amongKeys(table: Table, keys: readonly (readonly string[])[]) {
  const names = table.primaryKey.map((_, position) => identifier(`_w${position}`))
  const lists = table.primaryKey.map(
    (field, position) => sql`${keys.map((key) => key[position] as string)}::${field.type.column}[]`,
  )
  const columns = join(names)
  const all = sql`unnest(${join(lists)}) with ordinality _all (${columns}, _n)`
  return {
    joined: sql`, (select ${columns}, min(_n) as _n from ${all} group by ${columns}) _wanted`,
    where: [allEqual(rowColumns(table.primaryKey), names)],
    columns: [sql`_wanted._n`],
  }
}
