/** The modules that the local stack loads, by their sources. */
export const workers = ['src/worker.ts', 'mongodb/src/worker.ts', 'dev/functions/worker.ts'] as const

/** Returns the name of the file of a module in the package tessera-local. */
export const fileOf = (entry: string): string => entry.replaceAll('/', '-').replace(/\.ts$/, '.js')
