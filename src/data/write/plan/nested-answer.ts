/** The answer of a creation in steps: the records of the body, with the requested related records. */

import { aggregateWithin, madeMeasure } from '../../../kernel/db/answer-size.ts'
import { identifier, join, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Catalog } from '../../catalog/load-catalog.ts'
import { invalidRecords } from '../../failures/errors.ts'
import type { Table } from '../../model/table.ts'
import type { CreatedRecords } from '../../providers/provider.ts'
import { recordsWithinLimit } from '../../providers/writes/ctes.ts'
import { memberOfStep, read } from '../../providers/writes/input.ts'
import { allEqual, rowColumns } from '../../providers/writes/rows.ts'
import { once } from '../../query/parse/parse.ts'
import { parseView } from '../../query/parse/view.ts'
import { planning } from '../../query/plan/planning.ts'
import { planShown, type Shown } from '../../query/plan/shown.ts'
import { Problems } from '../../query/problems.ts'
import { recordJson } from '../../query/render/render-record.ts'
import type { Step } from './steps.ts'

/** The fields that the records of an answer show. */
interface ShownRecords extends Shown {
  /** The patterns of its filters. */
  patterns: ReadonlySet<string>
}

/**
 * Plans the related records of the parameter `populate`. `table` is as the caller reads it. Returns undefined
 * without the parameter. Throws 400 with all problems.
 */
export function planPopulate(
  { relationships }: Catalog,
  table: Table,
  parameters: URLSearchParams,
): ShownRecords | undefined {
  if (!parameters.has('populate')) return undefined
  // No rule allows the guest to read the table, so the records cannot be read.
  if (!relationships.has(table)) throw invalidRecords({ populate: ['Not possible by access rules.'] })
  const problems = new Problems()
  const state = planning(table, problems, relationships)
  const view = parseView(
    (name) => (name === 'populate' ? once(parameters, name, problems) : undefined),
    problems,
  )
  const shown = planShown(state, view)
  if (parameters.get('return') === 'minimal') problems.add('populate', 'Not possible with return=minimal.')
  problems.throwIfAny()
  return { ...shown, patterns: state.used.patterns }
}

/** The parts of an answer. */
interface Answer {
  /** The table as the caller reads it. */
  table: Table
  /** The operations of the records of the body, by their positions in the batch. */
  roots: readonly number[]
  /** The number of all records. */
  count: number
  /** Whether the answer contains the records. */
  returnsRecords: boolean
  /** Undefined: they are shown as the steps have written them. */
  shown: Shown | undefined
}

/** Selects the answer of a creation from the rows of the steps, which are `$2`: see `public.run`. */
export function createdRecords(
  steps: readonly Step[],
  { table, roots, count, returnsRecords, shown }: Answer,
): Sql<CreatedRecords> {
  const written = sql`${count}::integer as written`
  if (!returnsRecords) return sql`select null as data, null as etag, ${written}`
  // The steps contain the operations in the order of the batch.
  const places = steps.flatMap(({ body }, step) => body.records.map((_, position) => ({ step, position })))
  const wanted = roots.flatMap((index) => places[index] ?? [])
  const numbers = wanted.map(({ step }) => step)
  const records = sql`
    (select _place, _record
       from unnest(${numbers}::integer[], ${wanted.map(({ position }) => position)}::integer[])
            with ordinality _wanted (_step, _position, _place)
       join (select _step, _n - 1 as _position, _record
               from unnest(${[...new Set(numbers)]}::integer[]) _step,
                    json_array_elements(${memberOfStep(sql`_step`, 'data')}::json)
                    with ordinality _all (_record, _n)) _written using (_step, _position)) _created`
  const plain = sql`(select _place, _record as _json from ${records}) _shown`
  const selected = shown ? shownRecords(table, shown, records) : plain
  const joined = aggregateWithin(sql`string_agg(_json::text, ',' order by _place)`, {
    measure: madeMeasure(sql`_json`),
    rows: wanted.length,
  })
  const etag = memberOfStep(sql`${numbers[0] ?? 0}`, 'etag')
  return sql`
    select ${recordsWithinLimit} as data, ${etag} as etag, ${written}
      from (select '[' || coalesce(${joined}, '') || ']' as records
              from ${selected}
            offset 0) _answer`
}

/**
 * Selects created records by their keys, as they are stored now. A record that the caller may not read is
 * shown as its step returned it.
 */
function shownRecords(table: Table, shown: Shown, created: Sql): Sql {
  const names = table.primaryKey.map((_, position) => identifier(`_key${position}`))
  const typed = table.primaryKey.map(({ column, type }) => sql`${column} ${type.input ?? type.column}`)
  const values = table.primaryKey.map((field, position) => sql`${read(field)} as ${names[position] as Sql}`)
  // The alias `_record` is taken, because the SQL of `recordJson` uses it.
  const keys = sql`
    (select _place, _record as _returned, ${join(values)}
       from ${created}, jsonb_to_record(_record::jsonb) _fields (${join(typed)}) offset 0) _keys`
  return sql`
    (select _place, coalesce(_found._json, _returned) as _json
       from ${keys}
       left join lateral (select ${recordJson(table, shown)} as _json from ${table.rows} _row
                           where ${allEqual(rowColumns(table.primaryKey), names)}) _found on true) _shown`
}
