/**
 * Begins the history of a large table beside the work of others: its triggers come first, then the versions
 * of the records that were there, in batches. The transaction only gives the history its name.
 */
import { identifier, join, type Sql, sql } from '../../../kernel/db/sql.ts'
import { isSameRecord, isVersioned, type VersionedTable, versionDocument } from '../../model/history.ts'
import { historyNames, pendingName, pendingPrefix } from '../../model/names.ts'
import { compare } from '../ddl/compare.ts'
import { keyedPage } from '../ddl/keyed-page.ts'
import { shape } from '../jsonb/shape.ts'
import { type Batches, onlineStatement } from '../online-statement.ts'
import type { DdlStep, TableChange } from '../provider.ts'
import { createIndexes, renameIndexes } from './history-indexes.ts'
import { author, createVersions, dropTriggers, triggersOf } from './history-objects.ts'

/**
 * Tells whether a change begins the history and leaves the fields, so that versions need not be converted.
 */
export function onlyBegins(change: TableChange): boolean {
  const { kept, added, dropped } = compare(change, shape)
  return (
    !isVersioned(change.before) &&
    isVersioned(change.after) &&
    added.length + dropped.length === 0 &&
    kept.every(({ before, after, conversion }) => !conversion && before.name === after.name)
  )
}

/** Returns the work of the step that begins the history of a large table. */
export function beginOnline(table: VersionedTable): Pick<DdlStep, 'onlinePhase' | 'statements'> {
  const pending = pendingOf(table)
  const made = [createVersions(pending), ...createIndexes(pending), ...triggersOf(pending, pendingPrefix)]
  const present = sql`(select ${versionDocument(table, sql`r`)} as _data from ${table.relation} r)`
  return {
    onlinePhase: [
      onlineStatement('column', join(made, sql`; `)),
      onlineStatement('rows', addFirst(pending, present), batchesOf(table, pending)),
    ],
    statements: [
      ...dropTriggers(pending, pendingPrefix),
      ...renameIndexes(pending, table),
      sql`alter table ${pending.history} rename to ${identifier(historyNames(table.physicalName).table)}`,
      ...triggersOf(table),
    ],
  }
}

/** Returns the table with the history that has a pending name. */
function pendingOf(table: VersionedTable): VersionedTable {
  const physicalName = pendingName(table.id, 0)
  const history = sql`${table.namespace}.${identifier(historyNames(physicalName).table)}`
  return { ...table, physicalName, history }
}

/**
 * Adds the first version of each record of `documents` that has none. A trigger may have written it
 * meanwhile: then the statement waited for the lock of the record, and does not see the version.
 */
const addFirst = (table: VersionedTable, documents: Sql): Sql => sql`
  insert into ${table.history} (number, valid_from, operation, changed_by, changed_by_name, _data)
  select 1, clock_timestamp(), 'schema', ${author}, d._data from ${documents} d
   where not exists (select from ${table.history} h where ${isSameRecord(table, sql`h`, sql`d`)})
      on conflict do nothing`

const batchesOf = (table: VersionedTable, pending: VersionedTable): Batches => ({
  next(after, limit) {
    const page = keyedPage(table, sql`${versionDocument(table, sql`_row`)} as _data`, after, limit)
    return sql`
      with ${page.cte}, _added as (${addFirst(pending, sql`_page`)})
      select ${page.result}, 0 as unfit, 0 as lost`
  },
})
