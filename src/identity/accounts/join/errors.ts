/** The errors of joining a site. */
import { invalidFields } from '../../../kernel/errors.ts'

/** The 400 if a site requires a verified e-mail address, and that of the account is not. */
export const addressNotProved = () =>
  invalidFields(
    { email: ['This site requires a verified e-mail address. Verify yours first.'] },
    'email_not_verified',
  )
