/** The errors of edges. */
import { AppError } from '../../kernel/errors.ts'
import { type BrokenRule, ruleMessage } from './edge-rules.ts'

/** The 422 for a table without a graph. Spec: Edge. Only tables with a hierarchy or a graph have edges. */
export const noGraph = (table: string) =>
  new AppError(422, 'no_graph', {
    error: 'Datatable has no graph',
    detail: `"${table}" has no edges: its schema has neither hierarchy nor an enabled graph.`,
  })

/** The 404 for an unknown edge. */
export const edgeNotFound = (table: string, id: string) =>
  new AppError(404, 'edge_not_found', {
    error: 'Edge not found',
    detail: `"${table}" has no edge with the id ${JSON.stringify(id)}.`,
  })

/** The unique key of edges. */
const edgeKey = ['from_id', 'to_id', 'type']

/** The 409 for an edge that exists already. `where` names an edge of the body: `rows[3]: `. G2 */
export const edgeExists = (where: string) =>
  new AppError(409, 'duplicate_value', {
    error: 'Duplicate value',
    detail: `${where}An edge with this from_id, to_id and type already exists.`,
    field: edgeKey.join(','),
  })

/** The 422 for edges that violate a rule of their type. G1 */
export const ruleBroken = (broken: BrokenRule, table: string) =>
  new AppError(422, 'edge_rule_violated', ruleMessage(broken, table))

/** The 413 for too many ids in a body. */
export const tooManyIds = (max: number) =>
  new AppError(413, 'too_many_items', { detail: `A request may have at most ${max} edges.` })
