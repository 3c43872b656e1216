/** A person's machine at the start: an empty folder, an empty npm cache, and the commands of the README. */
import { spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../dev/free-port.ts'
import { temporaryFolder } from '../../dev/temporary-folder.ts'
import { type Run, runProgram, survivorsOf, treeOf } from '../support/processes.ts'
import { scaled } from '../support/scaled.ts'
import { until } from '../support/until.ts'

const root = join(import.meta.dirname, '..', '..')

export interface Person {
  folder: string
  port: number
  base: string
  /** Runs `git clone` into a folder with this name. Returns its path. */
  clone(name: string): string
  /** Starts npm in a clone. */
  npm(clone: string, ...args: string[]): Run
  /** Starts a program of the clone, as `npx` does. */
  npx(clone: string, ...args: string[]): Run
  /** Keeps a measurement, to print it at the end. */
  note(what: string): void
  /** Prints the measurements, and removes all files. */
  leave(): void
}

export async function newPerson(): Promise<Person> {
  const folder = temporaryFolder('first-hour')
  // As root, Postgres runs as another user, who needs access to its files.
  chmodSync(folder, 0o711)
  const port = await freePort()
  const notes = join(root, '.tessera', 'first-hour.log')
  mkdirSync(join(root, '.tessera'), { recursive: true })
  writeFileSync(notes, '')
  const env = {
    PORT: String(port),
    DATA_DIR: '',
    RATE_LIMIT_SCALE: '1000',
    npm_config_cache: join(folder, 'npm-cache'),
    WRANGLER_SEND_METRICS: 'false',
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  }
  return {
    folder,
    port,
    base: `http://127.0.0.1:${port}`,
    clone(name) {
      const path = join(folder, name)
      const { status, stderr } = spawnSync('git', ['clone', '--quiet', '--no-local', root, path])
      if (status !== 0) throw new Error(String(stderr))
      return path
    },
    npm: (clone, ...args) => runProgram('npm', args, env, clone),
    npx: (clone, ...args) => runProgram('npx', args, env, clone),
    note(what) {
      appendFileSync(notes, `${what}\n`)
      console.log(what)
    },
    leave() {
      console.log(`The measurements are in ${notes}.`)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Waits until a command has printed a text. */
export const says = (ran: Run, text: string | RegExp): Promise<void> =>
  until(
    () => {
      if (ran.process.exitCode !== null) throw new Error('it ended')
      return ran.output().search(text) !== -1
    },
    () => `${text}\n${ran.output().slice(-4000)}`,
    scaled(600_000),
  )

/** Ends a command as Ctrl-C does, and waits until all its processes have ended. */
export async function interrupt(ran: Run): Promise<void> {
  const group = ran.process.pid as number
  const tree = treeOf(group)
  if (tree.length > 0) process.kill(-group, 'SIGINT')
  await ran.exited
  await until(
    () => survivorsOf(tree).length === 0,
    () => `no process left: ${JSON.stringify(survivorsOf(tree))}`,
    scaled(60_000),
  )
}
