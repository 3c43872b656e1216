/** Creates records, or changes those that are there already: every one, or none. Spec: Records, POST upsert; R8, R13. */
import type { RequestContext } from '../../context.ts'
import type { Upserted } from '../providers/provider.ts'
import type { RecordsPath } from './find-table.ts'
import { readFlags, readUniqueFields } from './parameters.ts'
import { throwIfRefused } from './refused.ts'
import { checkRecords, fillsItself, neededFields } from './validate.ts'
import { asUpserted, type RecordBody } from './views.ts'
import { writeBody } from './write.ts'

/** `created`: whether any record was. */
export const upsertRecords = (
  ctx: RequestContext,
  path: RecordsPath,
  text: string,
  parameters: URLSearchParams,
): Promise<RecordBody & { created: boolean }> =>
  writeBody(ctx, path, text, 'one or many', ({ table, provider, references }, body) => {
    const { includeDeleted } = readFlags(parameters)
    const unique = readUniqueFields(parameters, table)
    // A record without a value there could never be found: a null equals nothing.
    const required = unique.filter((field) => !fillsItself(table, field))
    const given = checkRecords(table, body, { required, notNull: unique })
    return {
      statements: provider.upsertRecords(table, { given, references, unique, needed: neededFields(table), includeDeleted }),
      finish(results) {
        const upserted = results.one<Upserted>(-1)
        throwIfRefused(upserted.refused, { table, body, references, key: unique })
        return asUpserted(upserted, body.bulk)
      },
    }
  })
