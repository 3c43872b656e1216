import { extname, join } from 'node:path'

/** Returns the path of a program of the stack: a source here, and a module of the package tessera-local. */
export const programBeside = (name: string): string =>
  join(import.meta.dirname, `${name}${extname(import.meta.filename)}`)
