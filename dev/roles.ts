/**
 * The roles in Postgres. One owns the platform's objects, and migrates; as on Neon, it is not a superuser.
 * The service signs in as a second one, which owns nothing. A third one, which also owns nothing, changes the
 * schemas of large tables.
 */
import type pg from 'pg'
import { onConnection } from './connection.ts'
import type { PostgresServer } from './postgres.ts'

const owner = 'tessera'
const service = 'tessera_service'
const schema = 'tessera_schema'

/** The addresses of one database, by role. */
export interface RoleUrls {
  owner: string
  service: string
  schema: string
}

/** Returns the addresses of a database of our own server, whose roles have the same password. */
export const roleUrls =
  ({ port }: Pick<PostgresServer, 'port'>, password: string) =>
  (database: string): RoleUrls => {
    const of = (role: string) => `postgresql://${role}:${password}@127.0.0.1:${port}/${database}`
    return { owner: of(owner), service: of(service), schema: of(schema) }
  }

/**
 * Creates the owner on our own server, and the other roles as the owner; all have the same password. Returns
 * the addresses of a database.
 */
export async function createRoles(
  server: PostgresServer,
  password: string,
): Promise<(database: string) => RoleUrls> {
  const urlsOf = roleUrls(server, password)
  await onConnection(server.superuserUrl(), async (client) => {
    const inherits = (await canChooseInheritance(client)) ? 'noinherit' : 'inherit'
    await client.query(
      `${await verb(client, owner)} role ${owner} login createrole createdb ${inherits} password ${client.escapeLiteral(password)}`,
    )
  })
  await createServiceRoles(urlsOf('postgres').owner, password)
  return urlsOf
}

/**
 * Creates missing roles of the service, as the owner, and sets their passwords. Returns the addresses of the
 * owner's database.
 */
export async function createServiceRoles(ownerUrl: string, password: string): Promise<RoleUrls> {
  await onConnection(ownerUrl, async (client) => {
    for (const role of [service, schema]) {
      await client.query(
        `${await verb(client, role)} role ${role} login noinherit password ${client.escapeLiteral(password)}`,
      )
    }
  })
  const of = (role: string) => {
    const url = new URL(ownerUrl)
    url.username = role
    url.password = password
    return url.href
  }
  return { owner: ownerUrl, service: of(service), schema: of(schema) }
}

type Queries = Pick<pg.Client, 'query'>

/**
 * Returns whether each membership determines if its rights are inherited, as from version 16 of Postgres on.
 * Before, the role determines it: the owner then needs INHERIT to make the roles of sites the owners of
 * functions (public.make_role).
 */
export async function canChooseInheritance(client: Queries): Promise<boolean> {
  const { rows } = await client.query<{ can: boolean }>(
    `select current_setting('server_version_num')::integer >= 160000 as can`,
  )
  return rows[0]?.can ?? false
}

async function verb(client: Queries, role: string): Promise<'create' | 'alter'> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role])
  return rowCount ? 'alter' : 'create'
}
