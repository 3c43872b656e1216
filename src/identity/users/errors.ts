/** Errors of managing accounts. T7. */
import { invalidFields } from '../../kernel/errors.ts'

/** The 400 for a user name that another account has. */
export const usernameTaken = () =>
  invalidFields({ username: ['A user with this name already exists.'] }, 'already_exists')

/** The 400 for an e-mail address that another account has. */
export const emailTaken = () =>
  invalidFields({ email: ['A user with this e-mail already exists.'] }, 'already_exists')

/** The 400 for deleting or switching off an account that is the only owner of an organization. */
export const lastOwner = () =>
  invalidFields(
    { non_field_errors: ['The user is the only owner of an organization. An organization needs an owner.'] },
    'last_owner',
  )
