/** Errors with headers that many routes declare. A6, A7, W1. */
import { detail } from './bodies.ts'
import type { Answer } from './describe.ts'

/** 401: how to authenticate is in the header `WWW-Authenticate`. */
export const notSignedIn: Answer = { body: detail, headers: ['WWW-Authenticate'] }
/** 429: which limit was exceeded and when to try again is in the headers. */
export const tooManyRequests: Answer = {
  body: detail,
  headers: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
}
/** 503: when to try again is in the header `Retry-After`. */
export const databaseUnavailable: Answer = { body: detail, headers: ['Retry-After'] }
