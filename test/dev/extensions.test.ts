/** The extensions that schemas may need: their schema and their owner. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { extensions, installExtensions } from '../../dev/extensions.ts'
import { type PostgresServer, startPostgres } from '../../dev/postgres.ts'

let server: PostgresServer
let pool: pg.Pool
let client: pg.PoolClient

beforeAll(async () => {
  server = await startPostgres({ settings: ['fsync=off'] })
  pool = new pg.Pool({ connectionString: server.superuserUrl(), max: 1 })
  pool.on('error', () => undefined)
  client = await pool.connect()
  client.on('error', () => undefined)
  await client.query('create schema tessera; create role somebody; create role owner')
  await client.query('grant create on database postgres to owner; alter schema tessera owner to owner')
})

afterAll(async () => {
  client.release()
  await pool.end()
  await server.stop()
})

const place = async (name: string) => {
  const { rows } = await client.query(
    `select extnamespace::regnamespace::text as schema, extowner::regrole::text as owner
       from pg_extension where extname = $1`,
    [name],
  )
  return rows[0]
}
const asRole = async (role: string) => {
  await client.query(`set role ${role}`)
  await installExtensions(client)
  await client.query('reset role')
}

describe.each([...extensions.keys()])('%s', (name) => {
  it('is not installed if the role may not install it', async () => {
    await client.query('drop extension if exists pg_trgm, btree_gist')
    await asRole('somebody')
    expect(await place(name)).toBeUndefined()
  })

  it('is installed by the owner of a database, without superuser rights, in a schema that all sites use', async () => {
    await asRole('owner')
    await asRole('owner')
    expect(await place(name)).toEqual({ schema: 'tessera', owner: 'owner' })
  })

  it('stays in its schema if somebody has already installed it', async () => {
    await client.query(`alter extension ${name} set schema public`)
    await asRole('owner')
    expect(await place(name)).toEqual({ schema: 'public', owner: 'owner' })
  })
})
