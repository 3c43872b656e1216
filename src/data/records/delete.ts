/** Deletes records, or marks them as deleted where their table keeps them. Spec: Records, DELETE; D5, R9, R10, R12. */
import type { RequestContext } from '../../context.ts'
import type { Deleted } from '../providers/provider.ts'
import { keyValues } from '../query/keys.ts'
import { rowsMax } from './body.ts'
import { changedMeanwhile, recordNotFound, tooManyMatches } from './errors.ts'
import { deleteRefusal } from './failures.ts'
import type { RecordPath, RecordsPath } from './find-table.ts'
import { readFlags, readWhich } from './parameters.ts'
import { asDeleted, asWritten, type RecordBody } from './views.ts'
import { write } from './write.ts'

/**
 * `ifMatch`: the states in which the record may be deleted, by their etags; null: in any. Returns the record as it was last,
 * where it is to be shown.
 */
export const deleteRecord = (
  ctx: RequestContext,
  path: RecordPath,
  parameters: URLSearchParams,
  ifMatch: readonly string[] | null,
  shown: boolean,
): Promise<RecordBody | undefined> =>
  write(
    ctx,
    path,
    ({ table, provider }) => {
      const { hardDelete } = readFlags(parameters)
      const key = keyValues(table, path.record)
      if (!key) throw recordNotFound(table.name, path.record)
      return {
        mode: 'single',
        statements: provider.deleteRecords(table, { which: { keys: [key] }, hard: hardDelete, ifMatch, rowsMax, shown }),
        finish(results) {
          const { deleted, refused, data } = results.one<Deleted>(-1)
          if (refused.stale) throw changedMeanwhile(table.name, path.record)
          if (deleted === 0) throw recordNotFound(table.name, path.record)
          return data === undefined ? undefined : asWritten({ data, etag: null }, false)
        },
      }
    },
    deleteRefusal,
  )

/** Those of the ids that there are, or those that the filter matches. The text is the body. */
export const deleteRecords = (ctx: RequestContext, path: RecordsPath, parameters: URLSearchParams): Promise<string> =>
  write(
    ctx,
    path,
    ({ catalog, table, provider }) => {
      const { hardDelete } = readFlags(parameters)
      const which = readWhich(parameters, table, catalog.relationships)
      return {
        statements: provider.deleteRecords(table, { which, hard: hardDelete, ifMatch: null, rowsMax }),
        finish(results) {
          const answer = results.one<Deleted>(-1)
          if (answer.refused.many) throw tooManyMatches(rowsMax)
          return asDeleted(answer, 'keys' in which)
        },
      }
    },
    deleteRefusal,
  )
