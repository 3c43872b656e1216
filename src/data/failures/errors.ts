/** The errors of reading and writing records. Spec: Errors, data service. */
import { sqlstates } from '../../kernel/db/failures.ts'
import { AppError, type Json } from '../../kernel/errors.ts'
import type { ProblemDetails } from '../../kernel/lib/problem-list.ts'
import { matchCountMax } from '../providers/provider.ts'
import { recordExcluded } from './exclusion-errors.ts'
import type { Holder } from './holders.ts'

/** The 400 with messages by field. Spec: Errors, data service writes. */
export const invalidRecords = (details: ProblemDetails) =>
  new AppError(400, 'validation_failed', { error: 'Validation failed', details } as Json)

/** The 400 for a record that breaks a check of its table. D19. */
export const brokenCheck = (name: string, message: string) =>
  new AppError(400, 'check_failed', { error: 'Validation failed', details: { [name]: [message] } })

/** The 404 for an unknown record. `where` names a record of a bulk write: `rows[3]: `. */
export const recordNotFound = (table: string, id: string, where = '') =>
  new AppError(404, 'record_not_found', {
    error: 'Record not found',
    detail: `${where}"${table}" has no record with the id ${JSON.stringify(id)}.`,
  })

const duplicate = (fields: readonly string[], detail: string, heldBy?: 'deleted' | 'request') =>
  new AppError(409, 'duplicate_value', {
    error: 'Duplicate value',
    detail,
    field: fields.join(','),
    ...(heldBy === undefined ? {} : { held_by: heldBy }),
  })

/** The 409 for a value of a unique key that another record has. */
export const duplicateValue = (fields: readonly string[], where: string, holder: Holder = 'other') =>
  duplicate(fields, where + duplicateMessage(fields, holder), holder === 'other' ? undefined : holder)

/** The 409 for a value of a unique key that two records of the request are to have. */
export const repeatedValue = (fields: readonly string[], where: string, first: string) =>
  duplicate(fields, where + repeatedMessage(fields, first), 'request')

/** Returns the message for a value of a unique key that another record has. */
export const duplicateMessage = (fields: readonly string[], holder: Holder = 'other'): string =>
  duplicateMessages[holder](fields.join(', '))

const duplicateMessages: Readonly<Record<Holder, (fields: string) => string>> = {
  deleted: (fields) =>
    `A deleted record has this ${fields}. Restore it (include_deleted=true), ` +
    'delete it for good (hard_delete=true), or use another value.',
  request: (fields) =>
    `Another record of the same request still has this ${fields}. In a batch, first change that record to ` +
    'a free value; in a flat table, "unique": "deferred" allows the exchange.',
  other: (fields) => `A record with this ${fields} already exists.`,
}

/** Returns the message for a record that repeats the unique key of another record of the body. */
export const repeatedMessage = (fields: readonly string[], first: string): string =>
  `The same ${fields.join(', ')} as ${first}.`

/**
 * Returns the error for a guest if a constraint concerns hidden data: 409 for a value that another record
 * has, otherwise 400.
 */
export function brokenUnseen(sqlstate: string): AppError {
  if (sqlstate === sqlstates.unique) return duplicate([], 'Another record has one of these values.')
  if (sqlstate === sqlstates.exclusion) return recordExcluded()
  if (sqlstate === sqlstates.foreignKey || sqlstate === sqlstates.restrict)
    return foreignKeyViolation(
      [],
      'The record would reference a missing record, or leave other records with a missing reference.',
    )
  return invalidRecords({ non_field_errors: ['The record would violate a rule of its table.'] })
}

/** The 409 for an upsert of a soft-deleted record, which would otherwise be restored unintentionally. */
export const heldBySoftDeleted = (fields: readonly string[], where: string) =>
  duplicate(
    fields,
    `${where}A soft-deleted record has this ${fields.join(', ')}. To change it, send include_deleted=true.`,
    'deleted',
  )

const foreignKeyViolation = (
  fields: readonly string[],
  detail: string,
  code: 'reference_missing' | 'still_referenced' = 'reference_missing',
) => new AppError(400, code, { error: 'Foreign key violation', detail, field: fields.join(',') })

