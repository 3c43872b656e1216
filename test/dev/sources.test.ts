/** The SQL files of database functions: the changes when they are applied again. */
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
  // Postgres may end a connection that is being closed.
  pool.on('error', () => undefined)
  client = await pool.connect()
  client.on('error', () => undefined)
})

afterAll(async () => {
  client.release()
  await pool.end()
  await server.stop()
})

const source = (name: string, sql: string) => ({ name, sql })
const twice = (body: string) => source('twice.sql', `create or replace function public.twice${body}`)
const signatures = async () =>
  (
    await client.query(
      `select p.oid::regprocedure::text as s from pg_proc p where proname in ('twice', 'caller') order by 1`,
    )
  ).rows.map(({ s }) => s)

describe('the functions of the database', () => {
  it('may call a function of a later file', async () => {
    const caller = source(
      'caller.sql',
      'create or replace function public.caller() returns integer language sql as $$ select public.twice(2) $$;',
    )
    await applySources(
      client,
      [caller, twice('(a integer) returns integer language sql as $$ select a * 2 $$;')],
      '',
    )
    expect((await client.query('select public.caller() as n')).rows).toEqual([{ n: 4 }])
  })

  it('are replaced if parameters or result have a new type, and the old function is dropped', async () => {
    await applySources(client, [twice('(a bigint) returns bigint language sql as $$ select a * 2 $$;')], '')
    expect(await signatures()).toEqual(['twice(bigint)'])
    await applySources(
      client,
      [twice('(a bigint) returns text language sql as $$ select (a * 2)::text $$;')],
      '',
    )
    expect([await signatures(), (await client.query('select public.twice(3) as n')).rows]).toEqual([
      ['twice(bigint)'],
      [{ n: '6' }],
    ])
  })

  it('all stay unchanged if one of them fails, and the error names its file', async () => {
    const broken = source(
      'broken.sql',
      'create or replace function public.broken() returns integer language nonsense as $$ $$;',
    )
    await expect(
      applySources(client, [twice('() returns integer language sql as $$ select 1 $$;'), broken], ''),
    ).rejects.toThrow(/^broken\.sql failed: /)
    expect(await signatures()).toEqual(['twice(bigint)'])
  })

  it('are created again if somebody has dropped them', async () => {
    const source = twice('(a bigint) returns integer language sql as $$ select 1 $$;')
    await applySources(client, [source], '')
    await client.query('drop function public.twice(bigint)')
    await applySources(client, [source], '')
    expect(await signatures()).toEqual(['twice(bigint)'])
  })

  it('are dropped if their file is removed', async () => {
    await applySources(client, [], '')
    expect(await signatures()).toEqual([])
  })
})

describe('a type of the database', () => {
  const pair = (members: string) => source('pair.sql', `create type public.pair as (${members});`)
  const sum = (body: string) =>
    source(
      'sum.sql',
      `create or replace function public.sum_of(p_pair public.pair) returns bigint language sql as $$ select ${body} $$;`,
    )
  const sumOf = async (row: string) =>
    (await client.query(`select public.sum_of(row(${row})::public.pair)::integer as n`)).rows

  it('is created before the functions that use it', async () => {
    const sources = [sum('p_pair.a + p_pair.b'), pair('a integer, b integer')]
    await applySources(client, sources, '')
    expect(await sumOf('1, 2')).toEqual([{ n: 3 }])
  })

  it('is replaced together with the functions that use it, whose files have not changed', async () => {
    const sources = [pair('a integer, b integer, c integer'), sum('p_pair.a + p_pair.b')]
    await applySources(client, sources, '')
    expect(await sumOf('1, 2, 3')).toEqual([{ n: 3 }])
  })

  it('is not replaced if only a comment of its file has changed', async () => {
    const oid = async () => (await client.query(`select 'public.pair'::regtype::oid as oid`)).rows
    const [before] = await oid()
    const { name, sql } = pair('a integer, b integer, c integer')
    await applySources(
      client,
      [source(name, `-- A comment.\n${sql}\n  -- Another one.\n`), sum('p_pair.a + p_pair.b')],
      '',
    )
    expect(await oid()).toEqual([before])
  })

  it('cannot be changed if a column has it: the change fails, and nothing else changes', async () => {
    await client.query('create table public.pairs (pair public.pair)')
    const sources = [pair('a integer, b integer'), sum('0')]
    await expect(applySources(client, sources, '')).rejects.toThrow(/^pair\.sql failed: /)
    expect(await sumOf('1, 2, 3')).toEqual([{ n: 3 }])
    await client.query('drop table public.pairs')
  })

  it('is dropped if its file is removed, after its functions', async () => {
    await applySources(client, [], '')
    const { rows } = await client.query(
      `select to_regtype('public.pair') as type, to_regproc('public.sum_of') as function`,
    )
    expect(rows).toEqual([{ type: null, function: null }])
  })
})

describe('the triggers of the database', () => {
  const note = source(
    'note.sql',
    'create or replace function public.note() returns trigger language plpgsql as $$ begin return new; end $$;',
  )
  const triggers = (...names: string[]) =>
    source(
      'triggers.sql',
      names
        .map(
          (name) =>
            `create or replace trigger ${name} before insert on public.noted for each row execute function public.note();`,
        )
        .join('\n'),
    )
  const made = async () =>
    (
      await client.query(`select tgname from pg_trigger where tgrelid = 'public.noted'::regclass order by 1`)
    ).rows.map(({ tgname }) => tgname)

  it('are exactly those in the files', async () => {
    await client.query('create table public.noted (id integer)')
    await applySources(client, [note, triggers('first', 'second')], '')
    expect(await made()).toEqual(['first', 'second'])
  })

  it('are dropped if they are removed from their file', async () => {
    await applySources(client, [note, triggers('second', 'third')], '')
    expect(await made()).toEqual(['second', 'third'])
  })

  it('are dropped with their function if both files are removed', async () => {
    await applySources(client, [], '')
    expect(await made()).toEqual([])
  })
})
