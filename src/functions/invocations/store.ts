import type { TenantLocator } from '../../context.ts'
import { callerId, sweepAfter } from '../../db/deliveries.ts'
import { moment } from '../../db/moment.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { type List, selectList } from '../../http/lists/list.ts'
import type { SiteKeys } from '../../secrets/encryption/service.ts'
import type { RunnableFunction, RunUser } from '../runners/service.ts'
import { runnable } from '../store.ts'
import type { InvocationsQuery } from './schema.ts'
import type { InvocationRow } from './views.ts'

const columns = sql`
  i.id, i.function_id as function, i.function_name, i.function_slug, i.trigger_type, i.event, i.status, i.attempts, i.params::text as params,
  i.result::text as result, i.error, i.logs, ${moment(sql`i.started_at`)} as started_at, ${moment(sql`i.finished_at`)} as finished_at, ${moment(sql`i.created_at`)} as created_at,
  round(extract(epoch from i.finished_at - i.started_at) * 1000)::integer as duration_ms`

export const list: List = {
  orderings: new Map<string, Sql | { nullable: Sql }>([
    ['id', sql`i.id`],
    ['created_at', sql`i.created_at`],
    ['started_at', { nullable: sql`i.started_at` }],
    ['finished_at', { nullable: sql`i.finished_at` }],
    ['duration_ms', { nullable: sql`i.finished_at - i.started_at` }],
  ]),
  ordering: '-id',
  last: sql`i.id desc`,
  search: { texts: [sql`i.function_name`, sql`i.function_slug`], in: 'the name or the slug of the function' },
}

const matching = ({ function_slug, status, trigger_type }: InvocationsQuery): Sql[] => [
  ...(function_slug === undefined ? [] : [sql`i.function_slug = ${function_slug}`]),
  ...(status === undefined ? [] : [sql`i.status = ${status}`]),
  ...(trigger_type === undefined ? [] : [sql`i.trigger_type = ${trigger_type}`]),
]

export const selectInvocations = (query: InvocationsQuery): Sql[] =>
  selectList(list, query, { columns, from: sql`_invocations i`, where: matching(query) })

export const selectInvocation = (id: number) => sql<InvocationRow>`select ${columns} from _invocations i where i.id = ${id}`

/** The account that a request stands for, by its token or its key. Runs before the site is entered. */
export const selectUser = (userId: number | null, keyHash: string | null) => sql<RunUser>`
  select u.id, u.username, u.email from public.users u
   where u.id = coalesce(${userId}::bigint, (select k.user_id from public.api_keys k where k.hash = ${keyHash}))`

/** The site that a request names, and the keys that its texts are encrypted with. Runs before the site is entered. */
export const selectKeysOf = ({ host, slug }: TenantLocator) => sql<SiteKeys>`
  select s.id as "siteId", coalesce(
           (select json_agg(json_build_object('version', d.version, 'masterKid', d.master_kid, 'wrapped', d.wrapped) order by d.version)
              from public.data_keys d where d.site_id = s.id), '[]') as keys
    from public.sites s where s.slug = public.site_at(${host}, ${slug})`

/** How long a run may take beyond its time limit before it counts as lost. */
const graceSeconds = 60
const leaseOf = (timeoutSeconds: Sql) => sql`now() + make_interval(secs => ${timeoutSeconds} + ${graceSeconds})`

/** A run that is noted, and its function. Where the function is not active, nothing is noted: the other columns are null. */
export interface NotedRun extends InvocationRow {
  runnable: RunnableFunction
  delivery_id: number
}

/** Notes a run that a request asks for. No row where there is no such function. `queued`: the run waits for its message. */
export const insertRun = (app: string, slug: string, params: string, queued: boolean) => {
  const lease = leaseOf(sql`f.timeout_seconds`)
  return sql<NotedRun>`
  with f as (
    select ${runnable} from _functions f join _apps a on a.id = f.app_id where a.slug = ${app} and a.is_active and f.slug = ${slug}
  ), d as (
    insert into _deliveries (functions, user_id, due_at) select array[f.id], ${callerId}, ${queued ? sweepAfter : lease} from f where f.is_active returning id, user_id
  ), i as (
    insert into _invocations (delivery_id, event_id, function_id, function_name, function_slug, trigger_type, status, attempts, params, user_id,
                              due_at, leased_until, started_at)
    select d.id, d.id, f.id, f.name, f.slug, 'api', ${queued ? 'PENDING' : 'STARTED'}, ${queued ? 0 : 1}, ${params}::json, d.user_id,
           now(), ${queued ? sql`null` : lease}, ${queued ? sql`null` : sql`clock_timestamp()`}
      from d, f
    returning *
  )
  select row_to_json(f) as runnable, i.delivery_id, ${columns} from f left join i on true`
}

/** What a run has come to. */
export interface Ended {
  id: number
  /** The attempt that it was: the end of an older one is of no account any more. */
  attempt: number
  status: 'SUCCESS' | 'FAILURE' | 'SKIPPED' | 'RETRY'
  result: unknown
  error: string | null
  logs: unknown
  started_at: string
  finished_at: string
  /** Of one that is to run again: after how long. */
  retry_seconds?: number
}

export const endRuns = (ended: readonly Ended[]): Sql => sql`
  update _invocations i
     set status = e.status, result = e.result, error = e.error, logs = e.logs, started_at = e.started_at, leased_until = null,
         finished_at = case when e.status <> 'RETRY' then greatest(e.finished_at, e.started_at) end,
         due_at = now() + make_interval(secs => coalesce(e.retry_seconds, 0))
    from json_to_recordset(${JSON.stringify(ended)}::json) as e (
           id bigint, attempt integer, status text, result json, error text, logs json, started_at timestamptz, finished_at timestamptz, retry_seconds integer)
   where i.id = e.id and i.attempts = e.attempt and i.status = 'STARTED'`

export const deleteDelivery = (id: number): Sql => sql`delete from _deliveries d where d.id = ${id}`

/** Runs one that has failed for good anew. No row where it has not. */
export const restartInvocation = (id: number) => sql<InvocationRow>`
  with d as (
    insert into _deliveries (functions, event, user_id, due_at)
    select array[i.function_id], i.event, i.user_id, ${sweepAfter} from _invocations i where i.id = ${id} and i.status = 'FAILURE' for update
    returning id
  ), i as (
    update _invocations i
       set status = 'PENDING', attempts = 0, delivery_id = d.id, due_at = now(), result = null, error = null, logs = '[]', started_at = null, finished_at = null
      from d where i.id = ${id} and i.status = 'FAILURE'
    returning i.*
  )
  select ${columns} from i`