/** The 400 for a reference to a record that does not exist. */
export const referenceMissing = (fields: readonly string[], resource: string, where: string) =>
  foreignKeyViolation(fields, where + missingMessage(fields, resource))

/** Returns the message for a reference to a record that does not exist. */
export const missingMessage = (fields: readonly string[], resource: string): string =>
  `This ${fields.join(', ')} references no record of "${resource}".`

/**
 * The 400 for a reference to a record that does not exist, or that the caller may not read: a guest, or an
 * API key without the scope. It names no table, because rules and scopes may hide it.
 */
export const referenceUnread = (fields: readonly string[], where: string) =>
  foreignKeyViolation(fields, where + unreadMessage(fields))

/** Returns the message for a reference to a record that the caller may not read. */
export const unreadMessage = (fields: readonly string[]): string =>
  `This ${fields.join(', ')} references no record that you may read.`

/**
 * The 409 for a reference to a record that this request could still read, and that another request has taken
 * before the write. R16
 */
export const referenceTaken = (fields: readonly string[], where: string) =>
  new AppError(409, 'reference_taken', {
    error: 'Record taken',
    detail:
      `${where}Another request has just taken the record that this ${fields.join(', ')} references. ` +
      'Read again, and choose another one.',
    field: fields.join(','),
  })

/** The 400 for changing a value that records reference which the caller may not read. */
export const stillReferencedUnread = (fields: readonly string[]) =>
  foreignKeyViolation(fields, `Other records reference the current ${fields.join(', ')}.`, 'still_referenced')

/** The 400 for changing a value that other records reference. */
export const stillReferenced = (fields: readonly string[], resource: string, where: string) =>
  foreignKeyViolation(
    fields,
    `${where}Records of "${resource}" reference the current ${fields.join(', ')}.`,
    'still_referenced',
  )

/** The 403 for a record that no access rule allows a guest to write. */
export const refusedByRules = (where: string) =>
  new AppError(403, 'no_access_rule', { error: 'Not allowed', detail: `${where}No access rule allows this.` })

/** Returns the message about a record that other records reference. */
export const referencedMessage = (resource: string, fields: readonly string[], values: string): string =>
  `Records of "${resource}" reference the record whose ${fields.join(', ')} is ${values}.`

/** The 403 for a deletion that related records prevent. Spec: Errors, a delete blocked by related rows. */
export const deleteBlocked = (detail: string) =>
  new AppError(403, 'still_referenced', { error: 'Cannot delete record', detail })

/** The 412 for a condition that a write would ignore. R12 */
const ignoredCondition = (detail: string) =>
  new AppError(412, 'if_match_not_supported', { error: 'Precondition failed', detail })

/** The 412 for If-Match on a write of several or new records, which have no ETag together. */
export const manyStates = () =>
  ignoredCondition('If-Match is only supported on a single record (…/data/{id}/).')

/** The 412 for If-None-Match on a write. */
export const onlyOnReads = () =>
  ignoredCondition('If-None-Match is only supported on reads. Nothing was changed.')

/** The 412 for a record whose ETag If-Match does not name. R12 */
export const changedMeanwhile = (table: string, id: string) =>
  new AppError(412, 'changed_meanwhile', {
    error: 'Precondition failed',
    detail: `The ETag of the record ${JSON.stringify(id)} of "${table}" does not match If-Match.`,
  })

/** The 422 for a page whose cursor would be too long for a URL. */
export const cursorTooLong = () =>
  new AppError(422, 'cursor_too_long', {
    error: 'Cursor too long',
    detail: 'The values of a record in the sorted fields are too long for a cursor. Use page or offset.',
  })

/** The 400 for a body of lines that is not of its format. */
export const malformedLines = (what: string, line: number, column: number | undefined, reason: string) =>
  new AppError(400, 'malformed_body', {
    detail:
      `The body is not valid ${what}: line ${line}${column === undefined ? '' : `, column ${column}`}: ` +
      reason,
  })

