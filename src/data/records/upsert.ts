/** Creates records, or changes those that exist. Spec: Records, POST upsert; R8, R13. */

import type { RequestContext } from '../../context.ts'
import type { SentBody } from '../../http/body-formats.ts'
import type { RecordsPath } from '../catalog/find-table.ts'
import { readFlags, readUniqueFields } from './parameters.ts'
import { fillsItself, neededFields } from './validate.ts'
import { asUpserted, type CreatedBody } from './views.ts'
import { writeRecords } from './write-records.ts'

/**
 * Upserts all records of a body, or none. `created` is true if a record was created. Throws 400, 409 or 422.
 */
export const upsertRecords = (
  ctx: RequestContext,
  path: RecordsPath,
  sent: SentBody,
  parameters: URLSearchParams,
): Promise<CreatedBody> =>
  writeRecords(ctx, path, {
    sent,
    form: 'one or many',
    parameters,
    describe({ table, provider, references }) {
      const { includeDeleted, returnsRecords = true } = readFlags(parameters)
      const unique = readUniqueFields(parameters, table)
      const needed = neededFields(table)
      return {
        // A record with a null there could never be found, because null equals nothing.
        demands: { required: unique.filter((field) => !fillsItself(table, field)), notNull: unique },
        key: unique,
        statements: (input) =>
          provider.upsertRecords(table, {
            input,
            references,
            unique,
            needed,
            includeDeleted,
            returnsRecords,
          }),
      }
    },
    answer: asUpserted,
  })
