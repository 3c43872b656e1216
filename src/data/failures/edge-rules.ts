/** The rules of a graph that a write can violate, and their messages. G1, G6. */
import { type DatabaseFailure, sqlstates } from '../../kernel/db/failures.ts'
import { AppError } from '../../kernel/errors.ts'

/** The rule that edges would break: the detail of tessera.check_edge_limits and tessera.check_edge_cycles. */
export interface BrokenRule {
  rule: 'max_outgoing' | 'max_incoming' | 'acyclic'
  type: string
  /**
   * The primary key of the record that violates the rule, as Postgres prints it. Omitted: a guest may not see
   * it.
   */
  node?: string
  /** The limit, for rules that have one. */
  most?: number
  /** The written edges that violate the rule, ten at most, with keys as Postgres prints them. */
  edges: readonly { id: string; from: string; to: string }[] | null
}

/** Returns the error body for a violated rule. G1 */
export function ruleMessage(
  { rule, type, node, most }: BrokenRule,
  table: string,
): { error: string; detail: string } {
  const record = node === undefined ? 'A record' : `The record ${JSON.stringify(node)} of "${table}"`
  switch (rule) {
    case 'max_outgoing':
      return {
        error: 'Too many outgoing edges',
        detail: `${record} would have more than ${most} outgoing edges of type "${type}" (max_outgoing).`,
      }
    case 'max_incoming':
      return {
        error: 'Too many incoming edges',
        detail: `${record} would have more than ${most} incoming edges of type "${type}" (max_incoming).`,
      }
    case 'acyclic':
      return {
        error: 'Edges form a cycle',
        detail: `${record} would lead back to itself by edges of type "${type}", which may form no cycle.`,
      }
  }
}

/** Returns the violated rule of a failure; undefined for any other failure. */
export const brokenRule = ({ sqlstate, detail }: DatabaseFailure): BrokenRule | undefined =>
  sqlstate === sqlstates.edgeRule ? (JSON.parse(detail ?? '') as BrokenRule) : undefined

/** The 422 for restoring a record whose edges would violate a rule. `edges` has the ids of those edges. G6 */
export function cannotBeRestored(broken: BrokenRule, table: string): AppError {
  const edges = broken.edges ?? []
  const list = edges.map(({ id, from, to }) => `${from} → ${to} (${id})`).join(', ')
  const { detail } = ruleMessage(broken, table)
  return new AppError(422, 'edge_rule_violated', {
    error: 'Record cannot be restored',
    detail: `${detail} These edges would be restored: ${list}. Delete them, or the edges they conflict with.`,
    edges: edges.map(({ id }) => id),
  })
}
