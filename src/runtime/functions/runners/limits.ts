/** The limits of an attempt that runs a function's code, and the errors of attempts that exceed them. E2. */

/** CPU time. Cloudflare enforces it on loaded Workers. workerd alone does not, so the local stack does. */
export const cpuMsMax = 10_000

/**
 * The maximum number of requests of a run, including those to its own site. Cloudflare and the gate enforce
 * it.
 */
export const requestsMax = 50

/** The error of an attempt that exceeds its time limit. */
export const tookTooLong = (timeoutMs: number): string =>
  `The function took longer than ${Math.round(timeoutMs / 100) / 10} seconds.`

/** The error of an attempt whose time was used up by waiting for a free process. */
export const waitedTooLong = 'The function had to wait for a free process and did not end in time.'

/** The error of an attempt that exceeds the CPU limit. */
export const usedTooMuchCpu = (cpuMs: number): string =>
  `The function used more than its CPU limit of ${cpuMs / 1000} s and was stopped.`

/** The error of an attempt whose process exceeds the memory limit. */
export const usedTooMuchMemory = (bytes: number): string =>
  `The function used more than ${bytes / 1024 ** 2} MiB of memory and was stopped.`

/** The origin of the site's API for the code of functions. It leads only to the gate. */
export const gateOrigin = 'http://site'

/** The header in which a process of the local stack sends the credential of a run to the gate. */
export const credentialHeader = 'x-run'

/** The address to which the sandbox sends printed lines. Only `tessera functions dev` listens there. */
export const linesPath = '/lines'
