/** The one class of failure that reaches a client, and the failures that every area shares. Spec: Errors; A6, W1. */
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { shown } from './lib/shown.ts'

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

export class AppError extends Error {
  readonly status: ContentfulStatusCode
  readonly body: Json
  readonly headers: Readonly<Record<string, string>>

  /** `cause` is for the log; only `body` and `headers` are for the client. */
  constructor(status: ContentfulStatusCode, body: Json, { headers = {}, cause }: { headers?: Record<string, string>; cause?: unknown } = {}) {
    super(`${status} ${JSON.stringify(body)}`, { cause })
    this.name = 'AppError'
    this.status = status
    this.body = body
    this.headers = headers
  }
}

const detail = (status: ContentfulStatusCode, text: string, options?: ConstructorParameters<typeof AppError>[2]) =>
  new AppError(status, { detail: text }, options)

const challenge = { 'WWW-Authenticate': 'Bearer' }

/** No credentials where some are needed. */
export const unauthenticated = () => detail(401, 'Authentication credentials were not provided.', { headers: challenge })

/** Credentials that do not hold: expired, revoked, malformed, of somebody who may not sign in. */
export const invalidCredentials = () => detail(401, 'The credentials are invalid or have expired.', { headers: challenge })

/** An API key where none is taken. A4 */
export const keyNotTaken = () => detail(401, 'API keys are not accepted here. Use a bearer token.', { headers: challenge })

/** The same words for an unknown name, a wrong password and an inactive account. A1. */
export const signInRefused = () => detail(401, 'No active account was found with these credentials.', { headers: challenge })

export const forbidden = () => detail(403, 'You do not have permission to perform this action.')

export const notFound = () => detail(404, 'Not found.')

/** What was looked for, or the 404. */
export function found<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw notFound()
  return thing
}

export const methodNotAllowed = (method: string, allowed: readonly string[]) =>
  detail(405, `Method "${method}" not allowed.`, { headers: { Allow: allowed.join(', ') } })

export const malformedJson = () => detail(400, 'The body is not valid JSON.')

/** R6 */
export const nameTwice = (name: string) => detail(400, `The body has the name ${shown(name)} twice in one object.`)
export const invalidHost = () => detail(400, 'The host of the request is not a valid host name.')

/** A value of the path, the query or the body that Postgres cannot hold, and that no check named. */
export const unstorable = () => detail(400, 'The request has a value that cannot be stored.')

export const bodyTooLarge = (bytesMax: number) => detail(413, `The body is larger than ${bytesMax} bytes.`)

export const unsupportedMediaType = () => detail(415, 'The body must be application/json.')

/** The database is away, or the site's schema is about to be migrated. */
export const unavailable = (cause?: unknown) =>
  detail(503, 'The service is temporarily unavailable. Try again in a moment.', { headers: { 'Retry-After': '2' }, cause })

/** Variables of the Worker are missing or malformed. The log and /readyz name them. */
export const misconfigured = (cause: unknown) =>
  detail(503, 'The service is not configured correctly. Its log and /readyz say what is wrong.', { cause })

/** The answer of /readyz if the operator has to change something. */
export const unready = (reason: string) => detail(503, reason)

/** Too much of the same kind is under way in this isolate, and it did not become less while the request waited. */
export const busy = () => detail(503, 'Too many requests are under way. Try again in a moment.', { headers: { 'Retry-After': '2' } })

/** T9 */
export const quotaExceeded = (text: string, cause?: unknown) => new AppError(422, { error: 'Quota exceeded', detail: text }, { cause })

export const internal = () => detail(500, 'An internal error occurred. It has been logged under the request id of this response.')

/** Field validation outside the data service. Spec: Errors, field validation. */
export const invalidFields = (fields: Record<string, readonly string[]>) => new AppError(400, fields)

export const invalidPage = () => detail(404, 'Invalid page.')
