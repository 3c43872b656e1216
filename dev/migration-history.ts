/** The migrations that a database has had, compared with those of this version. */
import type pg from 'pg'
import type { Source } from './sources.ts'

/** An error: another version has migrated the database. The message says what differs. */
export class OtherVersion extends Error {}

interface Applied {
  name: string
  sql: string
}

/** Returns the migrations that the database has had. */
export async function readHistory(client: pg.Client): Promise<Applied[]> {
  await client.query(
    `create table if not exists public.schema_migrations
       (name text primary key, applied_at timestamptz not null default now(), sql text not null)`,
  )
  return (await client.query<Applied>('select name, sql from public.schema_migrations')).rows
}

/** Throws OtherVersion for a migration that this version does not have, or has with another text. */
export function refuseOthers(applied: readonly Applied[], migrations: readonly Source[]): void {
  const texts = new Map(migrations.map(({ name, sql }) => [name, withoutReturns(sql)]))
  const other = applied.find(({ name, sql }) => !texts.has(name) || withoutReturns(sql) !== texts.get(name))
  if (!other) return
  const difference = texts.has(other.name)
    ? `with another text than in this version`
    : `which this version does not know`
  throw new OtherVersion(
    `The database has had the migration ${other.name}, ${difference}: another version made it. Use an empty database.`,
  )
}

/** Returns the text without carriage returns, which a checkout on Windows may have. */
const withoutReturns = (sql: string): string => sql.replaceAll('\r', '')
