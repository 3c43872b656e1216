/** A write as one statement of steps, each of which can read those before it. */
import { identifier, join, nothing, type Sql, sql } from '../../db/sql.ts'
import { insertDelivery, type RecordEvent } from '../../events/records/service.ts'
import type { Table } from '../datatables/table.ts'
import { entityTag } from '../query/render.ts'
import { answerBytesMax } from '../query/render-list.ts'

export type Step = readonly [name: string, query: Sql]

const asSteps = (steps: readonly Step[]): Sql => join(steps.map(([name, query]) => sql`${identifier(name)} as materialized (${query})`))

/**
 * The last step is `_written`: a row for each record that was created, changed or deleted, with `_n`, its place among
 * them, `_data`, it as JSON, and `_version`. What else belongs to a write, in its transaction, is one more step that reads it.
 */
export const writeStatement = (steps: readonly Step[], answer: Sql): Sql => sql`with ${asSteps(steps)} select ${answer}`

/** The same of the records of a table, with their events. */
export const recordsStatement = (table: Table, steps: readonly Step[], effects: readonly Effect[], answer: Sql): Sql =>
  writeStatement([...steps, recordsStep, ...eventSteps(table, effects)], answer)

/** The records in the order of `_n`, as the text of a JSON array: printed once, for the answer and for events. */
const recordsStep: Step = ['_records', sql`select json_agg(_data order by _n)::text as records from _written`]

/** What a write does to records. */
export interface Effect {
  event: RecordEvent
  /** To which of `_written`; omitted: to all, of which nothing else is to be said. */
  where?: Sql
  /** `_before` has, as `_data`, what they were before. */
  previous?: true
}

export const isAnnounced = (table: Table, event: RecordEvent): boolean => table.announced?.events.has(event) ?? false

function eventSteps(table: Table, effects: readonly Effect[]): Step[] {
  const { announced, name: datatable, primaryKey } = table
  if (!announced) return []
  return effects
    .filter(({ event }) => isAnnounced(table, event))
    .map(({ event, where, previous }): Step => {
      const records =
        where || previous
          ? sql`select json_agg(_written._data order by _written._n)::text as records,
                       ${previous ? sql`json_agg(_before._data order by _written._n)::text` : sql`null::text`} as previous
                  from _written ${previous ? sql`left join _before on _before._n = _written._n` : nothing} where ${where ?? sql`true`}`
          : sql`select records, null::text as previous from _records`
      return [`_${event.toLowerCase()}`, insertDelivery(announced, { event, datatable, key: primaryKey.map(({ name }) => name), records })]
    })
}

/** What stands against a write, by its name: a query for a JSON array of what is at fault, null when nothing is. */
export type Objections = Readonly<Record<string, Sql>>

export const refusedStep = (objections: Objections): Step => [
  '_refused',
  sql`select ${join(Object.entries(objections).map(([name, query]) => sql`(${query}) as ${identifier(name)}`))}`,
]

/** The condition of every step that writes: all of them write, or none. */
export const unlessRefused = (objections: Objections): Sql =>
  sql`(select num_nonnulls(${join(Object.keys(objections).map(identifier))}) = 0 from _refused)`

/** What of the records stood against the write. */
export const refusedAnswer = sql`(select row_to_json(_refused) from _refused) as refused`

/** The records, as the text of a JSON array; and the tag of one. A write whose records are too long to send is none. */
export const recordsAnswer = sql`
  coalesce((select case when octet_length(records) <= ${answerBytesMax} then records else tessera.refuse_answer() end
              from _records where records is not null), '[]') as data, (select ${entityTag} from _written limit 1) as etag`

/** Records of the body that repeat the key of one before them: pairs of the two places. */
export const repeated = (key: readonly Sql[]): Sql => sql`
  select json_agg(json_build_array(_n, _first) order by _n)
    from (select _n, min(_n) over (partition by ${join(key)}) as _first from _given) _keys where _n > _first`

/** The places, from 0, of records that a query yields as `_n`. */
export const places = (from: Sql): Sql => sql`select json_agg(_n order by _n) from ${from}`

/** Rows whose state is none of those that the client knows. R12. */
export const stale = (tags: readonly string[]): Sql => places(sql`_before where ${entityTag} <> all (${tags}::text[])`)
