/** Creates one record, or all of an array: every one, or none. Spec: Records, POST; D5. */
import type { RequestContext } from '../../context.ts'
import type { Written } from '../providers/provider.ts'
import type { RecordsPath } from './find-table.ts'
import { throwIfRefused } from './refused.ts'
import { checkRecords, neededFields } from './validate.ts'
import { asWritten, type RecordBody } from './views.ts'
import { writeBody } from './write.ts'

/** `text` is the request's body. */
export const createRecords = (ctx: RequestContext, path: RecordsPath, text: string): Promise<RecordBody> =>
  writeBody(ctx, path, text, 'one or many', ({ table, provider, references }, body) => {
    const given = checkRecords(table, body, { required: neededFields(table) })
    return {
      statements: provider.insertRecords(table, { given, references }),
      finish(results) {
        const written = results.one<Written>(-1)
        throwIfRefused(written.refused, { table, body, key: table.primaryKey, references })
        return asWritten(written, body.bulk)
      },
    }
  })
