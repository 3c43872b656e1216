/** Creates records, or changes those that exist. Spec: Records, POST upsert; R8, R13. */

import type { RequestContext } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { SentBody } from '../../http/body-formats.ts'
import type { RecordsPath } from '../catalog/find-table.ts'
import { isDuplicate } from '../failures/errors.ts'
import type { Field } from '../model/table.ts'
import { readFlags, readUniqueFields } from './parameters.ts'
import { isRead } from './read-members.ts'
import { type Demands, fillsItself, neededFields } from './validate.ts'
import { asUpserted, type CreatedBody } from './views.ts'
import type { Target } from './write.ts'
import { writeRecords } from './write-records.ts'

/**
 * Upserts all records of a body, or none. `created` is true if a record was created. Throws 400, 409 or 422,
 * and 403 if no access rule allows a guest to write a record.
 */
export async function upsertRecords(
  ctx: RequestContext,
  path: RecordsPath,
  sent: SentBody,
  parameters: URLSearchParams,
): Promise<CreatedBody> {
  let isGuest = false
  const upsert = (): Promise<CreatedBody> =>
    writeRecords(ctx, path, {
      action: 'upsert',
      sent,
      form: 'one or many',
      parameters,
      describe(target) {
        const { catalog, table, writer, references } = target
        isGuest = catalog.standing !== undefined
        const { includeDeleted, returnsRecords = true } = readFlags(parameters)
        const { unique, demands } = identifiedBy(target, parameters)
        const needed = neededFields(table)
        const write = {
          references,
          inbound: target.inbound(),
          unique,
          needed,
          includeDeleted,
          returnsRecords,
        }
        return {
          demands,
          key: unique,
          statements: (input) => writer.upsertRecords(table, { input, ...write }),
        }
      },
      answer: asUpserted,
    })
  try {
    return await upsert()
  } catch (error) {
    // If another request has just created the record, the first try of a guest conflicts with it. A second
    // try finds the record.
    if (isGuest && error instanceof AppError && isDuplicate(error)) return upsert()
    throw error
  }
}

/** Returns the fields by which an upsert finds records, and their requirements. Throws 400. */
export function identifiedBy(
  target: Target,
  parameters: URLSearchParams,
): { unique: Field[]; demands: Demands } {
  const { catalog, table, shown } = target
  // A guest can find records only by fields that it may read and write.
  const read = new Map([...table.fields].filter(([name]) => shown.fields.has(name)))
  const unique = readUniqueFields(parameters, { ...table, fields: read })
  const fillsIn = (field: Field) => catalog.standing === undefined && fillsItself(table, field)
  // A null in these fields would never find a record, because null equals nothing.
  const required = unique.filter((field) => !fillsIn(field))
  return { unique, demands: { required, notNull: unique, isIgnored: isRead(target) } }
}
