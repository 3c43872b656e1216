/** The errors of signing up. */
import { AppError, invalidFields } from '../../errors.ts'

/** The site takes no sign-ups. 403. */
export const signUpClosed = () => new AppError(403, { detail: 'This site does not allow sign-ups.' })

/** The site takes other addresses only. 400. */
export const addressNotTaken = () =>
  invalidFields({ email: ['This site does not allow e-mail addresses of this domain.'] })

/** The password is not the one that was sent with the sign-up. 400. */
export const otherPassword = () =>
  invalidFields({ password: ['This is not the password that was chosen at sign-up.'] })
