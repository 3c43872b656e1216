/** The error class that reaches clients, and the errors that all areas share. Spec: Errors; A6, W1. */
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { ErrorCode } from './error-codes.ts'
import { quoteValue } from './lib/quote-value.ts'
import { storageProblem } from './lib/storable.ts'

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | JsonMembers
/** Members that are undefined are left out. */
interface JsonMembers {
  readonly [name: string]: Json | undefined
}

/** The header of every error answer that has its code. W9 */
export const codeHeader = 'X-Error-Code'

interface More {
  headers?: Record<string, string>
  /** For the log. The client gets only the code, the body and the headers. */
  cause?: unknown
  /** One word for the cause if there are several with this code. Pages have a text for each. */
  reason?: string | undefined
}

/** An error with the response that a client gets. */
export class AppError extends Error {
  readonly status: ContentfulStatusCode
  readonly code: ErrorCode
  readonly body: Json
  readonly headers: Readonly<Record<string, string>>
  readonly reason: string | undefined

  constructor(
    status: ContentfulStatusCode,
    code: ErrorCode,
    body: Json,
    { headers = {}, cause, reason }: More = {},
  ) {
    super(`${status} ${JSON.stringify(body)}`, { cause })
    this.name = 'AppError'
    this.status = status
    this.code = code
    this.body = withCode(body, code)
    this.headers = { ...headers, [codeHeader]: code }
    this.reason = reason
  }

  /** Returns the same error with another body. */
  withBody(body: Json): AppError {
    const { status, code, headers, cause, reason } = this
    return new AppError(status, code, body, { headers, cause, reason })
  }
}

/**
 * Adds the code to a body with one of these members. Those of other bodies are names of fields, and `code`
 * may be one of them.
 */
const withCode = (body: Json, code: ErrorCode): Json =>
  ['detail', 'error', 'message'].some((member) => typeof Object(body)[member] === 'string')
    ? { ...(body as object), code }
    : body

/** Creates an error whose body is one sentence. */
export const detail = (status: ContentfulStatusCode, code: ErrorCode, text: string, more?: More) =>
  new AppError(status, code, { detail: text }, more)

const challenge = { 'WWW-Authenticate': 'Bearer' }

/** The request has no credentials. */
export const unauthenticated = () =>
  detail(401, 'not_authenticated', 'Authentication credentials were not provided.', { headers: challenge })

/** The credentials are malformed, expired or revoked, or the account cannot sign in. */
export const invalidCredentials = () =>
  detail(401, 'invalid_credentials', 'The credentials are invalid or have expired.', { headers: challenge })

/** The operation does not accept API keys. A4. */
export const apiKeyNotAccepted = () =>
  detail(401, 'api_key_not_accepted', 'API keys are not accepted here. Use a bearer token.', {
    headers: challenge,
  })

/** The operation accepts only API keys with scopes, or only those without. A4, X1. */
export const apiKeyOfOtherKind = (accepted: 'with' | 'without') =>
  detail(
    401,
    'api_key_not_accepted',
    `Only API keys ${accepted} scopes are accepted here. Use such a key, or a bearer token.`,
    { headers: challenge },
  )

/** Functions may not use the operation, or it concerns another app. */
export const forbiddenToFunctions = () =>
  detail(
    403,
    'forbidden_to_functions',
    'A function can read and write records and edges of its own app, and nothing else.',
  )

/** The API key is limited to other addresses. X1 */
export const addressNotAllowed = () =>
  detail(403, 'address_not_allowed', 'This API key is not accepted from this address.')

/**
 * The name is unknown, the password is wrong, or the account is inactive. The text is the same for all. A1.
 */
export const signInFailed = () =>
  detail(401, 'sign_in_failed', 'No active account was found with these credentials.', { headers: challenge })

/** A 403: the account cannot sign in at the host of the request. A8 */
export class SignInElsewhere extends AppError {
  /** Where it can. */
  readonly address: string

  constructor(reason: string, address: string) {
    super(403, 'sign_in_elsewhere', { detail: `${reason} Sign in at the address of the service: ${address}` })
    this.address = address
  }
}

/** The caller lacks the permission. */
export const forbidden = () =>
  detail(403, 'permission_denied', 'You do not have permission to perform this action.')

/**
 * The site or its organization requires a second factor from its users, and the account of the caller or of
 * the API key has none.
 */
export const factorMissing = () =>
  detail(
    403,
    'second_factor_missing',
    'This site requires a second factor, and your account has none. Set up an authenticator app or a ' +
      'passkey: on the page /accounts/second-factor/, or with POST /api/users/me/totp/.',
  )

/**
 * The resource does not exist, or the caller must not know of it. `hint` says what to change. It may name a
 * part of the path only if the caller may know whether that part exists.
 */
export const notFound = (hint?: string) =>
  new AppError(404, 'not_found', { detail: 'Not found.', ...(hint === undefined ? {} : { hint }) })

/**
 * A part of the path does not exist: `what` is its kind, `where` the place that was searched. Only for
 * callers who may know that it does not exist. A name that cannot be stored is not repeated.
 */
export const partNotFound = (what: string, name: string | number, where: string) =>
  notFound(storageProblem(name) ? undefined : `There is no ${what} ${quoteValue(name)}${where}.`)

/** The app of the path does not exist, or is inactive. */
export const appNotFound = (app: string) => partNotFound('app', app, ' in this site')

/** Returns a row that was looked up. Throws 404 if it is undefined. */
export function found<Thing>(thing: Thing | undefined, missing: () => AppError = notFound): Thing {
  if (thing === undefined) throw missing()
  return thing
}

