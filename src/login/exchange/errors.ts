/** Why nobody is signed in through a provider. S5, S7. What the provider said is for the log. */
import { AppError } from '../../errors.ts'

const refused = (detail: string, cause?: unknown) => new AppError(400, { detail }, { cause })

export const providerUnusable = (cause?: unknown) => refused('The provider is not configured, or its configuration cannot be read.', cause)
export const providerUnsupported = () => refused('Nobody can sign in with a provider of this kind yet.')
export const codeRefused = (cause?: unknown) => refused('The provider has refused the code, or what it answered does not hold.', cause)
