/** The errors of the keys of directories. */
import { invalidFields } from '../../errors.ts'

/** The organization has as many keys as it can have. 400. */
export const tooManyKeys = () =>
  invalidFields({ non_field_errors: ['An organization has at most 5 keys. Delete one first.'] })
