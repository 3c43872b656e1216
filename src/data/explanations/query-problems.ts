/** Finds the problems of a guest's list query without running it, for an explanation. */
import type { Standing } from '../../kernel/standing.ts'
import { checkAsOf } from '../catalog/as-of.ts'
import { guestCatalog } from '../catalog/guests.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { parseAsOf } from '../query/parse/as-of.ts'
import { parseRecordQuery } from '../query/parse/parse.ts'
import { planAggregation } from '../query/plan/aggregation/plan-aggregation.ts'
import { planRead } from '../query/plan/plan.ts'
import { planning } from '../query/plan/planning.ts'
import { Problems } from '../query/problems.ts'

/** Returns the problems by parameter that a guest of this standing would see. */
export function problemsOfQuery(
  catalog: Catalog,
  name: string,
  query: Readonly<Record<string, unknown>> = {},
  standing: Standing,
): Record<string, string[]> {
  const seen = guestCatalog(catalog, standing)
  const table = seen.tables.get(name)
  if (!table) return {}
  const problems = new Problems()
  const parameters = parametersOf(query)
  const state = planning(table, problems, seen.relationships)
  checkAsOf(table, parseAsOf(parameters, problems), problems)
  const parsed = parseRecordQuery(parameters, problems)
  if (parsed.aggregation) planAggregation(state, parsed, parsed.aggregation)
  else planRead(state, parsed)
  return Object.fromEntries(Object.entries(problems.details()).map(([at, of]) => [at, [...of]]))
}

/** Converts the members of a JSON object to query parameters. An array repeats its parameter. */
function parametersOf(query: Readonly<Record<string, unknown>>): URLSearchParams {
  const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  return new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, textOf(one)]),
    ),
  )
}
