/** The errors of passwords and of the links that are mailed. */
import { invalidFields } from '../../../kernel/errors.ts'

/**
 * The 400 for a link that does not exist, was used or has expired, or whose account has changed since. The
 * text is the same for all.
 */
export const invalidLink = () =>
  invalidFields({ token: ['This link is no longer valid. Request a new one.'] }, 'link_invalid')

/** The 400 for a wrong current password. Not 401, because the caller stays signed in. */
export const wrongPassword = () =>
  invalidFields({ current_password: ['This is not the current password.'] }, 'wrong_password')

/** The 400 if the account has no password, because it signs in with a provider only. */
export const noPassword = () =>
  invalidFields(
    {
      current_password: [
        'This account has no password yet. POST /api/auth/password/reset/ mails a link for one.',
      ],
    },
    'no_password',
  )
