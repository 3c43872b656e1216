/** The errors of members. */
import { invalidFields } from '../../../kernel/errors.ts'

/** The 400 if the change would leave the organization without an owner. */
export const lastOwner = () =>
  invalidFields({ role: ['An organization must have at least one owner.'] }, 'last_owner')
