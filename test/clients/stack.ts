/** A running service with an app of two tables, for the tests of clients. */
import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../dev/free-port.ts'
import { temporaryFolder } from '../../dev/temporary-folder.ts'
import { run } from '../support/processes.ts'
import { until } from '../support/until.ts'

const email = 'root@example.net'
const password = "It's-a-pass-1"

export interface Stack {
  /** The address of the service. */
  base: string
  email: string
  password: string
  token: string
  stop(): Promise<void>
}

const id = { name: 'id', type: 'integer' }
const resources = [
  {
    name: 'makers',
    schema: {
      fields: [id, { name: 'name', type: 'string', constraints: { required: true, unique: true } }],
      primaryKey: 'id',
    },
  },
  {
    name: 'tools',
    schema: {
      fields: [
        id,
        { name: 'name', type: 'string', constraints: { required: true, maxLength: 80 } },
        { name: 'fee', type: 'number', constraints: { minimum: 0 } },
        {
          name: 'condition',
          type: 'string',
          constraints: { enum: ['new', 'good', 'worn'] },
          default: 'good',
        },
        { name: 'maker_id', type: 'integer' },
        { name: 'bought_on', type: 'date' },
        { name: 'about', type: 'object' },
        { name: 'updated_at', type: 'datetime' },
      ],
      primaryKey: 'id',
      foreignKeys: [{ fields: 'maker_id', reference: { resource: 'makers', fields: 'id' } }],
    },
  },
]

/** The app that the clients use. */
export const app = 'workshop'

export async function startStack(): Promise<Stack> {
  const folder = temporaryFolder('clients')
  // As root, Postgres runs as another user, who needs access to its files.
  chmodSync(folder, 0o711)
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const variables = {
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    ADMIN_EMAIL: email,
    ADMIN_PASSWORD: password,
    RATE_LIMIT_SCALE: '1000',
  }
  const stack = run(['start'], variables)
  await until(
    async () => (await fetch(`${base}/readyz`)).status === 200,
    () => `/readyz\n${stack.output()}`,
  )
  const post = async (path: string, body: unknown, token?: string) => {
    const headers = {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    }
    const response = await fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`)
    return response.json() as Promise<{ access: string }>
  }
  const { access: token } = await post('/api/auth/jwt/token/', { username: email, password })
  await post('/api/apps/', { name: app }, token)
  await post(`/api/apps/${app}/datatables/create_schema/?materialize=true`, { resources }, token)
  return {
    ...{ base, email, password, token },
    async stop() {
      if (stack.process.exitCode === null) process.kill(-(stack.process.pid as number), 'SIGTERM')
      await stack.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
