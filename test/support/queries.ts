/** Queries of a list, from the query string to the plan and the statement, without a database. */

import type { Table } from '../../src/data/datatables/table.ts'
import { parseRecordQuery } from '../../src/data/query/parse.ts'
import { planning, planRead, type ReadPlan } from '../../src/data/query/plan.ts'
import { Problems } from '../../src/data/query/problems.ts'
import type { RelationshipGraph } from '../../src/data/query/relationships.ts'
import type { Sql } from '../../src/db/sql.ts'
import { render } from '../../src/db/sql.ts'
import type { AppError } from '../../src/errors.ts'

/** Throws the 400 of a query that cannot be meant. */
export function planOf(table: Table, graph: RelationshipGraph, query: string): ReadPlan {
  const problems = new Problems()
  const plan = planRead(planning(table, problems, graph), parseRecordQuery(new URLSearchParams(query), problems))
  problems.throwIfAny()
  return plan
}

export function refusalOf(table: Table, graph: RelationshipGraph, query: string): unknown {
  try {
    planOf(table, graph, query)
  } catch (error) {
    return (error as AppError).body
  }
  return undefined
}

/** A statement on one line. */
export function oneLine(fragment: Sql): { text: string; values: unknown[] } {
  const { text, values } = render(fragment)
  return { text: text.replaceAll(/\s+/g, ' ').trim(), values }
}
