/**
 * Builds writes: one statement of common table expressions (CTEs), each of which can read those before it.
 */

import { aggregateWithin, madeMeasure, textWithin } from '../../../kernel/db/answer-size.ts'
import { emptySql, identifier, join, type Sql, sql } from '../../../kernel/db/sql.ts'
import { insertOutboxRow, type RecordEvent } from '../../../runtime/events/records/service.ts'
import type { Table } from '../../model/table.ts'
import { entityTag } from '../../query/render/render.ts'

/** A common table expression with its name. */
export type Cte = readonly [name: string, query: Sql]

const renderCtes = (ctes: readonly Cte[]): Sql =>
  join(ctes.map(([name, query]) => sql`${identifier(name)} as materialized (${query})`))

/** Renders a write. `answer` is the select list of its one row. */
export const writeStatement = <Row>(ctes: readonly Cte[], answer: Sql): Sql<Row> =>
  sql<Row>`with ${renderCtes(ctes)} select ${answer}`

/**
 * Renders a write of records, with their events. The last CTE must be `_written`: one row for each record
 * that was created, changed or deleted, with its position `_n`, its JSON `_data`, and the `_version` of its
 * row.
 */
export const recordsStatement = <Row>(
  table: Table,
  ctes: readonly Cte[],
  events: readonly WriteEvent[],
  answer: Sql,
): Sql<Row> => writeStatement([...ctes, recordsCte, ...eventCtes(table, events)], answer)

/** The number of records in a large write. */
const rowsMany = 1_000

/**
 * The records in the order of `_n`, as the text of a JSON array. Postgres creates the text once, for the
 * answer and for events.
 */
const recordsCte: Cte = [
  '_records',
  sql`select ${arrayWithin(sql`_data`, sql`_n`)}::text as records from _written`,
]

/** Returns the array of records, which are JSON already, in an order. Fails if it would be too long. */
function arrayWithin(record: Sql, order: Sql): Sql {
  const array = sql`json_agg(${record} order by ${order})`
  return aggregateWithin(array, {
    measure: madeMeasure(record),
    rows: rowsMany,
  })
}

export interface WriteEvent {
  event: RecordEvent
  /**
   * Selects the records of the event from `_written`. Omitted: all of them, and the write has no other event.
   */
  where?: Sql
  /** Whether `_before` contains the previous state of the records in `_data`. */
  previous?: true
}

/** Tells whether functions subscribe to an event of a table. */
export const hasSubscribers = (table: Table, event: RecordEvent): boolean =>
  table.announced?.events.has(event) ?? false

/** Tells whether `_written` needs the records: for the answer, or for an event. */
export const needsRecords = (
  table: Table,
  { returnsRecords }: { returnsRecords: boolean },
  events: readonly RecordEvent[],
): boolean => returnsRecords || events.some((event) => hasSubscribers(table, event))

function eventCtes(table: Table, events: readonly WriteEvent[]): Cte[] {
  const { announced, primaryKey } = table
  if (!announced) return []
  const key = primaryKey.map(({ name }) => name)
  return events
    .filter(({ event }) => hasSubscribers(table, event))
    .map((write): Cte => {
      const { event } = write
      const outboxRow = insertOutboxRow(announced, {
        ...{ event, datatable: table, key },
        records: eventRecords(write),
      })
      return [`_${event.toLowerCase()}`, outboxRow]
    })
}

/** Selects the records of an event, and their previous state, as texts of JSON arrays. */
function eventRecords({ where, previous }: WriteEvent): Sql {
  if (!where && !previous) return sql`select records, null::text as previous from _records`
  const before = previous ? sql`${arrayWithin(sql`_before._data`, sql`_written._n`)}::text` : sql`null::text`
  const joined = previous ? sql`left join _before on _before._n = _written._n` : emptySql
  return sql`
    select ${arrayWithin(sql`_written._data`, sql`_written._n`)}::text as records, ${before} as previous
      from _written ${joined} where ${where ?? sql`true`}`
}

/**
 * Queries for the possible conflicts of a write, by name. Each returns a JSON array, or null if there is no
 * conflict.
 */
export type ConflictQueries = Readonly<Record<string, Sql>>

/** Returns the CTE `_conflicts`: one row with the result of every query. */
export function conflictsCte(conflicts: ConflictQueries): Cte {
  const columns = Object.entries(conflicts).map(([name, query]) => sql`(${query}) as ${identifier(name)}`)
  return ['_conflicts', sql`select ${join(columns)}`]
}

/** Returns the condition that every writing CTE needs, so that a write with conflicts writes nothing. */
export const ifNoConflicts = (conflicts: ConflictQueries): Sql =>
  sql`(select num_nonnulls(${join(Object.keys(conflicts).map(identifier))}) = 0 from _conflicts)`

/** The column `conflicts` of the answer. */
export const conflictsAnswer = sql`(select row_to_json(_conflicts) from _conflicts) as conflicts`

/** The content of the answer of a write: see RecordWrite. */
interface Returned {
  returnsRecords: boolean
  returnsKeys?: boolean
}

/** The columns of the answer that WrittenRecords has. */
export const recordsAnswer = ({ returnsRecords, returnsKeys = false }: Returned): Sql =>
  sql`${returnsRecords ? returnedRecords : noRecords},
    (select ${entityTag} from _written limit 1) as etag,
    (select count(*) from _written) as written${returnsKeys ? returnedKeys : emptySql}`

const returnedKeys = sql`, (select json_agg(_id order by _n) from _written)::text as ids`

/** The text `records`. Raises an error if it is too long. */
export const recordsWithinLimit = textWithin(sql`records`)

/** The text of the records is a JSON array. */
const returnedRecords = sql`
  coalesce((select ${recordsWithinLimit} from _records where records is not null), '[]') as data`

const noRecords = sql`null as data`

/** Returns a query for the records of the body that repeat a key, each with the first record that has it. */
export const repeated = (key: readonly Sql[]): Sql => sql`
  select json_agg(json_build_array(_n, _first) order by _n)
    from (select _n, min(_n) over (partition by ${join(key)}) as _first from _input) _keys where _n > _first`

/** Returns a query for the positions `_n`, from 0, of records. `from` selects the records. */
export const places = (from: Sql): Sql => sql`select json_agg(_n order by _n) from ${from}`

/** Returns a query for the records with none of the given ETags. R12. */
export const stale = (tags: readonly string[]): Sql =>
  places(sql`_before where ${entityTag} <> all (${tags}::text[])`)
