/** `npm start` on a port and a data folder of its own, and functions of its demo site. */
import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, signIn } from '../../dev/client.ts'
import { freePort } from '../../dev/postgres.ts'
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
  /** The processes that run now. */
  stack: Run
  client: Client
  /** Starts again, on the same port and data, what has ended. */
  start(variables?: Record<string, string>): Promise<void>
  makeFunction(name: string, code: string, more?: object): Promise<{ id: number; slug: string }>
  execute(slug: string, params?: object): Promise<Invocation>
  end(): Promise<void>
}

/** `variables` are those of every start. */
export async function npmStart(variables: Record<string, string>): Promise<NpmStart> {
  const folder = temporaryFolder('start')
  // Under root, Postgres runs as somebody else, who has to get to its files.
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
