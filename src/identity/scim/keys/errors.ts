/** The errors of the keys of directories. */
import { invalidFields } from '../../../kernel/errors.ts'

/** The 400 if the organization has the maximum number of keys. */
export const tooManyKeys = () =>
  invalidFields(
    { non_field_errors: ['An organization has at most 5 keys. Delete one first.'] },
    'quota_exceeded',
  )
