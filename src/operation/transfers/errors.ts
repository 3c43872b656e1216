/** The failures of transfers. */

import { siteStateError, slugTaken } from '../../identity/organizations/sites/service.ts'
import { DatabaseFailure, sqlstates } from '../../kernel/db/failures.ts'
import { AppError, quotaExceeded } from '../../kernel/errors.ts'
import { openMax } from './limits.ts'

/** The 422 for an organization with the maximum number of running transfers. */
const tooMany = () =>
  quotaExceeded(
    `At most ${openMax} transfers of an organization go on at a time. Wait for one, or cancel one.`,
  )

/** The 422 for a site that is too large for a transfer. */
const tooLarge = (bytes: string, bytesMax: number) =>
  quotaExceeded(
    `The tables of the site have ${bytes} bytes. The service transfers sites of up to ${bytesMax} bytes ` +
      '(TRANSFER_BYTES_MAX). The command line transfers larger ones: tessera sites export, import and copy.',
  )

/** Converts the failures when a transfer starts. Returns other failures unchanged. */
export function beginError(error: unknown, slug: string, bytesMax: number): unknown {
  const state = slugTaken(error, 'slug', slug) ?? siteStateError(error)
  if (state || !(error instanceof DatabaseFailure)) return state ?? error
  if (error.sqlstate === sqlstates.tooManyTransfers) return tooMany()
  if (error.sqlstate === sqlstates.tooLargeForTransfer) return tooLarge(error.detail ?? '', bytesMax)
  return error
}

/** The 409 for a transfer that has ended, or that has not reached the state that the request needs. */
export const wrongState = (text: string) => new AppError(409, 'wrong_state', { detail: text })

/** The 422 for an archive that is too large. */
export const archiveTooLarge = (bytesMax: number) =>
  quotaExceeded(
    `The service takes archives of up to ${bytesMax} bytes (TRANSFER_BYTES_MAX). The command line ` +
      'imports larger ones: tessera sites import.',
  )
