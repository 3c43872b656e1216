/** The errors of secrets. Spec: Errors, body shapes, Secrets. */
import { AppError } from '../../errors.ts'
import { duplicate } from '../errors.ts'

/** 400 for a value that does not match the schema of its type. Spec: Secrets, rule 4. */
export const schemaValidationFailed = (fields: Record<string, readonly string[]>) =>
  new AppError(400, { error: 'Schema validation failed', detail: fields })

/** 400 for a key that another secret of the same level has. */
export const secretExists = (key: string, app: string | null) =>
  duplicate('key', `A secret with the key "${key}" already exists ${levelOf(app)}.`)

/** Names a level within a sentence. */
const levelOf = (app: string | null): string => (app === null ? 'at the site level' : `in the app "${app}"`)

/** 404 for the missing tags of a request. */
export const tagsMissing = (key: string, tags: readonly string[]) =>
  new AppError(404, {
    error: 'Secret not found',
    detail: `The secret "${key}" has none of the required tags: ${tags.join(', ')}.`,
  })
