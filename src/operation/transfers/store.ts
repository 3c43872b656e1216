/** The SQL of transfers. */

import type { transfers } from '../../../drizzle/platform/transfers.ts'
import { organizationId } from '../../identity/organizations/service.ts'
import { columnsOf, computed, of } from '../../kernel/db/columns.ts'
import { large, type Sql, sql } from '../../kernel/db/sql.ts'
import { attemptsMax } from './limits.ts'
import type { Task } from './tasks.ts'

const t = of<typeof transfers>('t')

/** A transfer as clients see it. */
export interface TransferRow {
  id: string
  kind: 'copy' | 'export' | 'import'
  state: 'uploading' | 'running' | 'done' | 'failed' | 'cancelled'
  slug: string
  /** Null until the number of tasks is known. */
  total: number | null
  position: number
  counts: Record<string, number>
  notes: string[]
  error: string | null
  created: string
  ended_at: string | null
  expires_at: string
}

const columns = columnsOf(
  t('id', 'kind', 'state', 'slug'),
  computed<Pick<TransferRow, 'total'>>({ total: sql`json_array_length(t.tasks)` }),
  t('position', 'counts', 'notes', 'error'),
  t.times('created', 'ended_at', 'expires_at'),
)

/** A transfer to start. The sites are given by their slugs. Null: no site. */
export interface NewTransfer {
  id: string
  kind: TransferRow['kind']
  state: 'uploading' | 'running'
  site: string
  target: string | null
  options: object
  sealed: string | null
  userId: number
  generation: number
  keepDays: number
}

const idOf = (slug: string | null): Sql => sql`(select s.id from public.sites s where s.slug = ${slug})`
const ofSite = (slug: string): Sql =>
  sql`(select s.organization_id from public.sites s where s.slug = ${slug})`

/**
 * Fails if the organization may begin no further transfer now. Checked before a site is created, which takes
 * long and makes other creations of sites wait. See public.require_transfer_room.
 */
export function requireRoom(
  of: { organization: string } | { site: string },
  openMax: number,
  bytesMax: number,
) {
  const organization = 'site' in of ? ofSite(of.site) : organizationId(of.organization)
  const site = idOf('site' in of ? of.site : null)
  return sql`select public.require_transfer_room(${organization}, ${site}, ${openMax}, ${bytesMax})`
}

/** Starts a transfer. See public.begin_transfer. */
export const beginTransfer = (one: NewTransfer, openMax: number, bytesMax: number) => sql`
  select ${columns} from public.begin_transfer(json_populate_record(null::public.transfers, json_build_object(
    'id', ${one.id}::uuid, 'kind', ${one.kind}::text, 'state', ${one.state}::text,
    'organization_id', ${ofSite(one.site)},
    'site_id', ${idOf(one.site)}, 'target_id', ${idOf(one.target)}, 'slug', ${one.target ?? one.site}::text,
    'options', ${JSON.stringify(one.options)}::json, 'sealed', ${one.sealed}::text, 'position', 0,
    'counts', '{}'::json, 'notes', '[]'::json, 'attempts', 0, 'created_by', ${one.userId}::bigint,
    'generation', ${one.generation}::integer, 'created', now(),
    'expires_at', now() + make_interval(days => ${one.keepDays}))), ${openMax}, ${bytesMax}) t`

/** Selects a transfer for a caller. See public.enter_transfer. */
export const selectTransfer = (caller: Sql, id: string) => sql`
  select ${columns} from public.enter_transfer(${caller}, ${id}::uuid) t`

/** Cancels a transfer if it is running. Returns the site to erase. */
export const endTransfer = (
  id: string,
  state: 'done' | 'failed' | 'cancelled',
  error: string | null,
  days: number,
) =>
  sql<{ target_id: number | null; kind: TransferRow['kind'] }>`
  select target_id, kind
    from public.end_transfer(${id}::uuid, ${state}, ${error}, make_interval(days => ${days}))`

/** A claimed transfer, with the data that its Worker needs. */
export interface ClaimedTransfer {
  id: string
  lease: string
  kind: TransferRow['kind']
  options: {
    rows?: boolean
    secrets?: boolean
    public_key?: string
    /**
     * The slug of the site that is read in another database. The address of that database is encrypted in
     * `sealed`.
     */
    restored?: string
    activate?: boolean
  }
  sealed: string | null
  /** The present slugs of the sites. Null: there is none, or it was erased. */
  site: string | null
  target: string | null
  total: number | null
  position: number
  place: unknown
  counts: Record<string, number>
  notes: string[]
  attempts: number
  user_id: number | null
  generation: number
}

/**
 * Claims a transfer that no Worker carries out. Returns no row if a Worker does, or if the transfer has
 * ended.
 */
