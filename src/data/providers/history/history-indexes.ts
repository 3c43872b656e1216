/**
 * The indexes of the versions of records: by key and number, by the time at which versions are valid, and by
 * foreign keys, to find related records.
 */
import { identifier, join, renderText, type Sql, sql } from '../../../kernel/db/sql.ts'
import { type VersionedTable, versionsOf } from '../../model/history.ts'
import { historyNames } from '../../model/names.ts'

/** An index: its name, and the part of its definition after the name. */
interface HistoryIndex {
  name: string
  isUnique: boolean
  columns: Sql
}

/** Returns the indexes of a history. The first index is on fields that no schema change can change. */
function indexesOf(table: VersionedTable): HistoryIndex[] {
  const names = historyNames(table.physicalName)
  const { storage, primaryKey, fields } = versionsOf(table)
  const columnsOf = (keys: readonly string[]) =>
    join(
      keys.flatMap((name) => {
        const field = fields.get(name)
        return field ? storage.field(field) : []
      }),
    )
  const keyNames = primaryKey.map(({ name }) => name)
  const isFound = (keys: readonly string[]) => keys.every((name, position) => name === keyNames[position])
  const references = (table.schema.foreignKeys ?? []).filter((key) => !isFound(key.fields))
  return [
    { name: names.key, isUnique: true, columns: sql`${columnsOf(keyNames)}, number` },
    // Serves to count the records of a time without reading them, and to find versions that are older than
    // the table keeps them.
    { name: names.times, isUnique: false, columns: sql`valid_to, valid_from, operation` },
    ...references.map((key) => ({
      name: names.reference(key.fields),
      isUnique: false,
      columns: columnsOf(key.fields),
    })),
  ]
}

const create = ({ history }: VersionedTable, { name, isUnique, columns }: HistoryIndex): Sql =>
  sql`create ${isUnique ? sql`unique index` : sql`index`} if not exists ${identifier(name)}
    on ${history} (${columns})`

const drop = ({ namespace }: VersionedTable, { name }: HistoryIndex): Sql =>
  sql`drop index if exists ${namespace}.${identifier(name)}`

/** Returns the statements that create the indexes of a new history. */
export const createIndexes = (table: VersionedTable): Sql[] =>
  indexesOf(table).map((index) => create(table, index))

/** Returns the statements that drop the indexes that do not exist, or differ, after a change. */
export const dropChanged = (before: VersionedTable, after: VersionedTable): Sql[] =>
  indexesBeside(before, after).map((index) => drop(before, index))

/** Returns the statements that create the indexes that did not exist, or differed, before a change. */
export const createChanged = (before: VersionedTable, after: VersionedTable): Sql[] =>
  indexesBeside(after, before).map((index) => create(after, index))

/** Returns the indexes of one table that another one does not have. */
function indexesBeside(one: VersionedTable, other: VersionedTable): HistoryIndex[] {
  const textOf = (index: HistoryIndex) => renderText(create(one, index))
  const others = new Set(indexesOf(other).map(textOf))
  return indexesOf(one).filter((index) => !others.has(textOf(index)))
}

/** Returns the statements that rename the indexes with their table. */
export function renameIndexes(before: VersionedTable, after: VersionedTable): Sql[] {
  const renamed = indexesOf({ ...before, physicalName: after.physicalName })
  return indexesOf(before).map(
    ({ name }, position) =>
      sql`alter index if exists ${before.namespace}.${identifier(name)}
        rename to ${identifier((renamed[position] as HistoryIndex).name)}`,
  )
}
