/**
 * Plans the query of a request for the tables of several sites: once for all sites whose tables are alike.
 */
import { answerBytesMax } from '../../kernel/db/answer-bytes.ts'
import { DatabaseFailure } from '../../kernel/db/failures.ts'
import { partBytesMax } from '../../kernel/db/site-parts.ts'
import type { Sql } from '../../kernel/db/sql.ts'
import { type AppError, appNotFound } from '../../kernel/errors.ts'
import type { CachedCatalog } from '../catalog/load-catalog.ts'
import { computationError, patternError } from '../failures/computation-error.ts'
import { locate } from '../model/path.ts'
import { isInMongodb, notInMongodb } from '../providers/mongodb/capabilities.ts'
import type { RecordQuery } from '../query/parse/ast.ts'
import { type AggregationPlan, planAggregation } from '../query/plan/aggregation/plan-aggregation.ts'
import type { KeysetQuery } from '../query/plan/keyset.ts'
import { planRead, type ReadPlan } from '../query/plan/plan.ts'
import type { Planning } from '../query/plan/planning.ts'
import { Problems } from '../query/problems.ts'
import { renderAggregation } from '../query/render/render-aggregation.ts'
import { type ListRow, renderList } from '../query/render/render-list.ts'
import { computedBy } from '../records/computations.ts'
import { readTarget } from '../records/read-target.ts'

/** A request, as far as no table is needed to understand it. */
export interface Asked {
  app: string
  table: string
  parameters: URLSearchParams
  query: RecordQuery
  /** The position after which the page begins. */
  position: KeysetQuery
  /** The most matches that are counted for a default total. */
  exactMax: number
}

/** The plan for one shape of tables. */
export interface Planned {
  plan: ReadPlan | AggregationPlan
  /** What the fields are that the query names, by their names. It has to be the same in all sites. */
  named: ReadonlyMap<string, string>
  /**
   * Returns the statement for a site of `parts`. `isInclusive`: whether a record with the values of the
   * position comes after it.
   */
  statement(isInclusive: boolean, parts: number): Sql<ListRow>
  /** Returns the error of the client that a failure shows; undefined if there is none. */
  errorOf(sqlstate: string): AppError | undefined
}

/** Plans the query for the tables of a catalog. Throws AppError if it does not fit them. */
export function planFor(catalog: CachedCatalog, asked: Asked): Planned {
  if (catalog.app === null) throw appNotFound(asked.app)
  const { parameters, query, exactMax } = asked
  const problems = new Problems()
  const { table, state } = readTarget(catalog, asked, parameters, problems)
  if (isInMongodb(table)) throw notInMongodb('other')
  const aggregation = query.aggregation && planAggregation(state, query, query.aggregation)
  const plan = aggregation ?? planRead(state, query, asked.position)
  problems.throwIfAny()
  return {
    plan,
    named: namedIn(state, plan, query),
    statement(isInclusive, parts) {
      const bytesMax = Math.min(answerBytesMax, partBytesMax(parts))
      if ('keys' in plan) return renderAggregation(plan)
      const keyset = plan.keyset && { ...plan.keyset, isInclusive }
      return renderList({ ...plan, keyset }, { exactMax, as: { form: 'ndjson', bytesMax }, hasAllKeys: true })
    },
    errorOf(code) {
      const failure = new DatabaseFailure({ code })
      return patternError(failure, state.used.patterns) ?? computationError(failure, computedBy(plan))
    },
  }
}

/** Returns the types of the fields that a query names, and the primary key, which ends its order. */
function namedIn(
  { table, used }: Planning,
  plan: ReadPlan | AggregationPlan,
  query: RecordQuery,
): ReadonlyMap<string, string> {
  const named = new Map<string, string>()
  for (const { name, table: end, parts } of used.ends) {
    const field = end.fields.get(locate(end.fields, parts)?.field ?? '')
    if (field) named.set(name, typeOf(field.schema))
  }
  for (const { name } of query.fields) {
    const field = table.fields.get(name)
    if (field) named.set(name, typeOf(field.schema))
  }
  if ('keys' in plan) return named
  const key = plan.table.primaryKey.map(({ name, schema }) => `${name} ${typeOf(schema)}`)
  return named.set('The primary key', key.join(', '))
}

const typeOf = ({ type }: { type: string }): string => `of type ${type}`
