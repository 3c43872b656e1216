/**
 * A server that speaks MongoDB's protocol, for tests and for trying out: SecantusDB, a package of Python
 * that is installed in a folder of its own. It is never a dependency of the service.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

const version = '0.7.0b3'
const packages = join(import.meta.dirname, '..', '.tessera', 'mongodb-server', version)
const windows = process.platform === 'win32'
const programs = join(packages, windows ? 'Scripts' : 'bin')
const server = join(programs, windows ? 'secantusd-py.exe' : 'secantusd-py')

/** How long its installation may take, also where the network does not answer. */
const installMs = 180_000
/** How long the server may take to listen: Python compiles it the first time. */
const patienceMs = 60_000

export interface MongodbServer {
  /** The connection string. */
  url: string
  port: number
  stop(): Promise<void>
}

/** Returns a Python 3.10 or newer; undefined if there is none. */
const findPython = (): string | undefined =>
  ['python3', 'python'].find((name) => {
    const check = 'import sys, venv; sys.exit(sys.version_info < (3, 10))'
    return spawnSync(name, ['-c', check], { stdio: 'ignore' }).status === 0
  })

/** Installs the server unless it is there. Returns why that is not possible; undefined if it is there. */
function install(): string | undefined {
  if (existsSync(server)) return undefined
  const python = findPython()
  if (!python) return 'there is no Python 3.10 or newer'
  console.log(`Installing SecantusDB ${version} into ${packages}.`)
  mkdirSync(packages, { recursive: true })
  const made = spawnSync(python, ['-m', 'venv', packages], { encoding: 'utf8' })
  const pip = join(programs, windows ? 'pip.exe' : 'pip')
  const installed =
    made.status === 0
      ? spawnSync(pip, ['install', '-q', `SecantusDB==${version}`], { encoding: 'utf8', timeout: installMs })
      : made
  if (installed.status === 0 && existsSync(server)) return undefined
  rmSync(packages, { recursive: true, force: true })
  // A program that cannot be started has written nothing.
  const said = installed.error?.message ?? `${installed.stdout}\n${installed.stderr}`
  return `SecantusDB could not be installed: ${said.trim().split('\n').at(-1)}`
}

/**
 * Starts the server on a loopback port; omitted: any free one. `dataFolder`: where it keeps its data; omitted:
 * nowhere. Returns why it cannot be started as `reason`.
 */
export async function startMongodbServer({
  dataFolder = ':memory:',
  port: wanted,
}: {
  dataFolder?: string
  port?: number
} = {}): Promise<MongodbServer | { reason: string }> {
  const reason = install()
  if (reason !== undefined) return { reason }
  const port = wanted ?? (await freePort())
  const options = ['--port', String(port), '--storage-path', dataFolder, '--log-level', 'ERROR']
  const child = spawn(server, options, { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = new Promise<void>((done) => child.once('close', () => done()))
  const stop = async () => {
    child.kill()
    await ended
  }
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; ) {
    if (child.exitCode !== null || child.signalCode !== null)
      return { reason: `SecantusDB ended with ${child.signalCode ?? `code ${child.exitCode}`}` }
    if (await listens(port)) return { url: `mongodb://127.0.0.1:${port}/`, port, stop }
    await new Promise((again) => setTimeout(again, 100))
  }
  await stop()
  return { reason: 'SecantusDB did not start in time' }
}

const listens = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1')
    const end = (is: boolean) => {
      socket.destroy()
      done(is)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
