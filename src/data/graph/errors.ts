import { AppError } from '../../errors.ts'

/** Spec: Errors, graph depth above the maximum; R11. */
export const depthExceeded = (depthMax: number) =>
  new AppError(400, { error: 'Validation failed', detail: `depth exceeds maximum allowed (${depthMax})` })
