import { AppError } from '../../errors.ts'
import { edgeKey } from './schema.ts'

/** Spec: Edge, exists only for datatables with hierarchy or graph. */
export const noGraph = (table: string) =>
  new AppError(422, {
    error: 'Datatable has no graph',
    detail: `There are no edges in "${table}": its schema has neither hierarchy nor an enabled graph.`,
  })

export const edgeNotFound = (table: string, id: string) =>
  new AppError(404, { error: 'Edge not found', detail: `"${table}" has no edge with the id ${JSON.stringify(id)}.` })

/** G2. `where` says which edge of the body it is about, as `rows[3]: `. */
export const edgeExists = (where: string) =>
  new AppError(409, {
    error: 'Duplicate value',
    detail: `${where}An edge of this type from the one record to the other exists already.`,
    field: edgeKey.join(','),
  })

/** What `tessera.hold_edges` says that edges would break. */
export interface BrokenRule {
  rule: 'max_outgoing' | 'max_incoming' | 'acyclic'
  type: string
  /** The primary key of a record at fault, as Postgres prints it. */
  node: string
  /** Of a limit. */
  most?: number
  /** Those of the written edges that break it, ten at most; keys as Postgres prints them. */
  edges: readonly { id: string; from: string; to: string }[] | null
}

/** G1: each rule in its own words. */
export function ruleMessage({ rule, type, node, most }: BrokenRule, table: string): { error: string; detail: string } {
  const record = `The record ${JSON.stringify(node)} of "${table}"`
  switch (rule) {
    case 'max_outgoing':
      return {
        error: 'Too many outgoing edges',
        detail: `${record} would have more outgoing edges of the type "${type}" than ${most}, its max_outgoing.`,
      }
    case 'max_incoming':
      return {
        error: 'Too many incoming edges',
        detail: `${record} would have more incoming edges of the type "${type}" than ${most}, its max_incoming.`,
      }
    case 'acyclic':
      return {
        error: 'Edges form a cycle',
        detail: `${record} would be reached from itself by edges of the type "${type}", which is one of a hierarchy.`,
      }
  }
}

export const ruleBroken = (broken: BrokenRule, table: string) => new AppError(422, ruleMessage(broken, table))

export const tooManyIds = (max: number) => new AppError(413, { detail: `A request may carry ${max} edges at most.` })

/** G6: `edges` are those that would come back with the record, and break a rule. */
export function cannotBeRestored(broken: BrokenRule, table: string): AppError {
  const edges = broken.edges ?? []
  const named = edges.map(({ id, from, to }) => `${from} → ${to} (${id})`).join(', ')
  return new AppError(422, {
    error: 'Record cannot be restored',
    detail: `${ruleMessage(broken, table).detail} These of its edges would come back: ${named}. Delete them, or those that stand in their way.`,
    edges: edges.map(({ id }) => id),
  })
}
