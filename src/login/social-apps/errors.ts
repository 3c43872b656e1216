import { AppError, invalidFields } from '../../errors.ts'

/** Paths name an app by its provider_id, else by its provider: no two have the same name. S2. */
export const appExists = (field: 'provider' | 'provider_id', name: string) =>
  invalidFields({ [field]: [`A social app named "${name}" exists already.`] })

/** Spec: Errors, social app delete blocked. */
export const appInUse = (name: string, users: number) =>
  new AppError(400, {
    success: false,
    message: `The social app "${name}" cannot be deleted: ${users} ${users === 1 ? 'user signs' : 'users sign'} in with it.`,
    suggestion: 'Delete these users, or let them sign in otherwise, before you delete the app.',
    active_users: users,
  })
