/** Deletes and restores records. */

import { clientOf, queryClient } from '../../session/client.ts'
import type { Table } from '../../session/queries.ts'
import { type DataRecord, keyOf, recordsPath, refreshRecords, type Source, tableOf } from './records.ts'

/** Returns whether deletions in the table only mark records. */
export const keepsDeleted = ({ json_schema: { fields } }: Table): boolean =>
  fields.some(({ name, type }) => name === 'is_deleted' && type === 'boolean')

/** Loads a table's data again, including single records. */
export async function refreshAll(source: Source): Promise<void> {
  await Promise.all([
    refreshRecords(source),
    queryClient.invalidateQueries({ queryKey: [source.site, 'record', source.app, source.table] }),
  ])
}

/** Deletes all records or none. `isDry`: deletes nothing, and only counts. Returns their number. */
export const deleteRecords = (
  source: Source,
  table: Table,
  records: readonly DataRecord[],
  { isHard, isDry = false }: { isHard: boolean; isDry?: boolean },
): Promise<number> =>
  tableOf(source).deleteMany(records.map((record) => keyOf(table.primary_key, record)) as never, {
    ...(isHard ? { hard: true } : {}),
    ...(isDry ? { dryRun: true } : {}),
  })

/** Removes the deletion mark from records. */
export async function unmark(source: Source, table: Table, records: readonly DataRecord[]): Promise<void> {
  await clientOf(source.site).request({
    method: 'PATCH',
    path: recordsPath(source),
    query: { include_deleted: true, return: 'minimal' },
    body: records.map((record) => ({
      ...Object.fromEntries(table.primary_key.map((name) => [name, record[name]])),
      is_deleted: false,
    })),
    key: true,
  })
  await refreshAll(source)
}

/** Creates deleted records again, each from its last version. The table must keep versions. */
export async function recreate(source: Source, table: Table, records: readonly DataRecord[]): Promise<void> {
  for (const record of records) {
    const key = keyOf(table.primary_key, record) as never
    const { data } = await tableOf(source).history(key, { pageSize: versionsRead })
    const last = data.find((version) => version.record !== null)
    if (last) await tableOf(source).restore(key, last.number)
  }
  await refreshAll(source)
}

/** The newest version is the deletion; the previous one has the record. */
const versionsRead = 2
