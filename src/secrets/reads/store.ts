/** Who was shown a value that is not public: an access log of its own. K7. */
import type { Database } from '../../db/client.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { asService } from '../../db/tenant.ts'
import { who } from '../history/store.ts'

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
  readAt: string
}

/** Of one site. */
export async function keepReads(database: Database, reads: readonly Read[]): Promise<void> {
  const [first] = reads
  if (!first) return
  const insert = sql`
    insert into _secret_reads (id, secret_id, key, app_id, user_id, username, request_id, read_at)
    select r.id, r."secretId", r.key, r."appId", r."userId", r.username, r."requestId", r."readAt"
      from jsonb_to_recordset(${JSON.stringify(reads)}::jsonb) as r
           (id uuid, "secretId" uuid, key text, "appId" bigint, "userId" bigint, username text, "requestId" text, "readAt" timestamptz)
    on conflict do nothing`
  await asService(database, first.siteId, { reads: insert })
}

/** The reads of rows of `source` (id, key, app_id, sensitivity_level) that are not public, as a statement of the same transaction. */
export const noteReads = (source: Sql, userId: number, requestId: string): Sql => sql`
  insert into _secret_reads (id, secret_id, key, app_id, user_id, username, request_id, read_at)
  select gen_random_uuid(), r.id, r.key, r.app_id, ${who(userId)}, ${requestId}, clock_timestamp()
    from ${source} r where r.sensitivity_level <> 'public'`
