/** Why nobody is signed in through a provider. S5, S7. What the provider said is for the log. */
import { AppError } from '../../errors.ts'
import { OutgoingFailure } from '../../outgoing/failure.ts'

const refused = (detail: string, cause?: unknown) => new AppError(400, { detail }, { cause })

/** What may be logged of a cause: what kind of failure it is. Its words may quote what a provider has sent. */
export function reasonOf(cause: unknown): string[] {
  if (!(cause instanceof Error)) return []
  const { code, error } = cause as { code?: unknown; error?: unknown }
  const known =
    cause instanceof OutgoingFailure ? [cause.message] : [code, error].filter((word) => typeof word === 'string' && /^[\w.-]{1,60}$/.test(word))
  return [[cause.name, ...known].join(' '), ...reasonOf(cause.cause)]
}

export const providerUnusable = (cause?: unknown) => refused('The provider is not configured, or its configuration cannot be read.', cause)
export const providerUnsupported = () => refused('Nobody can sign in with a provider of this kind yet.')
export const codeRefused = (cause?: unknown) => refused('The provider has refused the code, or what it answered does not hold.', cause)
