/** Logs failures of providers, without anything that a provider sent. */
import { log } from '../../../kernel/lib/log.ts'
import { OutgoingFailure } from '../../../kernel/outgoing/failure.ts'

/**
 * Logs why a provider's response was rejected, for the owner of the app. `app.id` is undefined for a new app.
 */
export const logFailure = (requestId: string, app: { id?: number; provider: string }, error: unknown): void =>
  log({
    level: 'warn',
    request_id: requestId,
    ...(app.id === undefined ? {} : { social_app: app.id }),
    provider: app.provider,
    refused: reasonOf(error),
  })

/**
 * Returns one line for an error and for each of its causes: its name and its code. It omits the message,
 * because it may quote the provider; only the message of an OutgoingFailure is the service's own. Returns []
 * for values that are not an Error.
 */
function reasonOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  return [[error.name, ...detailsOf(error)].join(' '), ...reasonOf(error.cause)]
}

function detailsOf(failure: Error): unknown[] {
  if (failure instanceof OutgoingFailure) return [failure.message]
  const { code, error } = failure as { code?: unknown; error?: unknown }
  return [code, error].filter((word) => typeof word === 'string' && /^[\w.-]{1,60}$/.test(word))
}
