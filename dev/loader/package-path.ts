/** Checks the paths in a package: they may only lead to files in its own folder. */
import { posix } from 'node:path'
import { Refusal } from './refusal.ts'

const scheme = /^[a-z][a-z0-9+.-]*:\/\//i
const absolute = /^(?:[/\\~]|[a-z]:)/i

/** Each refused form of a path, with the reason and advice. */
const refused: readonly [form: (path: string) => boolean, reason: string][] = [
  [
    (path) => scheme.test(path),
    'is on another server, and nothing is fetched. Download it into the folder of the package, ' +
      'and name the file there.',
  ],
  [
    (path) => absolute.test(path),
    'is an absolute path. A package may name only files in its own folder: copy the file there, ' +
      'and write its path relative to the descriptor.',
  ],
  [(path) => path.includes('\\'), 'has a backslash. Write the path with "/", as it works on every system.'],
  [(path) => path.includes('\0') || path === '', 'is not the name of a file.'],
  [
    (path) => /^\.\.(?:\/|$)/.test(posix.normalize(path)),
    'leads out of the folder of the package. A package may name only files in its own folder: ' +
      'copy the file there, and write its path relative to the descriptor.',
  ],
]

/** Returns a path of a package in its shortest form. Throws a Refusal for one that is not in its folder. */
export function packagePath(path: string): string {
  const reason = refused.find(([form]) => form(path))?.[1]
  if (reason !== undefined) throw new Refusal(`${JSON.stringify(path.slice(0, 1000))} ${reason}`)
  return posix.normalize(path)
}
