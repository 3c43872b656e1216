/**
 * Walks along the edges of a graph: trees, graphs, descendants and ancestors. Spec: Edges and graph
 * traversal; G3–G5.
 */

import type { RequestContext } from '../../kernel/context.ts'
import { answerBytesMax } from '../../kernel/db/answer-bytes.ts'
import { type DatabaseFailure, sqlstates } from '../../kernel/db/failures.ts'
import type { Sql } from '../../kernel/db/sql.ts'
import { answerTooLarge } from '../../kernel/errors.ts'
import { type Plan, planOf, withCatalog } from '../catalog/catalog.ts'
import { materializedTable, type RecordPath, type RecordsPath } from '../catalog/find-table.ts'
import { queryTooComplex, recordNotFound } from '../failures/errors.ts'
import type { Deleted } from '../query/parse/ast.ts'
import type { AggregationPlan } from '../query/plan/aggregation/plan-aggregation.ts'
import type { ReadPlan } from '../query/plan/plan.ts'
import { type Planning, planning } from '../query/plan/planning.ts'
import { Problems } from '../query/problems.ts'
import type { ExtraColumns } from '../query/render/render-list.ts'
import { listRecords } from '../records/service.ts'
import type { RecordList } from '../records/views.ts'
import type { RecordBody } from '../write/answer/bodies.ts'
import { withGraph } from '../write/parse/edges.ts'
import { type Form, parseGraphQuery, parseInclude } from './parse.ts'
import { planInclude, planWalk, type WalkPlan } from './plan.ts'
import {
  type GraphRow,
  type IncludeRow,
  includeColumns,
  renderGraph,
  renderInclude,
  renderTree,
  type TreeRow,
  treeBytesMax,
} from './render.ts'
import { writeTree } from './tree.ts'

/**
 * Walks from one record: returns its nodes, or the tree or graph that begins there. Throws 400 for wrong
 * parameters, 404 for an unknown record, and 422 for a table without a graph, an answer that is too large, or
 * a query that takes too long.
 */
export async function walkFrom(
  ctx: RequestContext,
  path: RecordPath,
  parameters: URLSearchParams,
): Promise<RecordBody> {
  const { total: _, ...answer } = await runWalk(ctx, path, path.record, parameters)
  return { ...answer, etag: null }
}

/** Walks from all roots: returns a tree or a graph. Throws as `walkFrom` does. */
export const walkFromRoots = (
  ctx: RequestContext,
  path: RecordsPath,
  parameters: URLSearchParams,
): Promise<RecordList> => runWalk(ctx, path, undefined, parameters)

/** How to answer a format. `finish` returns undefined if the start record does not exist. */
type FormPlan<Row> = Pick<Plan<{ walk: Sql<Row> }, RecordList | undefined>, 'statements' | 'heavy' | 'finish'>

const planForm: Record<Form, (plan: WalkPlan) => FormPlan<unknown>> = {
  include: (plan): FormPlan<IncludeRow> =>
    planOf({
      statements: { walk: renderInclude(plan) },
      finish({ walk: { first: row } }) {
        if (!row) return undefined
        return {
          data: row.start ?? 'null',
          beside: row.data,
          bare: null,
          total: undefined,
        }
      },
    }),
  graph: (plan): FormPlan<GraphRow> =>
    planOf({
      statements: { walk: renderGraph(plan) },
      heavy: true,
      finish({ walk: { first: row } }) {
        if (!row) return undefined
        return {
          data: `{"nodes":${row.data},"edges":${row.edges}}`,
          beside: `,"total":${row.total}`,
          total: row.total,
        }
      },
    }),
  tree: (plan): FormPlan<TreeRow> =>
    planOf({
      statements: { walk: renderTree(plan) },
      heavy: true,
      finish({ walk: { first: row } }) {
        return row && treeOf(row, plan)
      },
    }),
}

/** Writes the tree from the rows of its nodes. */
function treeOf(row: TreeRow, { types, depth }: WalkPlan): RecordList {
  const nodes = JSON.parse(row.data) as string[]
  const text = writeTree(
    { nodes, starts: row.starts, edges: row.edges, types: types.map(({ name }) => name), depth },
    treeBytesMax,
  )
  if (text === undefined) throw answerTooLarge(treeBytesMax)
  const omitted = row.omitted > 0 ? `,"omitted":${row.omitted}` : ''
  return {
    data: text,
    beside: `,"total":${nodes.length}${omitted}`,
    total: nodes.length,
  }
}

/** Runs a walk from a record, or from all roots if `record` is undefined. */
const runWalk = (
  ctx: RequestContext,
  path: RecordsPath,
  record: string | undefined,
  parameters: URLSearchParams,
): Promise<RecordList> =>
  withCatalog(ctx, path.app, 'read', (catalog) => {
    const table = withGraph(materializedTable(catalog, path))
    const problems = new Problems()
    const query = parseGraphQuery(
      parameters,
      record === undefined ? 'roots' : 'record',
      ctx.config.GRAPH_DEPTH_MAX,
      problems,
    )
    const plan = planWalk(planning(table, problems, catalog.relationships), table, query, record)
    problems.throwIfAny()
    const notFound = () => recordNotFound(table.name, record ?? '')
    if (!plan) throw notFound()
    const form = planForm[plan.form](plan)
    return planOf({
      ...form,
      async finish(answers) {
        const answer = await form.finish(answers)
        if (!answer) throw notFound()
        return { ...answer, profile: plan.form }
      },
      errorOf: walkError,
    })
  })

/** Lists a page of records, each with the nodes that `include` asks for. Throws as `walkFrom` does. G5. */
export const listWithNodes = (
  ctx: RequestContext,
  path: RecordsPath,
  parameters: URLSearchParams,
): Promise<RecordList> =>
  listRecords(ctx, path, parameters, {
    plan: (state, list, deleted) => planNodes(ctx, state, parameters, list, deleted),
    errorOf: walkError,
  })

/**
 * Plans the nodes of each record of a list, as columns of its statement. Adds each problem to
 * `state.problems`. G5.
 */
function planNodes(
  ctx: RequestContext,
  state: Planning,
  parameters: URLSearchParams,
  list: ReadPlan | AggregationPlan,
  deleted: Deleted,
): ExtraColumns | undefined {
  const query = parseInclude(parameters, ctx.config.GRAPH_DEPTH_MAX, state.problems)
  const table = withGraph(state.table)
  if ('keys' in list) {
    state.problems.add('include', 'Only applies to records, not to an aggregation.')
    return undefined
  }
  const plan = planInclude(state, table, query, list, deleted)
  return state.problems.isEmpty ? includeColumns(plan) : undefined
}

/** Returns the error for a failure of the database; undefined if the client did not cause it. */
function walkError(failure: DatabaseFailure) {
  if (failure.sqlstate === sqlstates.queryCanceled) return queryTooComplex(failure)
  const isTooLarge =
    failure.sqlstate === sqlstates.limitExceeded || failure.sqlstate === sqlstates.outOfMemory
  return isTooLarge ? answerTooLarge(answerBytesMax) : undefined
}
