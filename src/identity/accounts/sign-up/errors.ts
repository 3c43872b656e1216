/** The errors of signing up. */
import { AppError, invalidFields } from '../../../kernel/errors.ts'

/** The 403 of a site that does not allow sign-ups. */
export const signUpClosed = () =>
  new AppError(403, 'sign_up_closed', { detail: 'This site does not allow sign-ups.' })

/** The 400 for an address that the site does not allow. */
export const addressNotTaken = () =>
  invalidFields(
    { email: ['This site does not allow e-mail addresses of this domain.'] },
    'email_domain_not_allowed',
  )

/** The 400 if the password is not the one that was sent with the sign-up. */
export const otherPassword = () =>
  invalidFields(
    { password: ['This is not the password that was chosen at sign-up.'] },
    'wrong_password',
    'sign_up',
  )
