/** Errors with headers that many routes declare. A6, A7, W1. */
import { detail } from './bodies.ts'
import type { Answer } from './describe.ts'

/** The 401. The header `WWW-Authenticate` says how to authenticate. */
export const notSignedIn: Answer = { body: detail, headers: ['WWW-Authenticate'] }
/** The 429. The headers say which limit was exceeded, and when to try again. */
export const tooManyRequests: Answer = {
  body: detail,
  headers: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
}
/** The 503. The header `Retry-After` says when to try again. */
export const databaseUnavailable: Answer = { body: detail, headers: ['Retry-After'] }
