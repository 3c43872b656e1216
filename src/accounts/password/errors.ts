/** The errors of passwords and of the links that are mailed. */
import { invalidFields } from '../../errors.ts'

/**
 * The link does not exist, was used, has expired, or its account has changed since: the text is the same.
 * 400.
 */
export const invalidLink = () =>
  invalidFields({ token: ['This link is no longer valid. Request a new one.'] })

/** The present password is another one. 400: the caller is signed in, and stays so. */
export const wrongPassword = () => invalidFields({ current_password: ['This is not the current password.'] })

/** The account has no password, because it signs in with a provider only. 400. */
export const noPassword = () =>
  invalidFields({
    current_password: [
      'This account has no password yet. POST /api/auth/password/reset/ mails a link for one.',
    ],
  })
