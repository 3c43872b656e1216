/** Erases the versions of one record, for the right to be forgotten. */
import type { RequestContext } from '../../kernel/context.ts'
import { planOf, withCatalog } from '../catalog/catalog.ts'
import { type RecordPath, writableTable } from '../catalog/find-table.ts'
import { recordNotFound } from '../failures/errors.ts'
import type { Table } from '../model/table.ts'
import type { Erased } from './schema.ts'
import { deleteVersions } from './store.ts'
import { versionedRecord } from './versioned-record.ts'

/**
 * Erases the versions of a record, even of a deleted one. If the record exists, its latest version is kept,
 * because it equals the record and the next version follows it. The audit log records the erasure. Throws 404
 * for a record that has no version.
 */
export const eraseVersions = (
  ctx: RequestContext,
  path: RecordPath,
  { isDry }: { isDry: boolean },
): Promise<Erased> =>
  withCatalog(ctx, path.app, 'write', (catalog) => {
    const { table, key } = versionedRecord(writableTable(catalog, path), path)
    const name = [path.app, table.name, ...namedKey(table, key)].join('/')
    return planOf({
      isDry,
      statements: { erased: deleteVersions(table, key, name) },
      finish({ erased: { one: row } }) {
        if (!row.is_known) throw recordNotFound(table.name, path.record)
        return isDry ? { erased: row.erased, dry_run: true } : { erased: row.erased }
      },
    })
  })

const numbering = new Set(['integer', 'uuid'])

/**
 * Returns the key for the audit log, which is never erased. Returns nothing if a part of the key is a text,
 * because a text can be personal data, for example an e-mail address.
 */
const namedKey = ({ primaryKey }: Table, key: readonly string[]): readonly string[] =>
  primaryKey.every(({ schema }) => numbering.has(schema.type)) ? [key.join(',')] : []
