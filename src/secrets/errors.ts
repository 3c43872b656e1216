/**
 * The errors of secrets, types and tags, in the form `{error, detail}`. Spec: Errors, body shapes, Secrets.
 */
import { AppError } from '../kernel/errors.ts'

/** The 400 for fields that are not valid. K4. */
export const validationFailed = (fields: Record<string, readonly string[]>) =>
  new AppError(400, 'validation_failed', { error: 'Validation failed', detail: fields })

/** The 400 for a name or a key that is taken. */
export const duplicate = (field: 'name' | 'key', message: string) =>
  new AppError(400, 'already_exists', { message, field })

/** The 400 for a field that cannot be changed. K2. */
export const immutable = (field: string, current: string, attempted: string) =>
  new AppError(400, 'read_only', {
    error: `The ${field} cannot be changed`,
    detail: { field, current, attempted },
  })

/** The 400 for a name without letters and digits. */
export const nameGivesNoSlug = () =>
  validationFailed({ name: ['The name must contain a letter or a digit.'] })

/** The 404 for an unknown type or tag. */
export const notFoundNamed = (what: string, name: string) =>
  new AppError(404, 'not_found', {
    error: `${what} not found`,
    detail: `There is no ${what.toLowerCase()} "${name}".`,
  })

/**
 * The 404 for an unknown key. The levels that were searched are that of `app` and, if `includesSite`, that of
 * the site.
 */
export function secretNotFound(key: string, app: string | null, includesSite = true): AppError {
  const levels: string[] = []
  if (app !== null) levels.push(`app "${app}"`)
  if (includesSite) levels.push('site')
  return new AppError(404, 'secret_not_found', {
    error: 'Secret not found',
    detail: `There is no secret "${key}". Levels searched: ${levels.join(', ')}.`,
  })
}
