/** Changes one record, or all of an array: every one, or none. Spec: Records, PATCH; R9, R12, R13. */
import type { RequestContext } from '../../context.ts'
import type { Written } from '../providers/provider.ts'
import { keyValues } from '../query/keys.ts'
import { withKeyOfId } from './body.ts'
import { recordNotFound } from './errors.ts'
import type { RecordPath, RecordsPath } from './find-table.ts'
import { readFlags } from './parameters.ts'
import { throwIfRefused } from './refused.ts'
import { checkRecords } from './validate.ts'
import { asWritten, type RecordBody } from './views.ts'
import { writeBody } from './write.ts'

/** `ifMatch`: the states in which the record may be changed, by their etags; null: in any. */
export const updateRecord = (
  ctx: RequestContext,
  path: RecordPath,
  text: string,
  parameters: URLSearchParams,
  ifMatch: readonly string[] | null,
): Promise<RecordBody> =>
  writeBody(ctx, path, text, 'one', ({ table, provider, references }, body) => {
    const { includeDeleted } = readFlags(parameters)
    const key = keyValues(table, path.record)
    if (!key) throw recordNotFound(table.name, path.record)
    const given = checkRecords(table, body, { required: [] })
    return {
      statements: provider.updateRecords(table, { given, references, key, includeDeleted, ifMatch }),
      finish(results) {
        const written = results.one<Written>(-1)
        throwIfRefused(written.refused, { table, body, references, key: table.primaryKey, id: path.record })
        return asWritten(written, body.bulk)
      },
    }
  })

/** Each record of the array names itself by its primary key, or by `id` in the place of that. */
export const updateRecords = (ctx: RequestContext, path: RecordsPath, text: string, parameters: URLSearchParams): Promise<RecordBody> =>
  writeBody(ctx, path, text, 'many', ({ table, provider, references }, said) => {
    const { includeDeleted } = readFlags(parameters)
    const body = withKeyOfId(said, table)
    const given = checkRecords(table, body, { required: table.primaryKey })
    return {
      statements: provider.updateRecords(table, { given, references, key: null, includeDeleted, ifMatch: null }),
      finish(results) {
        const written = results.one<Written>(-1)
        throwIfRefused(written.refused, { table, body, references, key: table.primaryKey })
        return asWritten(written, body.bulk)
      },
    }
  })
