/** The errors of SCIM. http/dialects.ts writes them in the form of SCIM. RFC 7644 §3.12. */
import { DatabaseFailure, sqlstates } from '../../kernel/db/failures.ts'
import type { ErrorCode } from '../../kernel/error-codes.ts'
import { AppError } from '../../kernel/errors.ts'
import { quoteValue } from '../../kernel/lib/quote-value.ts'

/** The kind of error of a 400 or 409. RFC 7644, table 9. */
type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'uniqueness'

const scimError = (
  status: 400 | 403 | 409,
  code: ErrorCode,
  scimType: ScimType | undefined,
  detail: string,
) => new AppError(status, code, { ...(scimType === undefined ? {} : { scimType }), detail })

/** The 400 for a filter that cannot be read, or whose attributes do not support it. */
export const invalidFilter = (detail: string) => scimError(400, 'validation_failed', 'invalidFilter', detail)

/** The 400 if the path of an operation names no attribute. */
export const invalidPath = (detail: string) => scimError(400, 'validation_failed', 'invalidPath', detail)

/** The 400 if a value is not one that its attribute can have. */
export const invalidValue = (detail: string) => scimError(400, 'validation_failed', 'invalidValue', detail)

/** The 400 if the operation changes an attribute that is read-only. */
export const readOnlyAttribute = (name: string) =>
  scimError(400, 'read_only', 'mutability', `The attribute ${quoteValue(name)} is read-only.`)

/** The 400 for an operation that removes without a path. */
export const noTarget = () =>
  scimError(400, 'validation_failed', 'noTarget', 'A "remove" operation needs a path, such as "displayName".')

const responses: Readonly<Record<string, (detail: string) => AppError>> = {
  [sqlstates.lastOwner]: () =>
    invalidValue('active: An organization must have at least one owner who can sign in.'),
  [sqlstates.nameTaken]: (attribute) =>
    scimError(
      409,
      'already_exists',
      'uniqueness',
      `${attribute}: Another user of the organization has this value.`,
    ),
  [sqlstates.noSuchMember]: (id) =>
    invalidValue(`members: There is no user ${quoteValue(id)} in the organization.`),
  [sqlstates.protectedAccount]: () =>
    scimError(
      403,
      'permission_denied',
      undefined,
      'A directory cannot change superusers, and nobody who ranks above the creator of its key: owners ' +
        'need a key that an owner has created.',
    ),
}

/** Throws the SCIM error for an error of the database. */
export function rejectRefused(error: unknown): never {
  const response = error instanceof DatabaseFailure ? responses[error.sqlstate] : undefined
  throw response?.((error as DatabaseFailure).detail ?? '') ?? error
}

/** The 409 if another group of the organization has the name. */
export const groupNameTaken = () =>
  scimError(
    409,
    'already_exists',
    'uniqueness',
    'displayName: Another group of the organization has this name.',
  )

/** The 501 for "me": a key belongs to an organization and not to a user. RFC 7644 §3.11. */
export const noMe = () =>
  new AppError(501, 'not_supported', {
    detail: '/Me is not supported: the key belongs to the organization, not to a user.',
  })

/** The 501 for bulk operations. RFC 7644 §3.7. */
export const noBulk = () =>
  new AppError(501, 'not_supported', {
    detail: 'Bulk operations are not supported: see /ServiceProviderConfig.',
  })
