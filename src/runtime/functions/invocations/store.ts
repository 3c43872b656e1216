/** The SQL of invocations. E3, E5. */

import type { invocations } from '../../../../drizzle/tenant/functions.ts'
import type { TenantLocator } from '../../../kernel/context.ts'
import { rowBytesMax } from '../../../kernel/db/answer-bytes.ts'
import { enteredCallerId } from '../../../kernel/db/caller.ts'
import { columnsOf, computed, type OrNulls, of } from '../../../kernel/db/columns.ts'
import { identifier, join, literal, type Sql, sql } from '../../../kernel/db/sql.ts'
import { sweepDueAt } from '../../../kernel/db/sweep-due.ts'
import { type List, selectPage } from '../../../kernel/http/lists/list.ts'
import type { SiteKeys } from '../../../secrets/encryption/service.ts'
import type { AttemptResult, InvocationUser, RunnableFunction } from '../runners/service.ts'
import { countSkipped } from '../skipped-runs/store.ts'
import { runnable } from '../store.ts'
import { type InvocationsQuery, listForm } from './schema.ts'
import type { InvocationRow } from './views.ts'

const i = of<typeof invocations>('i')

const isNeverStarted = sql`(o.status = 'FAILURE' and o.started_at is null)`

/** The result of publishing the event of an invocation; null for other triggers. E9. */
const published = sql`
  case when i.trigger_type = 'event' then (
    select json_build_object('event', i.event, 'total_subscribers', count(*), 'task_ids', json_agg(
             case when ${isNeverStarted}
                  then json_build_object('function_id', o.function_id, 'function_name', o.function_name,
                                         'task_id', null, 'invocation_id', o.id, 'status', 'error',
                                         'error', o.error)
                  else json_build_object('function_id', o.function_id, 'function_name', o.function_name,
                                         'task_id', o.event_id || '-' || o.id, 'invocation_id', o.id) end
             order by o.id))
      from _invocations o where o.event_id = i.event_id and o.place = i.place) end`

const columns = columnsOf(
  i(
    'id',
    'function_id as function',
    'function_name',
    'function_slug',
    'trigger_type',
    'event',
    'status',
    'attempts',
  ),
  computed<Pick<InvocationRow, 'params' | 'result'>>({
    params: sql`i.params::text`,
    result: sql`i.result::text`,
  }),
  i('error', 'logs'),
  i.times('started_at', 'finished_at', 'created_at'),
  computed<Pick<InvocationRow, 'publish' | 'duration_ms'>>({
    publish: published,
    duration_ms: sql`round(extract(epoch from i.finished_at - i.started_at) * 1000)::integer`,
  }),
)

/** The bytes of the values that can have megabytes, as JSON. What is short in the table is not read. */
const bytes = join(
  ['params', 'result', 'logs', 'error'].map((name) => {
    const column = sql`i.${identifier(name)}`
    const counted =
      name === 'error' ? sql`tessera.text_bytes(${column})` : sql`tessera.json_bytes(json_send(${column}))`
    return sql`case when pg_column_size(${column}) > 2000 then ${counted} else 0 end`
  }),
  sql` + `,
)

export const list: List<typeof listForm> = {
  ...listForm,
  columns: {
    id: sql`i.id`,
    created_at: sql`i.created_at`,
    started_at: { nullable: sql`i.started_at` },
    finished_at: { nullable: sql`i.finished_at` },
    duration_ms: { nullable: sql`i.finished_at - i.started_at` },
  },
  last: sql`i.id desc`,
  texts: [sql`i.function_name`, sql`i.function_slug`],
}

function filtersOf({ function_slug, status, trigger_type }: InvocationsQuery): Sql[] {
  const filters: Sql[] = []
  if (function_slug !== undefined) filters.push(sql`i.function_slug = ${function_slug}`)
  if (status !== undefined) filters.push(sql`i.status = ${status}`)
  if (trigger_type !== undefined) filters.push(sql`i.trigger_type = ${trigger_type}`)
  return filters
}

/** Selects a page of invocations. */
export const selectInvocations = (query: InvocationsQuery) =>
  selectPage(list, query, {
    columns,
    from: sql`_invocations i`,
    where: filtersOf(query),
    bytes,
  })

export const selectInvocation = (id: number) =>
  sql`
  select ${columns} from _invocations i
   where i.id = ${id} and tessera.add_bytes(0, ${bytes}, ${literal(rowBytesMax)}) >= 0`

/** The account that caused an invocation, and its generation: its rights are looked up for each run. */
export interface CauseRow extends InvocationUser {
  generation: number
}

/** The site of a request, its slug and its data keys. */
export interface RunningSite extends SiteKeys {
  slug: string
}

/** Selects the account of a token or of an API key. Runs before the site is entered. */
export const selectUser = (userId: number | null, keyHash: string | null) => sql<CauseRow>`
  select u.id, u.username, u.email, u.generation from public.users u
   where u.id = coalesce(${userId}::bigint,
                         (select k.user_id from public.api_keys k where k.hash = ${keyHash}))`

