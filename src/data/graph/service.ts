/** Walks along the edges of a graph: what is below or above a record, trees and graphs. Spec: Edges and graph traversal; G3–G5. */
import type { RequestContext } from '../../context.ts'
import { DatabaseFailure, sqlstates } from '../../db/failures.ts'
import type { Results } from '../../db/results.ts'
import type { Sql } from '../../db/sql.ts'
import { withCatalog } from '../catalog.ts'
import { withGraph } from '../edges/service.ts'
import type { Deleted } from '../query/ast.ts'
import { type Planning, planning, type ReadPlan } from '../query/plan.ts'
import type { AggregationPlan } from '../query/plan-aggregation.ts'
import { Problems } from '../query/problems.ts'
import { answerBytesMax, type Beside } from '../query/render-list.ts'
import { answerTooLarge, queryTooComplex, recordNotFound } from '../records/errors.ts'
import { materializedTable, type RecordPath, type RecordsPath } from '../records/find-table.ts'
import type { RecordBody, RecordList } from '../records/views.ts'
import { type Form, parseGraphQuery, parseInclude } from './parse.ts'
import { labelsOf, planInclude, planWalk, type WalkPlan } from './plan.ts'
import { type GraphRow, type IncludeRow, includeBeside, renderGraph, renderInclude, renderTree, type TreeRow, treeBytesMax } from './render.ts'
import { writeTree } from './tree.ts'

/** From one record: `include`, or the tree or graph that begins there. The text is the body. */
export async function walkFrom(ctx: RequestContext, path: RecordPath, parameters: URLSearchParams): Promise<RecordBody> {
  const { total: _, ...answer } = await walked(ctx, path, path.record, parameters)
  return { ...answer, etag: null }
}

/** From all roots: a tree, or a graph. */
export const walkFromRoots = (ctx: RequestContext, path: RecordsPath, parameters: URLSearchParams): Promise<RecordList> =>
  walked(ctx, path, undefined, parameters)

interface Answer {
  statement(plan: WalkPlan): Sql
  /** Undefined: there is no record to begin at. */
  body(results: Results, plan: WalkPlan): RecordList | undefined
}

const answers: Record<Form, Answer> = {
  include: {
    statement: renderInclude,
    body(results, plan) {
      const row = results.row<IncludeRow>()
      if (!row) return undefined
      const lists = labelsOf(plan).names.map((name, index) => `,${JSON.stringify(name)}:${sent(row[`list_${index}`] ?? null)}`)
      return { data: sent(row.start ?? null), beside: lists.join(''), bare: null, total: undefined }
    },
  },
  graph: {
    statement: renderGraph,
    body(results) {
      const row = results.row<GraphRow>()
      return row && { data: `{"nodes":${sent(row.data)},"edges":${sent(row.edges)}}`, beside: `,"total":${row.total}`, total: row.total }
    },
  },
  tree: {
    statement: renderTree,
    body(results, { types, depth }) {
      const row = results.row<TreeRow>()
      if (!row) return undefined
      const nodes = JSON.parse(sent(row.data, treeBytesMax)) as string[]
      if (!row.edges) throw answerTooLarge(treeBytesMax)
      const text = writeTree({ nodes, starts: row.starts, edges: row.edges, types: types.map(({ name }) => name), depth }, treeBytesMax)
      const omitted = row.omitted > 0 ? `,"omitted":${row.omitted}` : ''
      return { data: sent(text ?? null, treeBytesMax), beside: `,"total":${nodes.length}${omitted}`, total: nodes.length }
    },
  },
}

async function walked(ctx: RequestContext, path: RecordsPath, record: string | undefined, parameters: URLSearchParams): Promise<RecordList> {
  try {
    return await withCatalog(ctx, path.app, 'read', (catalog) => {
      const table = withGraph(materializedTable(catalog, path))
      const problems = new Problems()
      const query = parseGraphQuery(parameters, record === undefined ? 'roots' : 'record', ctx.config.GRAPH_DEPTH_MAX, problems)
      const plan = planWalk(planning(table, problems, catalog.relationships), table, query, record)
      problems.throwIfAny()
      const notThere = () => recordNotFound(table.name, record ?? '')
      if (!plan) throw notThere()
      return {
        statements: [answers[plan.form].statement(plan)],
        heavy: plan.form !== 'include',
        finish(results) {
          const answer = answers[plan.form].body(results, plan)
          if (!answer) throw notThere()
          return { ...answer, profile: plan.form }
        },
      }
    })
  } catch (failure) {
    throw walkRefusal(failure) ?? failure
  }
}

/** The nodes that each record of a list has beside it, as the statement of the list takes them. G5. */
export function planBeside(
  ctx: RequestContext,
  state: Planning,
  parameters: URLSearchParams,
  list: ReadPlan | AggregationPlan,
  deleted: Deleted,
): Beside | undefined {
  const query = parseInclude(parameters, ctx.config.GRAPH_DEPTH_MAX, state.problems)
  const table = withGraph(state.table)
  if ('keys' in list) {
    state.problems.add('include', 'Is said of records: what is computed of them leads nowhere.')
    return undefined
  }
  const plan = planInclude(state, table, query, list, deleted)
  return state.problems.areNone ? includeBeside(plan) : undefined
}

/** Undefined when the failure is none of the client's making. */
export function walkRefusal(failure: unknown) {
  if (!(failure instanceof DatabaseFailure)) return undefined
  if (failure.sqlstate === sqlstates.queryCanceled) return queryTooComplex(failure)
  const isTooLarge = failure.sqlstate === sqlstates.limitExceeded || failure.sqlstate === sqlstates.outOfMemory
  return isTooLarge ? answerTooLarge(answerBytesMax) : undefined
}

/** Text that is not too long to send. */
function sent(text: string | null, bytesMax = answerBytesMax): string {
  if (text === null) throw answerTooLarge(bytesMax)
  return text
}
