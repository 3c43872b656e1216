/** What transfers may take. */

/** How many transfers of one organization may run at a time. */
export const openMax = 5
/** How long a Worker continues with a transfer before it queues the rest. */
export const turnMs = 20_000
/** How often a step is begun before the transfer fails. */
export const attemptsMax = 8
/** How long an archive can be downloaded, and how long an import waits for one. */
export const keepDays = 3
/** How long a transfer without an archive can be read after its end. */
export const rememberDays = 30
/** The maximum number of records a page has. */
export const pageRows = 2_000
/** How many bytes a page is meant to have. */
export const pageBytes = 512 * 1024
