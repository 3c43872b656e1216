import { AppError } from '../../errors.ts'
import { duplicate } from '../errors.ts'

export const schemaValidationFailed = (fields: Record<string, readonly string[]>) =>
  new AppError(400, { error: 'Schema validation failed', detail: fields })

export const secretExists = (key: string, app: string | null) =>
  duplicate('key', `A secret with the key "${key}" exists already ${app === null ? 'at the level of the site' : `in the app "${app}"`}.`)

/** `app` is the app whose level was looked at; `siteToo`, whether the site's was. */
export function secretNotFound(key: string, app: string | null, siteToo = true): AppError {
  const levels = [...(app === null ? [] : [`app "${app}"`]), ...(siteToo ? ['site'] : [])]
  return new AppError(404, { error: 'Secret not found', detail: `There is no secret "${key}". Levels searched: ${levels.join(', ')}.` })
}

export const tagsMissing = (key: string, tags: readonly string[]) =>
  new AppError(404, { error: 'Secret not found', detail: `The secret "${key}" has none of the required tags: ${tags.join(', ')}.` })
