/** The errors of members. */
import { invalidFields } from '../../errors.ts'

/** The change would leave the organization without an owner. 400. */
export const lastOwner = () => invalidFields({ role: ['An organization must have at least one owner.'] })
