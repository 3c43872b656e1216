/** What Postgres says of a list when it explains it, which takes no time. */
import type { RequestContext } from '../../../kernel/context.ts'
import { readInTenant } from '../../../kernel/db/replica.ts'
import { literal, renderText, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Catalog } from '../../catalog/load-catalog.ts'
import type { ReadPlan } from '../../query/plan/plan.ts'
import { renderPredicate } from '../../query/render/render.ts'
import { row } from '../../query/row.ts'
import type { WantedIndex } from './schema.ts'
import { needsOf, wantedIndex } from './wanted-index.ts'

/** A list: its plan, and its statement. */
export interface AskedList {
  plan: ReadPlan
  list: Sql
}

/** A node of a plan of Postgres. */
interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Total Cost': number
  'Plan Rows': number
  'Index Cond'?: string
  'Recheck Cond'?: string
  Plans?: readonly PlanNode[]
}

/** The answer of `explain (format json)`. */
interface Explained {
  'QUERY PLAN': readonly [{ Plan: PlanNode }]
}

/** What Postgres expects for reading or sorting tens of thousands of rows. */
const costMany = 1_000
/** If more than this part of the records passes the comparisons, Postgres reads all rather than an index. */
const partMany = 0.2

/**
 * Returns the index that the list lacks, if Postgres would read or sort its whole table; otherwise undefined.
 */
export async function indexLackedBy(
  ctx: RequestContext,
  catalog: Catalog,
  { plan, list }: AskedList,
): Promise<WantedIndex | undefined> {
  if (!wantedIndex(plan)) return undefined
  const { physicalName, relation, rows } = plan.table
  const compared = renderPredicate({ kind: 'and', of: needsOf(plan).compared }, row)
  const { explained, passing, size } = await readInTenant(
    ctx,
    {
      explained: sql<Explained>`explain (format json) ${list}`,
      passing: sql<Explained>`explain (format json) select from ${rows} ${row.alias} where ${compared}`,
      size: sql<{ rows: number }>`
        select greatest(c.reltuples, 1)::float8 as rows from pg_catalog.pg_class c
         where c.oid = ${literal(renderText(relation))}::pg_catalog.regclass`,
    },
    catalog,
  )
  const nodes = nodesOf(planIn(explained.one))
  const scans = nodes.filter(
    (node) => node['Relation Name'] === physicalName && !(node['Index Cond'] ?? node['Recheck Cond']),
  )
  const isMany = (node: PlanNode) => node['Total Cost'] >= costMany
  const isWhole = scans.some(isMany) || nodes.some((node) => node['Node Type'] === 'Sort' && isMany(node))
  const part = planIn(passing.one)['Plan Rows'] / size.one.rows
  return isWhole ? wantedIndex(plan, part <= partMany) : undefined
}

const planIn = ({ 'QUERY PLAN': [{ Plan }] }: Explained): PlanNode => Plan

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]
