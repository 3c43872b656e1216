/** The SQL of dead letters. E5. */

import type { invocations } from '../../../../drizzle/tenant/functions.ts'
import { columnsOf, computed, of } from '../../../kernel/db/columns.ts'
import { join, type Sql, sql } from '../../../kernel/db/sql.ts'
import { sweepDueAt } from '../../../kernel/db/sweep-due.ts'
import { type List, selectPage } from '../../../kernel/http/lists/list.ts'
import { reasonColumn } from './reasons.ts'
import { type DeadLetter, type DeadLettersQuery, listForm, type ReplayInput } from './schema.ts'

const i = of<typeof invocations>('i')

export const list: List<typeof listForm> = {
  ...listForm,
  columns: { id: sql`i.id`, failed_at: { nullable: sql`i.finished_at` } },
  last: sql`i.id desc`,
  texts: [sql`i.function_name`, sql`i.function_slug`],
}

type Filters = Pick<
  ReplayInput,
  'function_slug' | 'trigger_type' | 'event' | 'reason' | 'since' | 'until' | 'ids'
>

function conditionsOf({ function_slug, trigger_type, event, reason, since, until, ids }: Filters): Sql[] {
  return [
    sql`i.status = 'FAILURE'`,
    ...(function_slug === undefined ? [] : [sql`i.function_slug = ${function_slug}`]),
    ...(trigger_type === undefined ? [] : [sql`i.trigger_type = ${trigger_type}`]),
    ...(event === undefined ? [] : [sql`i.event = ${event}`]),
    ...(reason === undefined ? [] : [sql`${reasonColumn} = ${reason}`]),
    ...(since === undefined ? [] : [sql`i.finished_at >= ${since}::timestamptz`]),
    ...(until === undefined ? [] : [sql`i.finished_at < ${until}::timestamptz`]),
    ...(ids === undefined ? [] : [sql`i.id = any (${ids}::bigint[])`]),
  ]
}

/** A dead letter as a row of the query. */
type DeadLetterRow = Omit<DeadLetter, 'advice'>

const columns = columnsOf(
  i(
    'id',
    'function_id as function',
    'function_name',
    'function_slug',
    'trigger_type',
    'event',
    'attempts',
    'error',
  ),
  computed<Pick<DeadLetterRow, 'reason'>>({ reason: reasonColumn }),
  i.times('created_at', 'finished_at as failed_at'),
)

/** Selects a page of dead letters. */
export const selectDeadLetters = (query: DeadLettersQuery) =>
  selectPage(list, query, {
    columns,
    from: sql`_invocations i`,
    where: conditionsOf(query),
  })

/** Counts the dead letters that a filter finds. */
export const countDeadLetters = (filters: Filters) =>
  sql<{ count: number }>`select count(*) as count from _invocations i where ${allOf(filters)}`

const allOf = (filters: Filters): Sql => join(conditionsOf(filters), sql` and `)

/**
 * Queues the oldest dead letters that a filter finds, and resets their attempts. Invocations with the same
 * cause share an outbox row. Dead letters that another request replays at the same time are left out.
 */
export const restartDeadLetters = (filters: Filters, limit: number) => sql<{ count: number }>`
  with picked as (
    select i.id, i.function_id, i.event, i.user_id, i.depth from _invocations i where ${allOf(filters)}
     order by i.id limit ${limit} for update skip locked
  ), d as (
    insert into _deliveries (functions, event, user_id, depth, due_at)
    select array_agg(distinct p.function_id), p.event, p.user_id, p.depth, ${sweepDueAt}
      from picked p group by p.event, p.user_id, p.depth
    returning id, event, user_id, depth
  ), restarted as (
    update _invocations i
       set status = 'PENDING', attempts = 0, delivery_id = d.id, due_at = now(), result = null, error = null,
           logs = '[]', started_at = null, finished_at = null
      from picked p join d on (d.event, d.user_id, d.depth) is not distinct from (p.event, p.user_id, p.depth)
     where i.id = p.id
    returning i.id
  )
  select count(*) as count from restarted`
