/** Plans the steps of writes of edges. Spec: Edges; G2. */
import { isUuid } from '../../../kernel/lib/is-uuid.ts'
import { edgeNotFound } from '../../failures/edge-errors.ts'
import { invalidRecords } from '../../failures/errors.ts'
import type { EdgeConflicts, WrittenEdges } from '../../providers/writes/edges.ts'
import { edgeWriteError, throwEdgeConflicts } from '../errors/edges.ts'
import { checkEdges, withGraph } from '../parse/edges.ts'
import type { Draft } from './records.ts'
import type { Checked, Step } from './steps.ts'

type EdgeDraft = Pick<Draft, 'target' | 'body' | 'taking'>

/** Plans the creation of edges. Throws 400 with all problems. */
export function planNewEdges(draft: EdgeDraft): () => Step<WrittenEdges> {
  const { target, body, taking } = draft
  const graph = withGraph(target.table)
  checkEdges(graph, body, taking && { take: taking.take })
  const input = { text: body.text, count: body.records.length, ...(taking && { taken: taking.taken }) }
  return () => ({
    body,
    statements: { written: target.edges.insertEdges(graph, input) },
    ...outcomeOf(draft),
  })
}

/** Plans the replacement of an edge. Throws 400 with all problems. */
export function planEdgeReplacement(draft: EdgeDraft, id: string): Step<WrittenEdges> {
  const { target, body } = draft
  const graph = withGraph(target.table)
  checkEdges(graph, body)
  if (!isUuid(id)) throw edgeNotFound(graph.name, id)
  const { check, errorOf } = outcomeOf(draft)
  return {
    body,
    statements: { written: target.edges.updateEdge(graph, id, body.text) },
    check(row) {
      if (!row.found) throw edgeNotFound(graph.name, id)
      check(row)
    },
    errorOf,
  }
}

/** Plans the deletion of an edge that must exist. */
export function planEdgeDeletion({ target: { table, edges }, body }: EdgeDraft): () => Step {
  const id = body.records[0]?.id
  const graph = withGraph(table)
  if (typeof id !== 'string') throw invalidRecords({ id: ['Must be the id of an edge.'] })
  if (!isUuid(id)) throw edgeNotFound(table.name, id)
  return () => ({
    body,
    statements: { written: edges.deleteEdge(graph, id) },
    check({ conflicts }) {
      throwEdgeConflicts(conflicts as EdgeConflicts, table, body)
      throw edgeNotFound(table.name, id)
    },
    errorOf: () => undefined,
  })
}

/** Returns how written edges of a body are checked. */
const outcomeOf = ({ target: { table }, body }: EdgeDraft): Pick<Step, 'check' | 'errorOf'> => ({
  check: ({ conflicts }: Checked) => throwEdgeConflicts(conflicts as EdgeConflicts, table, body),
  errorOf: (failure) => edgeWriteError(failure, table, body),
})
