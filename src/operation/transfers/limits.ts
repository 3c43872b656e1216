/** The limits of transfers. */

/** The maximum number of transfers of one organization that run at a time. */
export const openMax = 5
/** The milliseconds for which a Worker continues with a transfer before it queues the rest. */
export const turnMs = 20_000
/** The number of attempts of a step before the transfer fails. */
export const attemptsMax = 8
/**
 * The days for which the archive of an export can be downloaded, and for which an import waits for its
 * archive.
 */
export const keepDays = 3
/** The days for which a transfer without an archive can be read after its end. */
export const rememberDays = 30
/** The maximum number of records in a page. */
export const pageRows = 2_000
/** The intended number of bytes in a page. */
export const pageBytes = 512 * 1024
