/** The requests that write edges, one row each. They answer with the text of the body. */
import { type RecordsBody, readBody } from '../failures/body.ts'
import { invalidRecords, refusedByRules } from '../failures/errors.ts'
import type { EdgeConflicts, WrittenEdges } from '../providers/writes/edges.ts'
import { asCreatedEdges, asDeletedEdges, asEdge } from './answer/edges.ts'
import { readIds, withGraph } from './parse/edges.ts'
import { readFlags } from './parse/parameters.ts'
import { planEdgeReplacement, planNewEdges } from './plan/edges.ts'
import type { Asked, WriteRequest } from './plan/request.ts'
import type { Step } from './plan/steps.ts'

/** Returns the request that runs a step of edges. */
const ofEdges = <Row extends object>(
  stepOf: (asked: Asked) => Step<Row>,
  answer: (written: Row) => string,
): WriteRequest<Row, string> => ({
  action: 'edges',
  plan: (asked) => ({ step: stepOf(asked), mode: 'write', isDry: readFlags(asked.parameters).isDry }),
  answer,
})

function bodyOf({ body }: Asked, isArray: boolean): RecordsBody {
  const read = readBody(body?.text ?? '', 'one or many', body?.scan)
  if (read.bulk === isArray) return read
  const problem = isArray ? 'An array of edges is required.' : 'An edge must be an object.'
  throw invalidRecords({ non_field_errors: [problem] })
}

/** The requests, by what they do. */
export const edgeRequests = {
  /** Creates all edges of an array, or none. Throws 400, 403, 404, 409, 413 and 422. */
  create: ofEdges<WrittenEdges>(
    (asked) => planNewEdges({ target: asked.target, body: bodyOf(asked, true) })(),
    ({ data, total }) => asCreatedEdges(data, total),
  ),
  /** Replaces an edge: omitted members become empty. Throws 400, 404, 409 and 422. */
  replace: ofEdges<WrittenEdges>(
    (asked) =>
      planEdgeReplacement({ target: asked.target, body: bodyOf(asked, false) }, asked.path.edge ?? ''),
    ({ data }) => asEdge(data),
  ),
  /** Deletes edges by their ids, and ignores unknown ids. Throws 400, 404, 413 and 422. */
  delete: ofEdges<{ deleted: number }>(
    ({ target: { table, edges }, body }) => {
      const ids = readIds(body?.text ?? '')
      return {
        body: { records: [], bulk: true, text: '[]' },
        statements: { written: edges.deleteEdges(withGraph(table), ids) },
        check({ conflicts }) {
          const [refused] = (conflicts as EdgeConflicts | null | undefined)?.refused ?? []
          if (refused !== undefined) throw refusedByRules(`edge_ids[${refused}]: `)
        },
        errorOf: () => undefined,
      }
    },
    ({ deleted }) => asDeletedEdges(deleted),
  ),
}
