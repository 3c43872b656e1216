import { invalidFields } from '../errors.ts'

export const usernameTaken = () => invalidFields({ username: ['A user with this name exists already.'] })
export const emailTaken = () => invalidFields({ email: ['A user with this e-mail exists already.'] })
export const lastOwner = () => invalidFields({ non_field_errors: ['The user is the only owner of an organization, which keeps at least one.'] })
