/** Errors of managing social apps. Spec: Errors. */
import { AppError, invalidFields } from '../../../kernel/errors.ts'

/**
 * The 400 for a name in paths that another app has: its `provider_id`, or its provider if it has no id. S2.
 */
export const appExists = (field: 'provider' | 'provider_id', name: string) =>
  invalidFields({ [field]: [`A social app named "${name}" already exists.`] }, 'already_exists')

/** The 400 for a stored secret that would be sent to another server than that for which it was entered. */
export const secretElsewhere = () =>
  invalidFields({ secret: ['The provider or its server_url changes: send the secret again.'] })

/** The 400 for deleting an app with which users sign in. Spec: Errors, social app delete blocked. */
export const appInUse = (name: string, users: number) =>
  new AppError(400, 'still_referenced', {
    success: false,
    message:
      `The social app "${name}" cannot be deleted: ` +
      `${users} ${users === 1 ? 'user signs' : 'users sign'} in with it.`,
    suggestion: 'Delete these users, or give them another way to sign in, before you delete the app.',
    active_users: users,
  })