/** The 413 for lines whose records are too long as JSON. */
export const recordsTooLong = (bytesMax: number) =>
  new AppError(413, 'body_too_large', {
    detail: `The records have more than ${bytesMax} bytes as JSON. Send fewer in a request.`,
  })

/** The 413 for too many records in a body that is written in parts. */
export const tooManyParts = (recordsMax: number) =>
  new AppError(413, 'too_many_items', {
    detail: `With atomic=false, a request may have at most ${recordsMax} records.`,
  })

/** The 413 for too many operations. */
export const tooManyOperations = (max: number) =>
  new AppError(413, 'too_many_items', { detail: `A batch may have at most ${max} operations.` })

/** The 413 for too many records with their related records. */
export const tooManyNested = (max: number) =>
  new AppError(413, 'too_many_items', {
    detail: `Together with related records, a request may have at most ${max} records.`,
  })

/** The 413 for numbers that are too long. R6 */
export const tooManyDigits = (digitsMax: number) =>
  new AppError(413, 'body_too_large', {
    detail: `The numbers in a request may have at most ${digitsMax} digits, written out without exponents.`,
  })

/** The 413 for a filter that would change or delete too many records. */
export const tooManyMatches = (rowsMax: number) =>
  new AppError(413, 'too_many_items', {
    detail: `A request may change or delete at most ${rowsMax} records, but the filter matches more.`,
  })

/** The 422 for a write by a filter of many records that does not say that it means so. R20 */
export const unsaidMatches = (found: number, rowsMax: number) =>
  new AppError(422, 'count_not_confirmed', {
    error: 'Many records',
    detail:
      `The filter matches ${found > matchCountMax ? `more than ${matchCountMax}` : found} records. ` +
      `Nothing was changed. To write more than ${rowsMax}, send expect (their exact number), ` +
      'limit (how many at most) or all=true.',
  })

/** The 403 for a write of all records by a caller who may only write with a filter. R20 */
export const allNeedsFilter = () =>
  new AppError(403, 'filter_required', {
    error: 'Not allowed',
    detail: 'all=true without a filter needs change_site. Guests, API keys and functions must send a filter.',
  })

/** The 412 for a filter that matches another number of records than `expect` says. */
export const unexpectedCount = (expected: number | null, found: number) =>
  new AppError(412, 'unexpected_count', {
    error: 'Precondition failed',
    detail: `The filter matches ${found} records, but expect is ${expected}. Nothing was changed.`,
  })

/** The message for a value that only Postgres rejects. */
export const valueOutOfRange = 'A value does not match its field’s type or is out of range.'

/** The 409 for a record that violates a constraint of a schema change in progress. */
export const schemaIsChanging = (table: string) =>
  new AppError(
    409,
    'schema_change_in_progress',
    {
      error: 'Schema change in progress',
      detail:
        `This conflicts with a constraint that is being added to "${table}". ` +
        'Retry once the schema change has finished.',
      field: '',
    },
    { headers: { 'Retry-After': '5' } },
  )

/**
 * The 422 for a write of one record that takes too long. If it waits for a lock, http/failures.ts answers 503
 * instead.
 */
export const writeTooLong = (cause: unknown) =>
  new AppError(
    422,
    'time_limit_exceeded',
    {
      error: 'Write too complex',
      detail:
        'The write exceeded the time limit for one record. Possible causes are a pattern, ' +
        'the size of its values, and records that change with it. ' +
        'Writes of many records (an array or ?ids=) have a longer limit.',
    },
    { cause },
  )

/** The 422 for a list that takes too long. `advice`: what would be faster. */
export const queryTooSlow = (advice: readonly string[], cause: unknown) =>
  new AppError(
    422,
    'query_too_slow',
    {
      error: 'Query too slow',
      detail: `The list exceeded its time limit. What would be faster: ${advice.join('; ')}.`,
    },
    { cause },
  )

/** The 422 for a query that takes too long. Spec: Limits, aggregations. */
export const queryTooComplex = (cause: unknown) =>
  new AppError(
    422,
    'time_limit_exceeded',
    {
      error: 'Query too complex',
      detail:
        'The query exceeded its time limit. ' +
        'Use filters that match fewer records, or request fewer results.',
    },
    { cause },
  )
