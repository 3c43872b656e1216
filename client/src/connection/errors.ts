/** The errors of a client: one class for each status that a program may want to tell apart. */

import type { ErrorCode } from './error-code.ts'

/** The data of an error response. */
export interface Refusal {
  method: string
  path: string
  status: number
  /** The parsed body; its text if it is not JSON. */
  body: unknown
  headers: Headers
}

/** An error response. `messages` has the messages by field; `''` is the request as a whole. */
export class TesseraError extends Error {
  // Set explicitly, because minification changes the names of classes.
  override name = 'TesseraError'
  readonly status: number
  /** What went wrong, in one word. Texts may change, codes do not. `unknown`: not an answer of the service. */
  readonly code: ErrorCode | 'unknown'
  readonly body: unknown
  readonly messages: Readonly<Record<string, readonly string[]>>
  /** The id of the request in the service's log. */
  readonly requestId: string | null
  /** The seconds after which the same request may succeed; undefined if the response does not tell. */
  readonly retryAfterSeconds: number | undefined

  constructor({ method, path, status, body, headers }: Refusal) {
    const messages = messagesOf(body)
    const lines = Object.entries(messages).flatMap(([field, texts]) =>
      texts.map((text) => (field ? `${field}: ${text}` : text)),
    )
    super(`${method} ${path} answered ${status}${lines.length > 0 ? `: ${lines.join(' ')}` : ''}`)
    this.status = status
    this.code = (headers.get('x-error-code') as ErrorCode | null) ?? 'unknown'
    this.body = body
    this.messages = messages
    this.requestId = headers.get('x-request-id')
    this.retryAfterSeconds = secondsOf(headers.get('retry-after'))
  }
}

/** 400: the request is wrong: a field, a parameter, a reference. */
export class InvalidRequestError extends TesseraError {
  override name = 'InvalidRequestError'
}
/** 401: the credentials are missing or invalid. */
export class UnauthenticatedError extends TesseraError {
  override name = 'UnauthenticatedError'
}
/** 403: the caller lacks a permission. */
export class ForbiddenError extends TesseraError {
  override name = 'ForbiddenError'
}
/** 404 and 410: not found, or no longer available. */
export class NotFoundError extends TesseraError {
  override name = 'NotFoundError'
}
/** 409: conflicts with something that exists. */
export class ConflictError extends TesseraError {
  override name = 'ConflictError'
}
/** 412: the state has changed since it was read, or `expect` does not hold. */
export class StaleError extends TesseraError {
  override name = 'StaleError'
}
/** 413 and 422: the service understands the request, but cannot do it: a quota, a rule, too much work. */
export class UnprocessableError extends TesseraError {
  override name = 'UnprocessableError'
}
/** 429: too many requests, even after the retries. */
export class TooManyRequestsError extends TesseraError {
  override name = 'TooManyRequestsError'
}
/** 503: the service is busy or cannot reach its database, even after the retries. */
export class UnavailableError extends TesseraError {
  override name = 'UnavailableError'
}

/** No response arrived: the network failed, or `timeoutMs` was exceeded. */
export class ConnectionError extends Error {
  override name = 'ConnectionError'

  constructor(method: string, path: string, cause: unknown) {
    super(`${method} ${path} got no answer: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

const classes: ReadonlyMap<number, typeof TesseraError> = new Map([
  [400, InvalidRequestError],
  [401, UnauthenticatedError],
  [403, ForbiddenError],
  [404, NotFoundError],
  [409, ConflictError],
  [410, NotFoundError],
  [412, StaleError],
  [413, UnprocessableError],
  [422, UnprocessableError],
  [429, TooManyRequestsError],
  [503, UnavailableError],
])

export async function errorOf(method: string, path: string, response: Response): Promise<TesseraError> {
  const { status, headers } = response
  const text = await response.text().catch(() => '')
  return new (classes.get(status) ?? TesseraError)({ method, path, status, body: parsed(text), headers })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * Returns the messages of an error body. The areas of the API have different bodies.
 * docs/guide/conventions.md#error-bodies.
 */
function messagesOf(body: unknown): Record<string, string[]> {
  if (typeof body !== 'object' || body === null) return {}
  const { details, detail, error, message, hint, field, ...rest } = body as Record<string, unknown>
  if (typeof details === 'object' && details !== null) return listsIn(details)
  if (typeof detail === 'object' && detail !== null) return listsIn(detail)
  const texts = [error, message, detail, hint].filter((text) => typeof text === 'string')
  if (texts.length > 0) return { [typeof field === 'string' ? field : '']: texts }
  return listsIn({ ...rest, error, message, detail, hint, field })
}

const listsIn = (fields: object): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, texts]) => Array.isArray(texts) || typeof texts === 'string')
      .map(([field, texts]) => [field, [texts].flat().map(String)]),
  )

/** Reads Retry-After: seconds, or a date. */
export function secondsOf(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined
  if (/^\d+$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now) / 1000)
}
