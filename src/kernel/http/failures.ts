/** Turns everything that a handler throws into the response, and logs errors of the service. */
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { RowMissing } from '../db/batch.ts'
import {
  DatabaseFailure,
  DatabaseUnavailable,
  isConstraintViolation,
  isInvalidValue,
  isTemporary,
  sqlstates,
} from '../db/failures.ts'
import { InvalidConfiguration } from '../env.ts'
import {
  AppError,
  answerTooLarge,
  changedMeanwhile,
  internal,
  misconfigured,
  notFound,
  quotaExceeded,
  tooComplex,
  unavailable,
  unready,
  unstorable,
} from '../errors.ts'
import { describeFailure, log } from '../lib/log.ts'
import type { AppEnv } from './app-env.ts'
import { malformedJson } from './body-errors.ts'
import { MayFollow } from './live-answer.ts'

/** Hono's error handler for the API. */
export function respondToFailure(thrown: Error, c: Context<AppEnv>): Response {
  if (thrown instanceof MayFollow) return c.body(null, 204)
  const failure = failureOf(thrown, c)
  return c.json(failure.body, failure.status)
}

/**
 * Returns the error for the client and sets its headers. Logs the cause if the status is 500 or more, if the
 * request was too complex, and if only Postgres has found a value that it cannot store.
 */
export function failureOf(thrown: Error, c: Context<AppEnv>): AppError {
  const failure = asAppError(thrown, c.req.path)
  if (failure.status >= 500 || isOverflow(thrown) || (failure.status === 400 && isUnstorable(thrown))) {
    log({
      level: failure.status >= 500 ? 'error' : 'warn',
      request_id: c.var.requestId,
      status: failure.status,
      ...describeFailure(thrown, c.env.ENVIRONMENT === 'development'),
    })
  }
  for (const [name, value] of Object.entries(failure.headers)) c.header(name, value)
  return failure
}

function asAppError(thrown: Error, path: string): AppError {
  if (thrown instanceof AppError) return thrown
  if (thrown instanceof InvalidConfiguration)
    return path === '/readyz' ? unready(thrown.message) : misconfigured(thrown)
  if (thrown instanceof DatabaseUnavailable) return unavailable(thrown)
  if (thrown instanceof DatabaseFailure && isTemporary(thrown.sqlstate)) return unavailable(thrown)
  if (thrown instanceof DatabaseFailure && thrown.sqlstate === sqlstates.quota)
    return quotaExceeded(thrown.detail ?? '', thrown)
  if (thrown instanceof DatabaseFailure && thrown.sqlstate === sqlstates.answerTooLong)
    return answerTooLarge(Number(thrown.detail), thrown)
  if (isUnstorable(thrown)) return path.includes(encodedNul) ? notFound() : unstorable()
  if (thrown instanceof HTTPException && thrown.status === 400) return malformedJson()
  if (isOverflow(thrown)) return tooComplex()
  if (lostRace(thrown)) return changedMeanwhile(thrown)
  return internal()
}

/**
 * Tells whether the stack overflowed, here or in Postgres. This happens if zod passes too many problems as
 * the arguments of one call, or for a value that is nested too deeply. Only a request can be that large, not
 * the data of the service.
 */
const isOverflow = (thrown: Error): boolean =>
  (thrown instanceof RangeError && thrown.message.includes('call stack')) ||
  (thrown instanceof DatabaseFailure && thrown.sqlstate === sqlstates.stackTooDeep)

/**
 * Tells whether Postgres has refused a value that no validation has found. Either the value is the client's,
 * and a validation is missing, or a statement is wrong: the log says which SQLSTATE it was.
 */
const isUnstorable = (thrown: Error): boolean =>
  thrown instanceof DatabaseFailure && isInvalidValue(thrown.sqlstate)

/**
 * Tells whether another request has changed something between the check and the write of this one. The checks
 * find every other reason for these failures, and give it a better answer.
 */
const lostRace = (thrown: Error): boolean =>
  thrown instanceof RowMissing ||
  (thrown instanceof DatabaseFailure && isConstraintViolation(thrown.sqlstate))

/** A path with this character cannot name anything that is stored. */
const encodedNul = '%00'

/** The largest request body, in bytes. W1. */
export const bodyBytesMax = 10 * 1024 * 1024
