/** The state of the planning of one query. */
import type { Part } from '../../model/path.ts'
import type { Relationship, RelationshipGraph } from '../../model/relationships.ts'
import type { Table } from '../../model/table.ts'
import type { SearchOptions } from '../parse/ast.ts'
import type { Problems } from '../problems.ts'

/**
 * The tables in which names are looked up, the problems found, and how much of its limits the query has used.
 */
export interface Planning {
  table: Table
  problems: Problems
  graph: RelationshipGraph
  /** Shared by all parts of the query. */
  used: Used
  /** The options of searches. Undefined: there are no searches. */
  searching: SearchOptions | undefined
  /**
   * The path of the populated records that this part of the query concerns. Empty: the records of the list.
   */
  within: string
  /** The number of relationships that lead from a path's beginning to this part. Omitted: none. */
  steps?: number
  /**
   * The relationships that lead to the records whose fields are aggregated. Omitted: the records of the list.
   */
  scope?: readonly Relationship[]
}

/** How much of its limits a query has used. */
interface Used {
  conditions: number
  /** The operators of the conditions on fields, each with the name in which it was written. */
  operators: Map<string, string>
  /** The parameters with regular expressions, which Postgres may reject. */
  patterns: Set<string>
  /** The distinct paths to related records. */
  paths: Set<string>
  /** The names that were looked up, each with the table at the end of its path. */
  ends: { name: string; table: Table; parts: readonly Part[] }[]
  /** The parts of expressions, with the copies that operators make of their operands. */
  parts: number
  /** The aggregate functions that make lists. */
  lists: number
  /** Whether conditions on one related record are empty. */
  hasEmptyPart: boolean
}

/** Begins a planning. Without a graph, filters can only name fields of the table itself, and not search. */
export const planning = (table: Table, problems: Problems, graph?: RelationshipGraph): Planning => ({
  table,
  problems,
  graph: graph ?? new Map(),
  searching: graph && { language: undefined, fuzzy: false },
  used: {
    conditions: 0,
    operators: new Map(),
    patterns: new Set(),
    paths: new Set(),
    ends: [],
    parts: 0,
    lists: 0,
    hasEmptyPart: false,
  },
  within: '',
})

/** Returns the planning for the part of a query that concerns populated records. `path` leads to them. */
export const planningWithin = (state: Planning, path: string, table: Table): Planning => ({
  ...state,
  table,
  problems: state.problems.within('populate', `${path}: `),
  within: path,
})
