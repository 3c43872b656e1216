/** The types of install.mjs, which has to run before TypeScript can. */

/**
 * Installs what package-lock.json of `folder` has and its node_modules lacks. `what` names it for the reader.
 * Returns whether everything is installed.
 */
export function installMissing(folder: string, what: string): Promise<boolean>

/** Returns whether npm has installed every package of the package-lock.json of `folder`. */
export function isComplete(folder: string): boolean

/** Returns what is shown of an installation: `missing` are the paths of packages that are not there yet. */
export function progressLine(all: number, missing: readonly string[], seconds: number): string

/** Runs npm in a folder. Returns its exit code. */
export function runNpm(args: readonly string[], folder: string): Promise<number>