/** Selects the site of a request. Runs before the site is entered. */
export const selectSite = ({ host, slug }: TenantLocator) => sql<RunningSite>`
  select s.id as "siteId", s.slug, coalesce(
           (select json_agg(json_build_object('version', d.version, 'masterKid', d.master_kid,
                                              'wrapped', d.wrapped) order by d.version)
              from public.data_keys d where d.site_id = s.id), '[]') as keys
    from public.sites s where s.slug = public.site_at(${host}, ${slug})`

/** The seconds after its time limit from which an attempt counts as lost. */
const graceSeconds = 60
const leaseUntil = sql`now() + make_interval(secs => f.timeout_seconds + ${graceSeconds})`

export interface NewInvocationRow extends InvocationRow {
  runnable: RunnableFunction
  delivery_id: number
}

/**
 * Inserts an invocation for a request, with its outbox row. If `isQueued`, it waits for the outbox; otherwise
 * its first attempt has started. Returns no row if the app does not have the function, and nulls if the
 * function is not active.
 */
export const insertInvocation = (app: string, slug: string, params: string, isQueued: boolean) =>
  sql<Pick<NewInvocationRow, 'runnable'> & OrNulls<Omit<NewInvocationRow, 'runnable'>>>`
  with f as (
    select ${runnable} from _functions f join _apps a on a.id = f.app_id
     where a.slug = ${app} and a.is_active and f.slug = ${slug}
  ), d as (
    insert into _deliveries (functions, user_id, due_at)
    select array[f.id], ${enteredCallerId}, ${isQueued ? sweepDueAt : leaseUntil} from f where f.is_active
    returning id, user_id
  ), i as (
    insert into _invocations (delivery_id, event_id, function_id, function_name, function_slug, trigger_type,
                              status, attempts, params, user_id, due_at, leased_until, started_at)
    select d.id, d.id, f.id, f.name, f.slug, 'api', ${isQueued ? 'PENDING' : 'STARTED'}, ${isQueued ? 0 : 1},
           ${params}::json, d.user_id, now(), ${isQueued ? sql`null` : leaseUntil},
           ${isQueued ? sql`null` : sql`clock_timestamp()`}
      from d, f
    returning *
  )
  select row_to_json(f) as runnable, i.delivery_id, ${columns} from f left join i on true`

/** A finished attempt, to be recorded. */
export interface FinishedAttempt extends Pick<AttemptResult, 'result' | 'error' | 'logs' | 'mails'> {
  /** The id of the invocation. */
  id: number
  /** The number of the attempt. If it is not the last attempt, its record is ignored. */
  attempt: number
  status: 'SUCCESS' | 'FAILURE' | 'SKIPPED' | 'RETRY'
  /** Null: it could not be started. */
  started_at: string | null
  finished_at: string
  /** How long to wait before the next attempt, if the status is RETRY. */
  retry_seconds?: number
}

/** The e-mails are kept by a statement of their own: insertMails. */
export const withoutMails = ({ mails: _, ...finished }: FinishedAttempt) => finished

/**
 * Records finished attempts, and counts those that were skipped. The array keeps Postgres from reading all
 * invocations of the site that are not finished.
 */
export const finishAttempts = (finished: readonly FinishedAttempt[]): Sql => sql`
  with ended as (
  update _invocations i
     set status = e.status, result = e.result, error = e.error, logs = e.logs, started_at = e.started_at,
         leased_until = null,
         finished_at = case when e.status <> 'RETRY' then greatest(e.finished_at, e.started_at) end,
         due_at = now() + make_interval(secs => coalesce(e.retry_seconds, 0))
    from json_to_recordset(${JSON.stringify(finished.map(withoutMails))}::json) as e (
           id bigint, attempt integer, status text, result json, error text, logs json,
           started_at timestamptz, finished_at timestamptz, retry_seconds integer)
   where i.id = any (${finished.map(({ id }) => id)}::bigint[])
     and i.id = e.id and i.attempts = e.attempt and i.status = 'STARTED'
  returning i.*)
  ${countSkipped(sql`ended`)}`

export const deleteOutboxRow = (id: number): Sql =>
  sql`update _deliveries d set is_gone = true where d.id = ${id}`

/** Queues a failed invocation again, without its earlier attempts. Returns no row if it has not failed. */
export const restartInvocation = (id: number) => sql`
  with d as (
    insert into _deliveries (functions, event, user_id, depth, due_at)
    select array[i.function_id], i.event, i.user_id, i.depth, ${sweepDueAt} from _invocations i
     where i.id = ${id} and i.status = 'FAILURE' for update
    returning id
  ), i as (
    update _invocations i
       set status = 'PENDING', attempts = 0, delivery_id = d.id, due_at = now(), result = null, error = null,
           logs = '[]', started_at = null, finished_at = null
      from d where i.id = ${id} and i.status = 'FAILURE'
    returning i.*
  )
  select ${columns} from i`
