/** The access log of secrets: who read a value that is not public. K7. */
import type { Database } from '../../kernel/db/database.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import { asService } from '../../kernel/db/tenant.ts'

/** A read that was answered from the cache. */
export interface Read {
  id: string
  siteId: number
  secretId: string
  key: string
  appId: number | null
  userId: number
  username: string
  requestId: string
  /** An ISO 8601 timestamp. */
  readAt: string
}

/** Stores reads of one site. Ignores reads that are stored already. */
export async function storeReads(database: Database, reads: readonly Read[]): Promise<void> {
  const [first] = reads
  if (!first) return
  const insert = sql`
    insert into _secret_reads (id, secret_id, key, app_id, user_id, username, request_id, read_at)
    select r.id, r."secretId", r.key, r."appId", r."userId", r.username, r."requestId", r."readAt"
      from jsonb_to_recordset(${JSON.stringify(reads)}::jsonb) as r (
             id uuid, "secretId" uuid, key text, "appId" bigint, "userId" bigint, username text,
             "requestId" text, "readAt" timestamptz)
    on conflict do nothing`
  await asService(database, first.siteId, { reads: insert })
}

/**
 * Inserts the reads of those rows of `source` (id, key, app_id, sensitivity_level) that are not public.
 * `reader` is the two columns of the reader: id and name. The result is a part of the statement that selects
 * the rows.
 */
export const insertReads = (source: Sql, reader: Sql, requestId: string): Sql => sql`
  insert into _secret_reads (id, secret_id, key, app_id, user_id, username, request_id, read_at)
  select gen_random_uuid(), r.id, r.key, r.app_id, ${reader}, ${requestId}, clock_timestamp()
    from ${source} r where r.sensitivity_level <> 'public'`
