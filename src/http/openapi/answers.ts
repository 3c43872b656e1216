/** Failures with headers that the answers of many routes have in common. A6, A7, W1. */
import { detail } from './bodies.ts'
import type { Answer } from './describe.ts'

export const notSignedIn: Answer = { body: detail, headers: ['WWW-Authenticate'] }
export const tooManyRequests: Answer = { body: detail, headers: ['Retry-After', 'RateLimit', 'RateLimit-Policy'] }
export const databaseAway: Answer = { body: detail, headers: ['Retry-After'] }
