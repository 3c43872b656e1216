/** Queries of a list, from the query string to the plan and the statement, without a database. */

import type { RelationshipGraph } from '../../src/data/model/relationships.ts'
import type { Table } from '../../src/data/model/table.ts'
import type { Aggregation } from '../../src/data/query/parse/ast.ts'
import { parseRecordQuery } from '../../src/data/query/parse/parse.ts'
import {
  type AggregationPlan,
  planAggregation,
} from '../../src/data/query/plan/aggregation/plan-aggregation.ts'
import type { KeysetQuery } from '../../src/data/query/plan/keyset.ts'
import { planRead, type ReadPlan } from '../../src/data/query/plan/plan.ts'
import { planning } from '../../src/data/query/plan/planning.ts'
import { Problems } from '../../src/data/query/problems.ts'
import { renderAggregation } from '../../src/data/query/render/render-aggregation.ts'
import type { Sql } from '../../src/kernel/db/sql.ts'
import { render } from '../../src/kernel/db/sql.ts'
import { AppError } from '../../src/kernel/errors.ts'

/** Plans a query. Throws the 400 of an invalid one. `keyset` is the position of a page that has one. */
export function planOf(
  table: Table,
  graph: RelationshipGraph,
  query: string,
  keyset?: KeysetQuery,
): ReadPlan {
  const problems = new Problems()
  const plan = planRead(
    planning(table, problems, graph),
    parseRecordQuery(new URLSearchParams(query), problems),
    keyset,
  )
  problems.throwIfAny()
  return plan
}

/** Plans a query with aggregates. */
export function aggregationOf(table: Table, graph: RelationshipGraph, query: string): AggregationPlan {
  const problems = new Problems()
  const said = parseRecordQuery(new URLSearchParams(query), problems)
  const plan = planAggregation(planning(table, problems, graph), said, said.aggregation as Aggregation)
  problems.throwIfAny()
  return plan
}

export const aggregationSql = (table: Table, graph: RelationshipGraph, query: string): Sql =>
  renderAggregation(aggregationOf(table, graph, query))

/** Returns the body of the 400 that `run` throws, if it throws one. */
export function refused(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    if (error instanceof AppError && error.status === 400) return error.body
    throw error
  }
  return undefined
}

export const refusalOf = (table: Table, graph: RelationshipGraph, query: string): unknown =>
  refused(() => planOf(table, graph, query))

/** Renders a statement on one line. */
export function oneLine(fragment: Sql): { text: string; values: unknown[] } {
  const { text, values } = render(fragment)
  return { text: withoutBounds(text.replaceAll(/\s+/g, ' ').trim()), values }
}

/** Returns the query that a statement counts, with `%1$L` for its first value, and its values. */
export function countedBy({ strings, values }: Sql): { text: string; values: unknown } | undefined {
  const at = strings.findIndex((text) => text.endsWith('tessera.count_rows('))
  const [text, of] = values.slice(at, at + 2)
  return at < 0
    ? undefined
    : { text: withoutBounds(String(text).replaceAll('%%', '%').replaceAll(/\n\s*/g, ' ').trim()), values: of }
}

/** Removes what bounds an answer: test/security/answer-size.test.ts tests it. */
const withoutBounds = (text: string): string =>
  text
    .replaceAll(/case when coalesce\(tessera\.\w+_within\(.*?, 0\) >= 0 then (.*?\)) end/g, '$1')
    .replaceAll(
      /case when \(greatest\(.*? > \d+\) is not true or tessera\.add_bytes\(0, .*?\) >= 0 then (row_to_json\(\w+\)|case _more.*? end) end/g,
      '$1',
    )
    .replaceAll(
      /case when (octet_length\(\S+\)) <= (\$\d+) then (\S+) else tessera\.refuse_answer\(\d+\) end/g,
      'case when $1 <= $2 then $3 end',
    )
