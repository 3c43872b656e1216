/** The errors of API keys. */
import { AppError } from '../../errors.ts'

/** Another key has taken the place of this one. 409. */
export const keyIsReplaced = () =>
  new AppError(409, 'key_replaced', {
    detail: 'This key was replaced already. Rotate the newer key, or create one.',
  })

/** A key in the place of this one would have expired as well. 409. */
export const keyHasExpired = () =>
  new AppError(409, 'key_expired', { detail: 'This key has expired. Create a new one.' })
