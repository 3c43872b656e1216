import { invalidFields } from '../../errors.ts'

export const lastOwner = () => invalidFields({ role: ['An organization keeps at least one owner.'] })
