/** The errors of walks. */
import { AppError } from '../../kernel/errors.ts'

/** The 400 for a depth above the maximum. Spec: Errors, graph depth above the maximum; R11. */
export const depthExceeded = (depthMax: number) =>
  new AppError(400, 'validation_failed', {
    error: 'Validation failed',
    detail: `depth exceeds maximum allowed (${depthMax})`,
  })
