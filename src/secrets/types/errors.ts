/** The errors of secret types. */
import { AppError } from '../../kernel/errors.ts'
import { duplicate } from '../errors.ts'

/** The 400 for a name, or a slug made from it, that another type has. */
export const typeExists = (name: string) =>
  duplicate('name', `A secret type with the name "${name}" or its slug already exists.`)

/** The 400 for the deletion of a system type. */
export const systemType = (name: string) =>
  new AppError(400, 'read_only', {
    error: 'System types cannot be deleted',
    detail: `"${name}" is a system type.`,
  })

/** The 400 for the deletion of a type that secrets have. */
export const typeInUse = (name: string) =>
  new AppError(400, 'still_referenced', {
    error: 'The secret type is in use',
    detail: `There are secrets of the type "${name}". Delete them first.`,
  })