export const claimTransfer = (id: string, lease: string) => sql<ClaimedTransfer>`
  update public.transfers t
     set lease = ${lease}::uuid, leased_until = now() + interval '2 minutes', attempts = t.attempts + 1
   where t.id = ${id}::uuid and t.state = 'running' and coalesce(t.leased_until < now(), true)
  returning t.id, t.lease, t.kind, t.options, t.sealed, json_array_length(t.tasks) as total, t.position,
            t.place, t.counts, t.notes, t.attempts, t.created_by as user_id, t.generation,
            (select s.slug from public.sites s where s.id = t.site_id) as site,
            (select s.slug from public.sites s where s.id = t.target_id) as target`

export const selectTasks = (id: string, position: number, limit: number) => sql<{ task: Task }>`
  select x.task from public.transfers t, json_array_elements(t.tasks) with ordinality x (task, n)
   where t.id = ${id}::uuid and x.n > ${position} order by x.n limit ${limit}`

/** Releases a transfer, so that the next message continues with it. */
export const releaseTransfer = (id: string, lease: string): Sql => sql`
  update public.transfers t set leased_until = now() where t.id = ${id}::uuid and t.lease = ${lease}::uuid`

/** Extends the claim of a Worker on a transfer, during a step that takes long. */
export const keepLease = ({ id, lease }: Pick<ClaimedTransfer, 'id' | 'lease'>): Sql => sql`
  update public.transfers t set leased_until = now() + interval '2 minutes'
   where t.id = ${id}::uuid and t.lease = ${lease}::uuid`

/** Selects the transfers that no Worker carries out any more. */
export const selectStopped = (limit: number) => sql<{ id: string }>`
  select t.id from public.transfers t
   where t.state = 'running' and coalesce(t.leased_until, t.created) < now() - interval '30 seconds'
   order by t.leased_until limit ${limit}`

/**
 * Selects the transfers that have been started too often, and imports whose archive has not arrived in time.
 */
export const selectHopeless = (limit: number) => sql<{ id: string; state: TransferRow['state'] }>`
  select t.id, t.state from public.transfers t
   where t.state = 'running' and t.attempts >= ${attemptsMax} and t.leased_until < now()
      or t.state = 'uploading' and t.expires_at < now()
   limit ${limit}`

export const deleteExpired: Sql = sql`
  delete from public.transfers t where t.expires_at < now() and t.state not in ('uploading', 'running')`

/**
 * Selects whether an account has begun a transfer. The lock waits until no other part of its archive is being
 * stored, so that all parts together stay within the limit.
 */
export const lockOwn = (id: string, userId: number) => sql<{ is_own: boolean }>`
  select t.created_by is not distinct from ${userId}::bigint as is_own
    from public.transfers t where t.id = ${id}::uuid for no key update`

/**
 * Stores a part of an archive for the account that began the import. Returns no row for others, if the
 * transfer does not wait for an archive, or if the archive would be too large.
 */
export const uploadPart = (
  id: string,
  userId: number,
  { part, content, bytesMax }: { part: number; content: string; bytesMax: number },
) => sql<{ number: number }>`
  insert into public.transfer_parts (transfer_id, path, number, content, size, crc, digest)
  select t.id, '', ${part}, c.content, length(c.content), 0, ''
    from public.transfers t, (select decode(${large(content)}, 'base64') as content) c
   where t.id = ${id}::uuid and t.state = 'uploading' and t.created_by = ${userId}
     and length(c.content) + (select coalesce(sum(p.size), 0) from public.transfer_parts p
                               where p.transfer_id = t.id and p.path = ''
                                 and p.number <> ${part}) <= ${bytesMax}
  on conflict (transfer_id, path, number) do update set content = excluded.content, size = excluded.size
  returning number`

/** Counts a download of the archive of an export that is done. The audit log records the change. */
export const countDownload = (id: string): Sql => sql`
  update public.transfers t set downloads = coalesce(t.downloads, 0) + 1
   where t.id = ${id}::uuid and t.kind = 'export' and t.state = 'done'`

/** Selects the number of uploaded bytes of an archive. */
export const selectUploaded = (id: string) => sql<{ bytes: number }>`
  select coalesce(sum(p.size), 0)::float8 as bytes from public.transfer_parts p
   where p.transfer_id = ${id}::uuid and p.path = ''`

/** The condition that all parts of the archive of a transfer `t` are there, for the account that began it. */
const isComplete = (id: string, userId: number): Sql => sql`
  t.id = ${id}::uuid and t.state = 'uploading' and t.created_by = ${userId}
     and (select count(*) > 0 and count(*) = max(p.number) + 1 from public.transfer_parts p
           where p.transfer_id = t.id and p.path = '')`

/** Selects a transfer whose archive is complete. */
export const selectComplete = (id: string, userId: number) => sql<{ id: string }>`
  select t.id from public.transfers t where ${isComplete(id, userId)}`

/**
 * Starts an import whose archive is complete, for the account that began it. Returns no row if it is not
 * complete, or if the import has started already.
 */
export const startImport = (id: string, userId: number) => sql<{ id: string }>`
  update public.transfers t set state = 'running', expires_at = now() + interval '30 days'
   where ${isComplete(id, userId)}
  returning t.id`
