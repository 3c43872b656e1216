/**
 * The file with the credentials of this user, by service and site. It is in the user's configuration folder
 * and has the mode 600.
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { TokenStore, Tokens } from '../../../client/src/index.ts'
import { Problem } from '../problem.ts'
import type { Target } from '../target.ts'

/** A sign-in: the tokens of an account, or an API key. */
export interface Entry extends Target {
  username?: string
  tokens?: Tokens
  apiKey?: string
}

interface Kept {
  /** The target of the last sign-in, for commands without an address. */
  current?: Target
  /** The latest sign-in is the last one. */
  entries: Entry[]
}

/** Returns the folder of the configuration. `TESSERA_CONFIG_DIR` sets another one. */
export function configurationFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { TESSERA_CONFIG_DIR, XDG_CONFIG_HOME, APPDATA } = environment
  if (TESSERA_CONFIG_DIR) return TESSERA_CONFIG_DIR
  if (process.platform === 'win32' && APPDATA) return join(APPDATA, 'tessera')
  return join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'tessera')
}

const file = () => join(configurationFolder(), 'credentials.json')

/** Reads the file. Throws a Problem if it has another format. */
function read(): Kept {
  let text: string
  try {
    text = readFileSync(file(), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { entries: [] }
    throw error
  }
  try {
    const kept = JSON.parse(text) as Kept
    if (Array.isArray(kept.entries)) return kept
  } catch {
    // The error below says what to do.
  }
  throw new Problem(`${file()} cannot be read. Delete it and sign in again.`)
}

/** Replaces the file in one step, so that nobody reads an unfinished file. */
function write(kept: Kept): void {
  mkdirSync(configurationFolder(), { recursive: true, mode: 0o700 })
  const next = `${file()}.${process.pid}`
  rmSync(next, { force: true })
  writeFileSync(next, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  chmodSync(next, 0o600)
  renameSync(next, file())
}

const isSame = (a: Target, b: Target): boolean => a.url === b.url && a.site === b.site

/** Returns the target of the last sign-in. */
export const currentTarget = (): Target | undefined => read().current

export const allEntries = (): readonly Entry[] => read().entries

/**
 * Returns the sign-in for a site: its own, or else the latest one of an account at the same service, because
 * an account belongs to the whole service. An API key belongs to one site.
 */
export function entryFor(target: Target): Entry | undefined {
  const { entries } = read()
  const own = entries.find((entry) => isSame(entry, target))
  return own ?? entries.findLast(({ url, tokens }) => url === target.url && tokens)
}

/** Stores a sign-in as the latest one, replaces an earlier one, and makes it the current one. */
export const keepEntry = (entry: Entry): Promise<void> =>
  alone(async () => {
    const { entries } = read()
    const { url, site } = entry
    write({
      current: { url, ...(site === undefined ? {} : { site }) },
      entries: [...entries.filter((other) => !isSame(other, entry)), entry],
    })
  })

/** Removes a sign-in. */
export const forgetEntry = (target: Target): Promise<void> =>
  alone(async () => {
    const { current, entries } = read()
    const left = entries.filter((entry) => !isSame(entry, target))
    write({ ...(current && !isSame(current, target) ? { current } : {}), entries: left })
  })

/** Creates the store of the tokens of a sign-in. Of several concurrent processes, one renews them for all. */
export const fileStore = (target: Target): TokenStore => ({
  read: () => read().entries.find((entry) => isSame(entry, target))?.tokens ?? null,
  write(tokens) {
    const kept = read()
    const entries = kept.entries.flatMap((entry) => {
      if (!isSame(entry, target)) return [entry]
      return tokens === null ? [] : [{ ...entry, tokens }]
    })
    write({ ...kept, entries })
  },
  alone,
})

/** A lock older than this was left by a killed process. In ms. */
const abandonedMs = 30_000

/** Runs work with a lock, so that no other process of this user changes the file. */
async function alone<Value>(work: () => Promise<Value>): Promise<Value> {
  const lock = `${file()}.lock`
  mkdirSync(configurationFolder(), { recursive: true, mode: 0o700 })
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx', mode: 0o600 })
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
      if (age > abandonedMs) rmSync(lock, { force: true })
      else await wait(50)
    }
  }
  try {
    return await work()
  } finally {
    rmSync(lock, { force: true })
  }
}
