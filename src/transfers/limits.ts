/** The limits of transfers. */

/** How many transfers of one organization may run at a time. */
export const openMax = 5
/** How long a Worker continues with a transfer before it queues the rest. */
export const turnMs = 20_000
/** How many times a step is tried before the transfer fails. */
export const attemptsMax = 8
/** How long the archive of an export can be downloaded, and how long an import waits for its archive. */
export const keepDays = 3
/** How long a transfer without an archive can be read after its end. */
export const rememberDays = 30
/** The maximum number of records in a page. */
export const pageRows = 2_000
/** The intended number of bytes in a page. */
export const pageBytes = 512 * 1024
