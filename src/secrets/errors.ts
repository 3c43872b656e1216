/** The dialect of secrets, types and tags: `{error, detail}`. Spec: Errors, body shapes, Secrets. */
import { AppError } from '../errors.ts'

/** K4, and every other field that is wrong. */
export const validationFailed = (fields: Record<string, readonly string[]>) => new AppError(400, { error: 'Validation failed', detail: fields })

/** A name or key that another has already. */
export const duplicate = (field: 'name' | 'key', message: string) => new AppError(400, { message, field })

/** K2. */
export const immutable = (field: string, current: string, attempted: string) =>
  new AppError(400, { error: `The ${field} cannot be changed`, detail: { field, current, attempted } })

export const nameGivesNoSlug = () => validationFailed({ name: ['The name needs a letter or a digit from which a slug can be made.'] })

export const notFoundNamed = (what: string, name: string) =>
  new AppError(404, { error: `${what} not found`, detail: `There is no ${what.toLowerCase()} "${name}".` })
