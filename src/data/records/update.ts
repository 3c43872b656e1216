/** Changes one record, in part or as a whole, or all of an array: every one, or none. Spec: Records, PATCH; R9, R12, R13. */
import type { RequestContext } from '../../context.ts'
import type { Catalog } from '../catalog.ts'
import type { Table } from '../datatables/table.ts'
import type { Written } from '../providers/provider.ts'
import { keyValues } from '../query/keys.ts'
import { relationshipsOf } from '../query/relationships.ts'
import { withKeyOfId } from './body.ts'
import { recordNotFound } from './errors.ts'
import type { RecordPath, RecordsPath } from './find-table.ts'
import { readFlags } from './parameters.ts'
import { throwIfRefused } from './refused.ts'
import { checkRecords, neededFields } from './validate.ts'
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

/** Changes all of a record but its key: fields that are left out get their defaults. */
export const replaceRecord = (
  ctx: RequestContext,
  path: RecordPath,
  text: string,
  parameters: URLSearchParams,
  ifMatch: readonly string[] | null,
): Promise<RecordBody> =>
  writeBody(ctx, path, text, 'one', ({ catalog, table, provider, references }, body) => {
    const { includeDeleted } = readFlags(parameters)
    const key = keyValues(table, path.record)
    if (!key) throw recordNotFound(table.name, path.record)
    const required = neededFields(table).filter((field) => !table.primaryKey.includes(field))
    const given = checkRecords(table, body, { required, isIgnored: isShown(catalog, table) })
    return {
      statements: provider.updateRecords(table, { given, references, key, includeDeleted, ifMatch, whole: true }),
      finish(results) {
        const written = results.one<Written>(-1)
        throwIfRefused(written.refused, { table, body, references, key: table.primaryKey, id: path.record })
        return asWritten(written, body.bulk)
      },
    }
  })

/** Members that a record has where it is read and that cannot be written: it can be sent back. What is populated is an object, an array or null. */
function isShown({ relationships }: Catalog, table: Table): (name: string, value: unknown) => boolean {
  const { byName } = relationshipsOf(relationships, table)
  return (name, value) => (byName.has(name) && typeof value === 'object') || ofAnswers.has(name)
}

const ofAnswers: ReadonlySet<string> = new Set(['_depth', '_more', '_relationship_type'])

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
