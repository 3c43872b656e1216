/** The errors of secrets. Spec: Errors, body shapes, Secrets. */
import { AppError } from '../../kernel/errors.ts'
import { duplicate } from '../errors.ts'

/** The 400 for a value that does not match the schema of its type. Spec: Secrets, rule 4. */
export const schemaValidationFailed = (fields: Record<string, readonly string[]>) =>
  new AppError(400, 'validation_failed', { error: 'Schema validation failed', detail: fields })

/** The 400 for a key that another secret of the same level has. */
export const secretExists = (key: string, app: string | null) =>
  duplicate('key', `A secret with the key "${key}" already exists ${levelOf(app)}.`)

/** Returns the name of a level within a sentence. */
const levelOf = (app: string | null): string => (app === null ? 'at the site level' : `in the app "${app}"`)

/** The 404 for a secret without any of the requested tags. */
export const tagsMissing = (key: string, tags: readonly string[]) =>
  new AppError(404, 'secret_not_found', {
    error: 'Secret not found',
    detail: `The secret "${key}" has none of the required tags: ${tags.join(', ')}.`,
  })
