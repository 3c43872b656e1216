/**
 * The environment of a database, and its deployments: the table public.deployments. It is separate from the
 * migrations, because only deployed databases have it.
 */
import type pg from 'pg'
import { demoPassword } from '../../src/kernel/access/demo-password.ts'
import { verifyPassword } from '../../src/kernel/access/passwords.ts'
import { onConnection } from '../connection.ts'
import type { EnvironmentName } from './environment-names.ts'

/**
 * The maximum number of superusers whose password is compared with the demo's: a hash takes a tenth of a
 * second.
 */
const superusersMax = 50

const createTable = `
  create table if not exists public.deployments (
    id bigint generated always as identity primary key,
    environment text not null,
    kind text not null,
    worker_version text,
    started_at timestamptz not null default now(),
    finished_at timestamptz
  )`

const isDeployed = `select to_regclass('public.deployments') is not null as is`

/** Returns the environment of a database; undefined if nothing was deployed to it. */
async function environmentOf(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ is: boolean }>(isDeployed)
  if (!rows[0]?.is) return undefined
  const first = await client.query<{ environment: string }>(
    'select environment from public.deployments order by id limit 1',
  )
  return first.rows[0]?.environment
}

/** Throws if a deployed environment uses the database: it must not get a demo, whose password is public. */
export async function refuseDeployed(ownerUrl: string): Promise<void> {
  const environment = await onConnection(ownerUrl, environmentOf)
  if (environment !== undefined)
    throw new Error(
      `the database at OWNER_DATABASE_URL is that of ${environment}. The local stack makes a demo with a known ` +
        'password; use another database.',
    )
}

/**
 * Throws if another environment uses the database, or if the demo is in it. An account with the demo's
 * password is found by its hash.
 */
export async function checkDatabase(ownerUrl: string, environment: EnvironmentName): Promise<void> {
  await onConnection(ownerUrl, async (client) => {
    const other = await environmentOf(client)
    if (other !== undefined && other !== environment)
      throw new Error(`The database at OWNER_DATABASE_URL is that of ${other}, not of ${environment}.`)
    const hasUsers = await client.query<{ is: boolean }>(
      `select to_regclass('public.users') is not null as is`,
    )
    if (hasUsers.rows[0]?.is) await refuseDemo(client)
  })
}

async function refuseDemo(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ email: string; password_hash: string }>(
    `select email, password_hash from public.users
      where password_hash is not null and (is_superuser or lower(email) like '%@example.com')
      order by lower(email) = 'admin@example.com' desc, id limit $1`,
    [superusersMax],
  )
  for (const { email, password_hash } of rows)
    if (await verifyPassword(demoPassword, password_hash))
      throw new Error(
        `The account ${email} has the password of the demo, which everybody knows. ` +
          'Delete the account, or use another database.',
      )
}

/** Records that a deployment begins. Returns its id. */
export const noteStart = (ownerUrl: string, environment: EnvironmentName, kind: 'deploy' | 'rollback') =>
  onConnection(ownerUrl, async (client) => {
    await client.query(createTable)
    const { rows } = await client.query<{ id: string }>(
      'insert into public.deployments (environment, kind) values ($1, $2) returning id',
      [environment, kind],
    )
    return rows[0]?.id as string
  })

/**
 * Records that a deployment has succeeded. `version`: the id of the Worker's version, if wrangler reported
 * it.
 */
export const noteEnd = (ownerUrl: string, id: string, version: string | undefined) =>
  onConnection(ownerUrl, (client) =>
    client.query('update public.deployments set finished_at = now(), worker_version = $2 where id = $1', [
      id,
      version ?? null,
    ]),
  )
