/**
 * The one door between names of others and files of this machine. Names come from a service or from an
 * archive; links in a folder come from whoever shares it.
 */
import { lstatSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { quoteValue } from '../src/kernel/lib/quote-value.ts'
import { safePath } from '../src/operation/transfers/archive/manifest.ts'
import { Refusal } from './loader/refusal.ts'

/** The form of slugs, and of the names of tables. */
const nameForm = /^[a-z0-9][a-z0-9_-]{0,99}$/
/** Names that are devices of Windows, with any extension. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** Returns whether a name is a device on this system. */
const isDevice = (name: string): boolean => process.platform === 'win32' && device.test(name)

/** Returns whether a text can be the name of a file: it has the form of a slug. */
export const isFileName = (name: unknown): name is string =>
  typeof name === 'string' && nameForm.test(name) && !isDevice(name)

/** Returns a name that becomes that of a file or folder. Throws a Refusal if it cannot. */
export function fileName(name: unknown): string {
  if (isFileName(name)) return name
  throw new Refusal(`The name ${quoteValue(name ?? null)} cannot be that of a file.`)
}

/** Returns the place of a path below a folder. Throws a Refusal if the path could lead elsewhere. */
export function placeBelow(folder: string, path: string): string {
  if (safePath.test(path) && !path.split('/').some(isDevice)) return join(folder, path)
  throw new Refusal(`The path ${quoteValue(path)} cannot be that of a file.`)
}

/** Returns whether a real path is that of a folder, or below it. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Reads a file of a folder as text. Throws a Refusal if a link leads out of the folder. */
export function readOwn(folder: string, path: string): string {
  const file = realpathSync.native(join(folder, path))
  if (!isBelow(realpathSync.native(folder), file) || !statSync(file).isFile())
    throw new Refusal(`${join(folder, path)} is not a file in ${folder}, but a link or a device.`)
  return readFileSync(file, 'utf8')
}

/** Creates a folder in a folder. Throws a Refusal if it is a link that leads out of it. */
export function makeOwnFolder(folder: string, path: string): void {
  const place = join(folder, path)
  mkdirSync(place, { recursive: true })
  if (!isBelow(realpathSync.native(folder), realpathSync.native(place)))
    throw new Refusal(`${place} is a link out of ${folder}. Nothing is written there.`)
}

/** Writes a file of a folder. Throws a Refusal if it would be written through a link. */
export function writeOwn(folder: string, path: string, text: string, mode?: number): void {
  makeOwnFolder(folder, dirname(path))
  const file = join(folder, path)
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found && !found.isFile()) throw new Refusal(`${file} is a link or a folder. It is not replaced.`)
  writeFileSync(file, text, mode === undefined ? {} : { mode })
}
