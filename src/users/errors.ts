/** Errors of managing accounts. T7. */
import { invalidFields } from '../errors.ts'

/** Another account has the user name. */
export const usernameTaken = () => invalidFields({ username: ['A user with this name already exists.'] })

/** Another account has the e-mail. */
export const emailTaken = () => invalidFields({ email: ['A user with this e-mail already exists.'] })

/** The account is the only owner of an organization, so that it cannot be deleted. */
export const lastOwner = () =>
  invalidFields({
    non_field_errors: ['The user is the only owner of an organization. An organization needs an owner.'],
  })
