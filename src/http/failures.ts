/** From what was thrown to the response. */
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { DatabaseAway, DatabaseFailure, isBadValue, isPassing, sqlstates } from '../db/failures.ts'
import { WrongConfiguration } from '../env.ts'
import { AppError, internal, malformedJson, misconfigured, notFound, quotaExceeded, unavailable, unready, unstorable } from '../errors.ts'
import { describeFailure, log } from '../lib/log.ts'
import type { AppEnv } from './app-env.ts'

export function respondToFailure(thrown: Error, c: Context<AppEnv>): Response {
  const failure = failureOf(thrown, c)
  return c.json(failure.body, failure.status)
}

/** What the client is told, with its headers set; what it is not told is logged. */
export function failureOf(thrown: Error, c: Context<AppEnv>): AppError {
  const failure = asAppError(thrown, c.req.path)
  if (failure.status >= 500) {
    log({ level: 'error', request_id: c.var.requestId, status: failure.status, ...describeFailure(thrown, c.env.ENVIRONMENT === 'development') })
  }
  for (const [name, value] of Object.entries(failure.headers)) c.header(name, value)
  return failure
}

function asAppError(thrown: Error, path: string): AppError {
  if (thrown instanceof AppError) return thrown
  if (thrown instanceof WrongConfiguration) return path === '/readyz' ? unready(thrown.message) : misconfigured(thrown)
  if (thrown instanceof DatabaseAway) return unavailable(thrown)
  if (thrown instanceof DatabaseFailure && isPassing(thrown.sqlstate)) return unavailable(thrown)
  if (thrown instanceof DatabaseFailure && thrown.sqlstate === sqlstates.quota) return quotaExceeded(thrown.detail ?? '', thrown)
  if (thrown instanceof DatabaseFailure && isBadValue(thrown.sqlstate)) return path.includes(nul) ? notFound() : unstorable()
  if (thrown instanceof HTTPException && thrown.status === 400) return malformedJson()
  return internal()
}

/** Nothing has a name with this character in it. */
const nul = '%00'

/** W1. */
export const bodyBytesMax = 10 * 1024 * 1024
