/** The limits of a run of a function's code, and the reason that a run which passes one ends with. E2. */

/** CPU time. Cloudflare enforces it on loaded Workers; workerd by itself does not, so the local stack does. */
export const cpuMsMax = 10_000

export const tookTooLong = (timeoutMs: number): string => `The function took longer than ${Math.round(timeoutMs / 100) / 10} seconds.`

export const waitedTooLong = 'The function had to wait for its turn, and did not end in time.'

export const usedTooMuchCpu = (cpuMs: number): string => `The function used more than its CPU limit of ${cpuMs / 1000} s and was stopped.`

export const usedTooMuchMemory = (bytes: number): string => `The function used more than ${bytes / 1024 ** 2} MiB of memory and was stopped.`
