/** Functions and triggers of the database: one file each, applied again whenever its text changes. */
import { createHash } from 'node:crypto'
import type pg from 'pg'

export interface Source {
  /** The path below migrations/. */
  name: string
  /** `create or replace function …`, one a file; or any number of `create or replace trigger …`. */
  sql: string
}

const definition = /^create or replace function (\w+)\.(\w+)\(/m

/** Applies the files whose text is not what the database has, then `rights`, in one transaction; drops the functions whose file is gone. */
export async function applySources(client: pg.PoolClient, sources: readonly Source[], rights: string): Promise<void> {
  await client.query('create table if not exists public.schema_sources (name text primary key, hash text not null, function text)')
  const { rows } = await client.query<{ name: string; hash: string; function: string | null }>(
    'select name, hash, function from public.schema_sources',
  )
  const present = new Map(rows.map((row) => [row.name, row]))
  const changed = sources.filter(({ name, sql }) => present.get(name)?.hash !== hashOf(sql))
  const gone = rows.filter(({ name }) => !sources.some((source) => source.name === name))
  await client.query('begin')
  try {
    await client.query('create schema if not exists tessera')
    // A function may call one that a later file makes.
    await client.query('set local check_function_bodies = off')
    for (const source of changed) await apply(client, source)
    for (const { name, function: made } of gone) {
      const moved = sources.some(({ sql }) => made !== null && functionOf(sql) === made)
      if (made && !moved) for (const signature of await signatures(client, made)) await client.query(`drop function ${signature}`)
      await client.query('delete from public.schema_sources where name = $1', [name])
    }
    await client.query(rights)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

async function apply(client: pg.PoolClient, { name, sql }: Source): Promise<void> {
  const made = functionOf(sql)
  try {
    const before = made === null ? [] : await signatures(client, made)
    await client.query('savepoint source')
    await client.query(sql).catch(async (error: pg.DatabaseError) => {
      if (error.code !== resultTypeChanged) throw error
      await client.query('rollback to savepoint source')
      for (const signature of before) await client.query(`drop function ${signature}`)
      await client.query(sql)
    })
    // With other parameters it is another function to Postgres: the one before would stay beside it.
    const after = made === null ? [] : await signatures(client, made)
    if (after.length > 1) for (const signature of before) await client.query(`drop function ${signature}`)
  } catch (error) {
    throw new Error(`${name} failed: ${(error as Error).message}`, { cause: error })
  }
  await client.query(
    'insert into public.schema_sources (name, hash, function) values ($1, $2, $3) on conflict (name) do update set hash = excluded.hash, function = excluded.function',
    [name, hashOf(sql), made],
  )
}

/** The SQLSTATE of "cannot change return type of existing function", and of its parameters' names or defaults. */
const resultTypeChanged = '42P13'

const hashOf = (sql: string): string => createHash('sha256').update(sql).digest('hex')

/** The qualified name of the function that a file makes; null for a file of triggers. */
function functionOf(sql: string): string | null {
  const match = definition.exec(sql)
  return match ? `${match[1]}.${match[2]}` : null
}

async function signatures(client: pg.PoolClient, name: string): Promise<string[]> {
  const { rows } = await client.query<{ signature: string }>(
    `select p.oid::regprocedure::text as signature from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname || '.' || p.proname = $1`,
    [name],
  )
  return rows.map(({ signature }) => signature)
}
