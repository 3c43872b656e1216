/** Why somebody whom a provider has named is not signed in. S4, S5, S7. */
import { AppError, forbidden, invalidFields, signInRefused } from '../../errors.ts'

const refused = (detail: string) => new AppError(400, { detail })

export const attemptUnknown = () => refused('This sign-in has expired, was finished already, or was begun elsewhere. Begin anew.')
export const cancelled = () => refused('The sign-in was cancelled, or the provider has refused it.')
export const foreignRedirect = () =>
  invalidFields({ redirect_uri: ['The address has to be one of this host, or of a domain of the site, without query and fragment.'] })
export const otherRedirect = () => invalidFields({ redirect_uri: ['The sign-in was begun with another address.'] })
/** The account is tied to another organization: a code was mailed to its address. S7. */
export class ConfirmationRequired extends AppError {
  readonly confirmation: string

  constructor(confirmation: string) {
    const detail =
      'An account with this e-mail belongs to another organization. A code was sent to the address: send it with the confirmation to /api/auth/confirm/.'
    super(403, { detail, confirmation })
    this.confirmation = confirmation
  }
}

export const wrongCode = () => invalidFields({ code: ['This is not the code that was sent. After five wrong codes, the sign-in has to begin anew.'] })
export const isWrongCode = ({ status, body }: AppError): boolean => status === 400 && Object.hasOwn(body as object, 'code')
export const confirmationGone = () => refused('This confirmation has expired, or was used already. Begin to sign in anew.')
export const noEmail = () => refused('The provider names no e-mail address that an account could have.')

/** By what public.sign_in_socially answers. */
export const refusals: Readonly<Record<string, () => AppError>> = {
  inactive: signInRefused,
  untrusted: () => refused('An account with this e-mail exists, and the provider does not say that the e-mail is verified.'),
  forbidden,
}
