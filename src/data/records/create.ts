/** Creates one record, or all records of an array. Spec: Records, POST; D5. */

import type { RequestContext } from '../../context.ts'
import type { SentBody } from '../../http/body-formats.ts'
import type { RecordsPath } from '../catalog/find-table.ts'
import type { CreatedRecords } from '../providers/provider.ts'
import { readFlags, readOnConflict } from './parameters.ts'
import type { NestedCreation } from './records-write.ts'
import { neededFields } from './validate.ts'
import { asCreated, type CreatedBody } from './views.ts'
import { writeRecords } from './write-records.ts'

/**
 * Creates the records of a body: all of them or none, or those whose unique values are free if
 * the parameters say so. Throws 400, 409 or 422.
 */
export const createRecords = (
  ctx: RequestContext,
  path: RecordsPath,
  sent: SentBody,
  parameters: URLSearchParams,
  nested?: NestedCreation<CreatedRecords>,
): Promise<CreatedBody> =>
  writeRecords(ctx, path, {
    action: 'create',
    sent,
    form: 'one or many',
    parameters,
    describe({ catalog, table, writer, references }) {
      const { returnsRecords = true } = readFlags(parameters)
      const ignoresTaken = readOnConflict(parameters, table, catalog.standing !== undefined)
      return {
        demands: { required: neededFields(table) },
        key: table.primaryKey,
        statements: (input, isAlone) =>
          writer.insertRecords(table, { input, references, returnsRecords, ignoresTaken, isAlone }),
      }
    },
    nested,
    answer: asCreated,
  })
