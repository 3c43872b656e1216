/** `npm start` with its own port and data folder, and functions of its demo site. */
import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, signIn } from '../../dev/client.ts'
import { freePort } from '../../dev/free-port.ts'
import { temporaryFolder } from '../../dev/temporary-folder.ts'
import { type Run, runProgram } from './processes.ts'
import { until } from './until.ts'

const admin = { email: 'root@example.net', password: 'Loops-and-loops-1' }
const functions = '/api/apps/library/functions/'

export interface Invocation {
  id: number
  status: string
  error: string | null
  result: unknown
  attempts: number
  created_at: string
  started_at: string
}

export interface NpmStart {
  port: number
  base: string
  /** The running processes. */
  stack: Run
  client: Client
  /** Starts it again after it has ended, with the same port and data. */
  start(variables?: Record<string, string>): Promise<void>
  makeFunction(name: string, code: string, more?: object): Promise<{ id: number; slug: string }>
  execute(slug: string, params?: object): Promise<Invocation>
  end(): Promise<void>
}

/** Starts it. `variables` apply to every start. */
export async function npmStart(variables: Record<string, string>): Promise<NpmStart> {
  const folder = temporaryFolder('start')
  // As root, Postgres runs as another user, who needs access to its files.
  chmodSync(folder, 0o711)
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`

  async function start(more: Record<string, string> = {}): Promise<Pick<NpmStart, 'stack' | 'client'>> {
    const stack = runProgram('npm', ['start'], {
      PORT: String(port),
      DATA_DIR: join(folder, 'data'),
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      RATE_LIMIT_SCALE: '1000',
      ...variables,
      ...more,
    })
    await until(
      async () => (await fetch(`${base}/readyz`)).ok,
      () => `/readyz\n${stack.output()}`,
    )
    return { stack, client: await signIn(base, admin.email, admin.password) }
  }

  const running: NpmStart = {
    port,
    base,
    ...(await start()),
    start: async (more) => void Object.assign(running, await start(more)),
    makeFunction: (name, code, more = {}) =>
      running.client.request<{ id: number; slug: string }>('POST', functions, { name, code, ...more }),
    async execute(slug, params = {}) {
      const path = `${functions}${slug}/execute/`
      return (await running.client.request<{ invocation: Invocation }>('POST', path, { params })).invocation
    },
    async end() {
      const { process: npm, exited } = running.stack
      if (npm.exitCode === null) process.kill(-(npm.pid as number), 'SIGTERM')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return running
}
