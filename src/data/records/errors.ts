import { AppError, type Json } from '../../errors.ts'

export type Details = Readonly<Record<string, readonly string[]>>

/** Spec: Errors, data service writes. */
export const invalidRecords = (details: Details) => new AppError(400, { error: 'Validation failed', details } as Json)

export const recordNotFound = (table: string, id: string) =>
  new AppError(404, { error: 'Record not found', detail: `"${table}" has no record with the id ${JSON.stringify(id)}.` })

export const duplicateValue = (fields: readonly string[], where: string) =>
  new AppError(409, { error: 'Duplicate value', detail: `${where}A record with this ${fields.join(', ')} exists already.`, field: fields.join(',') })

export const referenceMissing = (fields: readonly string[], resource: string, where: string) =>
  new AppError(400, {
    error: 'Foreign key violation',
    detail: `${where}"${resource}" has no record that this ${fields.join(', ')} could reference.`,
    field: fields.join(','),
  })

export const tooManyRows = (rowsMax: number) => new AppError(413, { detail: `A request may carry ${rowsMax} records at most.` })
