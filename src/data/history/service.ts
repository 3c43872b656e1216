/** Shows the versions of a record, and restores one. */
import type { RequestContext } from '../../kernel/context.ts'
import type { BatchRows } from '../../kernel/db/batch.ts'
import { withData } from '../../kernel/db/data-sql.ts'

import type { SentBody } from '../../kernel/http/body-formats.ts'
import { boundedRangeOf, pageNumber } from '../../kernel/http/lists/range.ts'
import { readQuery } from '../../kernel/http/strict.ts'
import { planOf, unlessKept, withCatalog } from '../catalog/catalog.ts'
import { materializedTable, type RecordPath, writableTable } from '../catalog/find-table.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { changedMeanwhile, recordNotFound } from '../failures/errors.ts'
import type { Table } from '../model/table.ts'
import type { WriteBatch, WrittenRecords } from '../providers/provider.ts'
import { asUpdated, type WrittenBody } from '../write/answer/bodies.ts'
import { hasConflicts } from '../write/plan/steps.ts'
import { requests } from '../write/requests.ts'
import { runWrite } from '../write/run.ts'
import { versionIsDeletion, versionNotFound } from './errors.ts'
import { versionsQuery } from './schema.ts'
import { list, selectVersion, selectVersions, type VersionRow } from './store.ts'
import { versionedRecord } from './versioned-record.ts'

/**
 * Lists the versions of a record, even of a deleted one. Returns the text of the body. Throws 404 for a
 * record that never had a version.
 */
export const listVersions = (
  ctx: RequestContext,
  path: RecordPath,
  parameters: URLSearchParams,
): Promise<string> =>
  withCatalog(ctx, path.app, 'read', (catalog: Catalog) => {
    const readable = readableVersions(catalog, path)
    const query = readQuery(versionsQuery, parameters)
    const { table, key } = versionedRecord(readable, path)
    const part = boundedRangeOf(query, list)
    return planOf({
      statements: { versions: withData(selectVersions(table, key, query), ['total', 'is_known']) },
      finish({ versions: { one: row } }) {
        if (!row.is_known) throw recordNotFound(table.name, path.record)
        const page = `"page":${pageNumber(part)},"page_size":${part.limit}`
        return `{"data":${row.data},"total":${row.total},${page}}`
      },
    })
  })

/** Returns the table of the path. Throws the guest's error if no rule allows a guest to read versions. */
function readableVersions(catalog: Catalog, path: RecordPath): Table {
  const table = materializedTable(catalog, path)
  if (!catalog.refusal) return table
  if (!table.guestVersions) throw catalog.refusal()
  return table.guestVersions
}

export interface VersionPath extends RecordPath {
  version: string
}

/** The parameters and the precondition of a restoration. */
interface Restoration {
  isDry: boolean
  ifMatch: readonly string[] | null
}

/**
 * Writes the fields of a version to the record by an ordinary change, or creates a deleted record again with
 * its key. Fields that the version does not have keep their values. Throws 404 for an unknown version, 422
 * for a deletion, and the errors of a change or a creation.
 */
export const restoreVersion = (
  ctx: RequestContext,
  path: VersionPath,
  restoration: Restoration,
): Promise<WrittenBody> =>
  unlessKept(ctx, path.app, restoredAgain, () => readAndRestore(ctx, path, restoration))

/** The rows of a change or a creation of one record. */
type Restored = BatchRows<WriteBatch<WrittenRecords>>

const restoredAgain = ({ written: { one: row } }: Restored) =>
  hasConflicts(row) ? undefined : { result: asUpdated(row, false) }

async function readAndRestore(
  ctx: RequestContext,
  path: VersionPath,
  { isDry, ifMatch }: Restoration,
): Promise<WrittenBody> {
  const { row, table } = await readVersion(ctx, path)
  const body: SentBody = { text: row.data ?? '{}', format: 'json' }
  const parameters = new URLSearchParams({ dry_run: String(isDry) })
  if (row.is_present) {
    parameters.set('include_deleted', 'true')
    return runWrite(ctx, path, requests.update, { body, parameters, ifMatch })
  }
  if (ifMatch) throw changedMeanwhile(table, path.record)
  return runWrite(ctx, path, requests.create, { body, parameters })
}

/** Reads the version of a path. */
const readVersion = (ctx: RequestContext, path: VersionPath): Promise<{ row: VersionRow; table: string }> =>
  withCatalog(ctx, path.app, 'read', (catalog: Catalog) => {
    const { table, key } = versionedRecord(writableTable(catalog, path), path)
    const missing = () => versionNotFound(table.name, path.record, path.version)
    const number = numberOf(path.version)
    if (number === undefined) throw missing()
    return planOf({
      statements: { version: withData(selectVersion(table, key, number), ['operation', 'is_present']) },
      finish({ version: { first: row } }) {
        if (!row) throw missing()
        if (row.operation === 'delete') throw versionIsDeletion(number)
        return { row, table: table.name }
      },
    })
  })

/** Converts the text of a version number to a number. Returns undefined if no version can have it. */
const numberOf = (text: string): number | undefined =>
  /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
