/** Functions of the database as source files: what applying them again changes. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../../dev/postgres.ts'
import { applySources } from '../../dev/sources.ts'

let server: PostgresServer
let pool: pg.Pool
let client: pg.PoolClient

beforeAll(async () => {
  server = await startPostgres({ settings: ['fsync=off'] })
  pool = new pg.Pool({ connectionString: server.superuserUrl(), max: 1 })
  client = await pool.connect()
})

afterAll(async () => {
  client.release()
  await pool.end()
  await server.stop()
})

const source = (name: string, sql: string) => ({ name, sql })
const twice = (body: string) => source('twice.sql', `create or replace function public.twice${body}`)
const signatures = async () =>
  (await client.query(`select p.oid::regprocedure::text as s from pg_proc p where proname in ('twice', 'caller') order by 1`)).rows.map(({ s }) => s)

describe('the functions of the database', () => {
  it('may call one that a later file makes', async () => {
    const caller = source('caller.sql', 'create or replace function public.caller() returns integer language sql as $$ select public.twice(2) $$;')
    await applySources(client, [caller, twice('(a integer) returns integer language sql as $$ select a * 2 $$;')], '')
    expect((await client.query('select public.caller() as n')).rows).toEqual([{ n: 4 }])
  })

  it('are replaced where the parameters or the result have another type, without leaving the old one behind', async () => {
    await applySources(client, [twice('(a bigint) returns bigint language sql as $$ select a * 2 $$;')], '')
    expect(await signatures()).toEqual(['twice(bigint)'])
    await applySources(client, [twice('(a bigint) returns text language sql as $$ select (a * 2)::text $$;')], '')
    expect([await signatures(), (await client.query('select public.twice(3) as n')).rows]).toEqual([['twice(bigint)'], [{ n: '6' }]])
  })

  it('are all kept as they were when one of them fails, and the failure names its file', async () => {
    const broken = source('broken.sql', 'create or replace function public.broken() returns integer language nonsense as $$ $$;')
    await expect(applySources(client, [twice('() returns integer language sql as $$ select 1 $$;'), broken], '')).rejects.toThrow(
      /^broken\.sql failed: /,
    )
    expect(await signatures()).toEqual(['twice(bigint)'])
  })

  it('are dropped when their file is gone', async () => {
    await applySources(client, [], '')
    expect(await signatures()).toEqual([])
  })
})
