/**
 * The repeatable files of migrations/: types, functions and triggers, applied again when their text changes.
 */
import { createHash } from 'node:crypto'
import type pg from 'pg'

export interface Source {
  /** The path below migrations/. */
  name: string
  /**
   * One `create type …`, one `create or replace function …` or `… aggregate …`, or several
   * `create or replace trigger …`.
   */
  sql: string
}

interface Applied {
  name: string
  hash: string
  /** The qualified name of the type or the function that the file created; null for a file of triggers. */
  object: string | null
}

/**
 * Updates the database to match the files, in one transaction: applies changed files, drops types, functions
 * and triggers without a file, and then runs `rights` and `last`. If it fails, nothing changes, and the error
 * names the file. Requests that need a changed type, or a table with a changed trigger, wait until its end.
 */
export async function applySources(
  client: pg.Client,
  sources: readonly Source[],
  rights: string,
  last: () => Promise<void> = async () => undefined,
): Promise<void> {
  await client.query(
    `create table if not exists public.schema_sources
       (name text primary key, hash text not null, object text)`,
  )
  await client.query('begin')
  try {
    await client.query('create schema if not exists runs')
    // A function may call one that a later file creates.
    await client.query('set local check_function_bodies = off')
    const { rows } = await client.query<Applied>('select name, hash, object from public.schema_sources')
    const hashes = new Map(rows.map(({ name, hash }) => [name, hash]))
    for (const source of sources) {
      const [stored, hash] = [hashes.get(source.name), hashOf(source.sql)]
      if (stored === hash || stored !== hashOfText(source.sql)) continue
      await remember(client, source)
      hashes.set(source.name, hash)
    }
    const isChanged = ({ name, sql }: Source) => hashes.get(name) !== hashOf(sql)

    for (const source of sources.filter(isType)) if (isChanged(source)) await apply(client, source, makeType)
    const functions = await functionsIn(client)
    const isThere = ({ sql }: Source) => functions.has(objectOf(sql) ?? '') || objectOf(sql) === null
    for (const source of sources.filter((one) => !isType(one)))
      if (isChanged(source) || !isThere(source)) await apply(client, source, makeFunctionOrTriggers)

    await dropOtherTriggers(client, sources)
    const gone = rows.filter(({ name }) => !sources.some((source) => source.name === name))
    for (const source of gone) await dropFunctionsOf(client, source, sources)
    for (const source of gone) await forget(client, source, sources)
    await client.query(rights)
    await last()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

type Make = (client: pg.Client, source: Source) => Promise<unknown>

async function apply(client: pg.Client, source: Source, make: Make): Promise<void> {
  try {
    await make(client, source)
  } catch (error) {
    throw new Error(`${source.name} failed: ${(error as Error).message}`, { cause: error })
  }
  await remember(client, source)
}

/** Records what was applied. */
async function remember(client: pg.Client, { name, sql }: Source): Promise<void> {
  await client.query(
    `insert into public.schema_sources (name, hash, object) values ($1, $2, $3)
     on conflict (name) do update set hash = excluded.hash, object = excluded.object`,
    [name, hashOf(sql), objectOf(sql)],
  )
}

/**
 * Creates a type. Drops the functions that take or return the previous one; their files are then applied
 * again.
 */
async function makeType(client: pg.Client, { sql }: Source): Promise<void> {
  const name = objectOf(sql) as string
  const { rows } = await client.query<{ signature: string }>(
    `select distinct p.oid::regprocedure::text as signature
       from pg_type t join pg_depend d on d.refclassid = 'pg_type'::regclass and d.refobjid in (t.oid, t.typarray)
       join pg_proc p on p.oid = d.objid and d.classid = 'pg_proc'::regclass
      where t.oid = to_regtype($1)`,
    [name],
  )
  await dropFunctions(
    client,
    rows.map(({ signature }) => signature),
  )
  await client.query(`drop type if exists ${name}`)
  await client.query(sql)
}

async function makeFunctionOrTriggers(client: pg.Client, { sql }: Source): Promise<void> {
  const name = objectOf(sql)
  if (name === null) return void (await client.query(sql))
  const before = await signatures(client, name)
  await client.query('savepoint source')
  await client.query(sql).catch(async (error: pg.DatabaseError) => {
    if (error.code !== cannotBeReplaced) throw error
    await client.query('rollback to savepoint source')
    await dropFunctions(client, before)
    await client.query(sql)
  })
  // With other parameter types it is a different function for Postgres, and the old one would remain.
  const after = await signatures(client, name)
  if (after.length > 1) await dropFunctions(client, before)
}

/** The SQLSTATE if the result, or the names or defaults of the parameters, of a function have changed. */
const cannotBeReplaced = '42P13'

/** Drops the function of a removed file, unless another file has it now. */
async function dropFunctionsOf(
  client: pg.Client,
  { object }: Applied,
  sources: readonly Source[],
): Promise<void> {
  if (isElsewhere(object, sources)) return
  await dropFunctions(client, await signatures(client, object ?? ''))
}

/** Drops the type of a removed file, unless another file has it now, and removes the file from the list. */
async function forget(
  client: pg.Client,
  { name, object }: Applied,
  sources: readonly Source[],
): Promise<void> {
  if (object !== null && !isElsewhere(object, sources)) await client.query(`drop type if exists ${object}`)
  await client.query('delete from public.schema_sources where name = $1', [name])
}

const isElsewhere = (object: string | null, sources: readonly Source[]): boolean =>
  sources.some(({ sql }) => objectOf(sql) === object)

/** Drops the triggers of the service's tables that are in no file. */
async function dropOtherTriggers(client: pg.Client, sources: readonly Source[]): Promise<void> {
  const names = sources.flatMap(({ sql }) => [...sql.matchAll(triggerPattern)].map(([, name]) => name))
  const { rows } = await client.query<{ statement: string }>(
    `select format('drop trigger %I on %s', g.tgname, g.tgrelid::regclass) as statement
       from pg_trigger g join pg_class c on c.oid = g.tgrelid
      where c.relnamespace::regnamespace::text in ('public', 'tenant') and not g.tgisinternal and g.tgname <> all ($1)`,
    [names],
  )
  for (const { statement } of rows) await client.query(statement)
}

const triggerPattern = /^create or replace trigger (\w+)/gm
const typePattern = /^create type (\w+\.\w+) as/m
const functionPattern = /^create or replace (?:function|aggregate) (\w+\.\w+)\(/m

const isType = ({ sql }: Source): boolean => typePattern.test(sql)
const objectOf = (sql: string): string | null =>
  (typePattern.exec(sql) ?? functionPattern.exec(sql))?.[1] ?? null

/** Returns what earlier versions stored as the hash of a file. */
const hashOfText = (sql: string): string => createHash('sha256').update(sql).digest('hex')

/**
 * Returns the hash of what Postgres keeps of a file: it ignores comments outside of functions. If only a
 * comment has changed, nothing is replaced, because requests would wait for it.
 */
const hashOf = (sql: string): string =>
  hashOfText(sql.replace(functionPattern.test(sql) ? /^--.*\n/gm : /^ *--.*\n/gm, '').trim())

/** Returns the qualified names of the functions of both schemas. */
async function functionsIn(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select n.nspname || '.' || p.proname as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname in ('public', 'tessera')`,
  )
  return new Set(rows.map(({ name }) => name))
}

async function signatures(client: pg.Client, name: string): Promise<string[]> {
  const { rows } = await client.query<{ signature: string }>(
    `select p.oid::regprocedure::text as signature from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname || '.' || p.proname = $1`,
    [name],
  )
  return rows.map(({ signature }) => signature)
}

async function dropFunctions(client: pg.Client, all: readonly string[]): Promise<void> {
  for (const signature of all) await client.query(`drop routine ${signature}`)
}
