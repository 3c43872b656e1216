/** Errors of an exchange with a provider. Their causes are only for the log. S5, S7. */
import { AppError } from '../../errors.ts'

const badRequest = (detail: string, cause?: unknown) => new AppError(400, { detail }, { cause })

/** The 400 for a provider whose configuration or discovery document cannot be used. */
export const providerUnusable = (cause?: unknown) =>
  badRequest('The provider is not configured, or its configuration cannot be read.', cause)

/** The 400 if the provider rejected the code, or if a check of its response failed. */
export const codeRejected = (cause?: unknown) =>
  badRequest('The provider rejected the authorization code or returned an invalid response.', cause)
