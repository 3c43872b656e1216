import { AppError, type Json } from '../../errors.ts'
import type { Details } from './messages.ts'

/** Spec: Errors, data service writes. */
export const invalidRecords = (details: Details) => new AppError(400, { error: 'Validation failed', details } as Json)

/** `where` says which record of a bulk write it is about, as `rows[3]: `. */
export const recordNotFound = (table: string, id: string, where = '') =>
  new AppError(404, { error: 'Record not found', detail: `${where}"${table}" has no record with the id ${JSON.stringify(id)}.` })

const duplicate = (fields: readonly string[], detail: string) => new AppError(409, { error: 'Duplicate value', detail, field: fields.join(',') })

export const duplicateValue = (fields: readonly string[], where: string) => duplicate(fields, where + duplicateMessage(fields))

export const duplicateMessage = (fields: readonly string[]): string => `A record with this ${fields.join(', ')} exists already.`

/** Of two records of one body. */
export const repeatedMessage = (fields: readonly string[], first: number): string => `The same ${fields.join(', ')} as rows[${first}].`

/** An upsert is no way to bring a record back unawares. */
export const heldBySoftDeleted = (fields: readonly string[], where: string) =>
  duplicate(fields, `${where}A soft-deleted record has this ${fields.join(', ')}: with include_deleted=true it is changed.`)

const foreignKeyViolation = (fields: readonly string[], detail: string) =>
  new AppError(400, { error: 'Foreign key violation', detail, field: fields.join(',') })

export const referenceMissing = (fields: readonly string[], resource: string, where: string) =>
  foreignKeyViolation(fields, where + missingMessage(fields, resource))

export const missingMessage = (fields: readonly string[], resource: string): string =>
  `"${resource}" has no record that this ${fields.join(', ')} could reference.`

/** Another value for what other records reference. */
export const stillReferenced = (fields: readonly string[], resource: string, where: string) =>
  foreignKeyViolation(fields, `${where}Records of "${resource}" reference the ${fields.join(', ')} that it has.`)

/** Spec: Errors, a delete blocked by related rows. */
export const deleteBlocked = (detail: string) => new AppError(403, { error: 'Cannot delete record', detail })

/** R12: what no single state is of, is in none of those that If-Match names. */
export const manyStates = () =>
  new AppError(412, { error: 'Precondition failed', detail: 'If-Match is for one record, by its address: many have no ETag together.' })

/** R12 */
export const changedMeanwhile = (table: string, id: string) =>
  new AppError(412, {
    error: 'Precondition failed',
    detail: `The record ${JSON.stringify(id)} of "${table}" is not in the state that If-Match names.`,
  })

/** R9 */
export const tooManyRows = (rowsMax: number) => new AppError(413, { detail: `A request may carry ${rowsMax} records at most.` })

/** R6 */
export const tooManyDigits = (digitsMax: number) =>
  new AppError(413, { detail: `The numbers of a request may have ${digitsMax} digits at most, written out without exponents.` })

export const tooManyMatches = (rowsMax: number) =>
  new AppError(413, { detail: `A request may delete ${rowsMax} records at most; the filter matches more.` })

/** Of what only Postgres has seen. */
export const valueOutOfRange = 'A value is none of its field’s type, or beyond its range.'

/** What is written has to hold in the schema of now and in the one that comes. */
export const schemaIsChanging = (table: string) =>
  new AppError(
    409,
    {
      error: 'Schema change under way',
      detail: `This breaks a rule that is being added to "${table}". Try again when it is there or given up.`,
      field: '',
    },
    { headers: { 'Retry-After': '5' } },
  )

export const answerTooLarge = (bytesMax: number) =>
  new AppError(422, {
    error: 'Answer too large',
    detail: `The answer is more than ${bytesMax} bytes of JSON: ask for fewer records, or for less of each.`,
  })

/** Of one record. What waits for a lock is the 503 of failures.ts. */
export const writeTooLong = (cause: unknown) =>
  new AppError(
    422,
    {
      error: 'Write too complex',
      detail:
        'It took longer than a write of one record may take: a pattern of its table, the size of its values, or the records that go with it make it long. ' +
        'A write of many, by an array or ?ids=, has more time.',
    },
    { cause },
  )

/** Spec: Limits, aggregations. */
export const queryTooComplex = (cause: unknown) =>
  new AppError(
    422,
    {
      error: 'Query too complex',
      detail: 'It took longer than a query may take: filters that leave fewer records, or fewer results, make it shorter.',
    },
    { cause },
  )