/** The path exists, but not with this method. `allowed` lists its methods, `hint` describes them. */
export const methodNotAllowed = (method: string, allowed: readonly string[], hint: string) =>
  new AppError(
    405,
    'method_not_allowed',
    { detail: `Method "${method}" not allowed.`, hint },
    { headers: { Allow: allowed.join(', ') } },
  )

/** The request is nested too deeply, or has too many problems to list. */
export const tooComplex = () =>
  detail(400, 'too_complex', 'The request is nested too deeply, or has too many faults to name them.')

/** Postgres cannot store a value of the path, the query or the body, and no validation has detected it. */
export const unstorable = () =>
  detail(400, 'unstorable_value', 'The request contains a value that cannot be stored.')

/** The database is unavailable, or the site's schema has yet to be migrated. */
export const unavailable = (cause?: unknown) =>
  detail(503, 'unavailable', 'The service is temporarily unavailable. Try again in a moment.', {
    headers: { 'Retry-After': '2' },
    cause,
  })

/** The operator has to change something. `reason` is the text of the answer. */
export const unready = (reason: string, cause?: unknown) =>
  detail(503, 'misconfigured', reason, { headers: { 'Retry-After': '30' }, cause })

/** A variable of the Worker is missing or malformed. The log and /readyz name it. W7. */
export const misconfigured = (cause: unknown) =>
  unready('The service is not configured correctly. See its log and /readyz.', cause)

/**
 * Another request has changed or deleted something that this one needs, between two of its statements. A
 * repetition gets the answer for the present state.
 */
export const changedMeanwhile = (cause: unknown) =>
  detail(
    503,
    'conflicting_request',
    'Another request has just changed or deleted something that this one needs. Try again.',
    { headers: { 'Retry-After': '1' }, cause },
  )

/** The change waits for another schema change of the site, or was planned again and again because of them. */
export const schemaChanging = (cause?: unknown) =>
  detail(
    503,
    'schema_change_in_progress',
    'Another schema change of this site is running. Try again when it has finished.',
    { headers: { 'Retry-After': '5' }, cause },
  )

/** The Idempotency-Key belongs to a request with another query string, format or body. */
export const keyReused = () =>
  new AppError(409, 'idempotency_key_reused', {
    error: 'Idempotency key reused',
    detail:
      'This Idempotency-Key was used for a request with another query string, format or body. ' +
      'Use a new key for each new request.',
  })

/** The isolate has too much work of this kind, and the request has waited for too long. */
export const busy = () =>
  detail(503, 'busy', 'Too many requests are being processed. Try again in a moment.', {
    headers: { 'Retry-After': '2' },
  })

/** A quota is used up. T9. */
export const quotaExceeded = (text: string, cause?: unknown, code: ErrorCode = 'quota_exceeded') =>
  new AppError(422, code, { error: 'Quota exceeded', detail: text }, { cause })

/** The 422 for an answer that is too long to send. */
export const answerTooLarge = (bytesMax: number, cause?: unknown) =>
  new AppError(
    422,
    'answer_too_large',
    {
      error: 'Answer too large',
      detail: `The answer is longer than ${bytesMax} bytes of JSON. Request fewer records, or less of each.`,
    },
    { cause },
  )

/** A hard limit that a site has reached: the detail of public.refuse_exceeded. */
export interface ReachedLimit {
  measure: 'requests' | 'invocations' | 'emails' | 'records' | 'bytes'
  limit: number
  used: number
  /** For example `2026-11`. */
  month: string
}

/** Returns the message that names the limit that a site has reached. */
export function limitText({ measure, limit, used, month }: ReachedLimit): string {
  const isStored = measure === 'records' || measure === 'bytes'
  const [period, fact] = isStored ? ['', `has ${used}`] : [' a month', `has used ${used} in ${month}`]
  return `The site has reached its limit of ${limit} ${measure}${period}: it ${fact}.`
}

/**
 * The site has reached a hard limit. 429 for a monthly limit, because a new month begins later; 422 for a
 * storage limit, as for a quota.
 */
export function limitReached(reached: ReachedLimit, cause?: unknown): AppError {
  const text = limitText(reached)
  if (reached.measure === 'records' || reached.measure === 'bytes')
    return quotaExceeded(text, cause, 'limit_reached')
  const [year = 0, month = 0] = reached.month.split('-').map(Number)
  const seconds = Math.max(1, Math.ceil((Date.UTC(year, month, 1) - Date.now()) / 1000))
  return detail(429, 'limit_reached', `${text} Expected available in ${seconds} seconds.`, {
    headers: { 'Retry-After': String(seconds) },
    cause,
  })
}

/** An internal error of the service. */
export const internal = () =>
  detail(
    500,
    'internal_error',
    'An internal error occurred. It has been logged under the request id of this response.',
  )

/**
 * Fields of the request are invalid. For areas other than the data service. Spec: Errors, field validation.
 */
export const invalidFields = (
  fields: Record<string, readonly string[]>,
  code: ErrorCode = 'validation_failed',
  reason?: string,
) => new AppError(400, code, fields, { reason })

/** The 400 for a new resource without a slug whose name has no character that a slug may have. D16. */
export const nameGivesNoSlug = () =>
  invalidFields({ name: ['This name cannot be converted to a slug. Also send a "slug".'] })

/** The 404 for a page beyond the last one. */
export const invalidPage = () => detail(404, 'invalid_page', 'Invalid page.')
