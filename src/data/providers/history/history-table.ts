/**
 * The physical table that keeps the versions of records: how it is created, changed and dropped, and the
 * triggers that write it (tessera.keep_versions). D9.
 */
import { identifier, renderText, type Sql, sql } from '../../../kernel/db/sql.ts'
import {
  isSameRecord,
  isVersioned,
  type VersionedTable,
  versionDocument,
  whole,
} from '../../model/history.ts'
import { historyNames } from '../../model/names.ts'
import type { Table } from '../../model/table.ts'
import { alteration } from '../ddl/alteration.ts'
import type { DdlStep, TableChange } from '../provider.ts'
import { beginOnline, onlyBegins } from './begin-online.ts'
import { historyFieldSteps } from './history-fields.ts'
import { createChanged, createIndexes, dropChanged, renameIndexes } from './history-indexes.ts'
import { author, createVersions, dropTriggers, triggersOf } from './history-objects.ts'
import { keepShorter } from './retention.ts'

/** Returns the step that creates the history, if the table has one. It comes after the table. */
export const createHistory = (table: Table): DdlStep[] =>
  isVersioned(table)
    ? [
        {
          table: table.name,
          operation: 'create_table',
          description: `Create the history of ${table.name}`,
          statements: creation(table),
          rollback: removal(table),
        },
      ]
    : []

/** Returns the step that drops the history, if there is one. It comes before the table. */
export const dropHistory = (table: Table): DdlStep[] =>
  isVersioned(table)
    ? [
        {
          table: table.name,
          operation: 'drop_table',
          description: `Drop the history of ${table.name} with all versions`,
          statements: removal(table),
          rollback: beginning(table),
          destructive: true,
        },
      ]
    : []

/**
 * Returns the steps of a schema change that come before and after those of the table. No trigger fires while
 * the fields change, because separate steps change the versions. The key of a table with a history cannot
 * change (schema-changes/plan-steps.ts). The history of a large table begins beside the work of others.
 */
export function alterHistory(change: TableChange, isLarge: boolean): { first: DdlStep[]; last: DdlStep[] } {
  const { before, after } = change
  if (!isVersioned(before) || !isVersioned(after))
    return {
      first: isVersioned(after) ? [] : dropHistory(before),
      last:
        isVersioned(before) || !isVersioned(after) ? [] : [beginStep(after, isLarge && onlyBegins(change))],
    }
  const isSame = textOf(triggersOf(before)) === textOf(triggersOf(after))
  const steps = historyFieldSteps(change)
  const shorter = keepShorter(before, after)
  const gone = dropChanged(before, after)
  const made = createChanged(before, after)
  const first = indexStep('Drop', before, gone, createChanged(after, before))
  const last = indexStep('Create', after, made, dropChanged(after, before))
  if (isSame && steps.length === 0) return { first, last: [...last, ...shorter] }
  const pause = alteration(
    before,
    `Pause the history of ${before.name}`,
    dropTriggers(before),
    resumption(before),
  )
  const resume = alteration(
    after,
    `Resume the history of ${after.name}`,
    resumption(after),
    dropTriggers(after),
  )
  return { first: [pause, ...first], last: [...steps, ...last, resume, ...shorter] }
}

const indexStep = (
  verb: 'Create' | 'Drop',
  table: VersionedTable,
  statements: readonly Sql[],
  rollback: readonly Sql[],
): DdlStep[] =>
  statements.length === 0
    ? []
    : [alteration(table, `${verb} indexes of the history of ${table.name}`, statements, rollback)]

/**
 * Returns the statements before and after those that rename a table (Provider.renameTable): the name of its
 * history depends on it, and the triggers refer to it by name.
 */
export function renameHistory(before: Table, after: Table): { first: Sql[]; last: Sql[] } {
  if (!isVersioned(before) || !isVersioned(after)) return { first: [], last: [] }
  return {
    first: [
      ...dropTriggers(before),
      ...renameIndexes(before, after),
      sql`alter table ${before.history} rename to ${identifier(historyNames(after.physicalName).table)}`,
    ],
    last: triggersOf(after),
  }
}

const textOf = (statements: readonly Sql[]): string => statements.map(renderText).join()

const beginStep = (table: VersionedTable, isOnline: boolean): DdlStep => ({
  table: table.name,
  operation: 'create_table',
  description: `Begin the history of ${table.name}`,
  statements: beginning(table),
  rollback: removal(table),
  ...(isOnline ? beginOnline(table) : {}),
})

/** Creates the history of a table with records. It begins with a version of each record. */
const beginning = (table: VersionedTable): Sql[] => [...creation(table), missingVersions(table)]

const creation = (table: VersionedTable): Sql[] => [
  createVersions(table),
  ...createIndexes(table),
  ...triggersOf(table),
]

const removal = (table: VersionedTable): Sql[] => [...dropTriggers(table), sql`drop table ${table.history}`]

/** Adds the versions that the change of the fields has made, and the triggers. */
const resumption = (table: VersionedTable): Sql[] => [missingVersions(table), ...triggersOf(table)]

/** Returns the statements that create the triggers of a history, or replace them. */
export const historyTriggers = (table: Table): Sql[] => (isVersioned(table) ? triggersOf(table) : [])

/**
 * Returns the statement that adds a version of each record that differs from its last version, or that has no
 * version. The table is locked meanwhile.
 */
function missingVersions(table: VersionedTable): Sql {
  const same = isSameRecord(table, sql`h`, sql`d`)
  return sql`
    with present as materialized (
      select ${versionDocument(table, sql`r`)} as _data, now.since
        from ${table.relation} r, (select clock_timestamp() as since offset 0) now
    ), changed as materialized (
      select d._data, d.since, h.number from present d
        left join ${table.history} h on ${same} and h.valid_to = 'infinity'
       where h.number is null or h.operation = 'delete'
          or ${whole(table, sql`h._data`)} <> d._data
    ), ended as (
      update ${table.history} h set valid_to = d.since from changed d where ${same} and h.number = d.number
    ), added as (
      insert into ${table.history} (number, valid_from, operation, changed_by, changed_by_name, _data)
      select coalesce(d.number, 0) + 1, d.since, 'schema',
             ${author}, d._data
        from changed d
      returning 1
    )
    select count(*) from added`
}
