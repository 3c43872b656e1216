/** The errors of invocations. */
import { AppError, partNotFound } from '../../../kernel/errors.ts'

/** The 404 for an unknown invocation. */
export const invocationNotFound = (id: number) => partNotFound('invocation', id, ' in this site')

/** The 400 for a replay of an invocation whose status is not FAILURE. E5. */
export const notFailed = () =>
  new AppError(400, 'wrong_state', { detail: 'Only a failed invocation can be replayed.' })
