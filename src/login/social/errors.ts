/** Why somebody whom a provider has named is not signed in. S4, S5, S7. */
import { AppError, forbidden, invalidFields, signInRefused } from '../../errors.ts'

const refused = (detail: string) => new AppError(400, { detail })

export const attemptUnknown = () => refused('This sign-in has expired, was finished already, or was begun elsewhere. Begin anew.')
export const cancelled = () => refused('The sign-in was cancelled, or the provider has refused it.')
export const foreignRedirect = () =>
  invalidFields({ redirect_uri: ['The address has to be one of this host, or of a domain of the site, without query and fragment.'] })
export const otherRedirect = () => invalidFields({ redirect_uri: ['The sign-in was begun with another address.'] })
export const noEmail = () => refused('The provider names no e-mail address that an account could have.')

/** By what public.sign_in_socially answers. */
export const refusals: Readonly<Record<string, () => AppError>> = {
  inactive: signInRefused,
  untrusted: () => refused('An account with this e-mail exists, and the provider does not say that the e-mail is verified.'),
  forbidden,
}
