/** Writes edges between the records of a table. Spec: Edge; G1, G2. */
import { isoTimestamp } from '../../../kernel/db/iso-timestamp.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Field } from '../../model/field.ts'
import type { Table, TableGraph } from '../../model/table.ts'
import { visible } from '../../query/predicate.ts'
import { renderPredicate } from '../../query/render/render.ts'
import { fieldSql, row } from '../../query/row.ts'
import { type Cte, conflictsAnswer, conflictsCte, ifNoConflicts, places, writeStatement } from './ctes.ts'
import { bodyOf, type InputRows } from './input.ts'

export type GraphTable = Table & { graph: TableGraph }

/** The members that name a record, with their other names. */
export const ends = [
  { name: 'from_id', alias: 'from' },
  { name: 'to_id', alias: 'to' },
] as const

/** The validated edges of a body. */
export type InputEdges = Pick<InputRows, 'text' | 'count' | 'taken' | 'document'>

/** The conflicts of a write of edges: positions in the body. */
export type EdgeConflicts = Partial<
  Record<
    | (typeof ends)[number]['name']
    /** For a single edge: the id does not exist. */
    | 'missing'
    /** For guests: edges that no access rule allows to write. */
    | 'refused',
    number[] | null
  >
>

/** The answer of a write of edges. */
export interface WrittenEdges {
  /** The edges as the text of a JSON array, in the order of the body. */
  data: string
  total: number
  /** Their ids in the same order, as the text of a JSON array. Omitted: not returned. */
  ids?: string
  conflicts: EdgeConflicts
}

/** How edges are written. A write with conflicts writes nothing, and returns the conflicts. */
export interface EdgeWriter {
  /** Inserts all edges, or none. */
  insertEdges(table: GraphTable, input: InputEdges): Sql<WrittenEdges>
  /**
   * Replaces an edge. `text` is a JSON array of the one validated edge. `found` tells whether the id exists.
   */
  updateEdge(table: GraphTable, id: string, text: string): Sql<WrittenEdges & { found: boolean }>
  /** Deletes an edge. If it does not exist, that is a conflict. */
  deleteEdge(table: GraphTable, id: string): Sql<{ ids: string }>
  /** Deletes edges by their ids, and ignores unknown ids. */
  deleteEdges(
    table: GraphTable,
    ids: readonly string[],
  ): Sql<{ deleted: number; conflicts?: EdgeConflicts | null }>
}

/** Writes edges for members, who may write any edge. */
export const memberEdges: EdgeWriter = {
  insertEdges: (table, input) =>
    writeStatement(
      [
        edgeInputCte(table, input),
        nodesCte(table),
        conflictsCte(unknownEnds),
        ['_written', insertion(table, ifNoConflicts(unknownEnds))],
      ],
      sql`(select count(*) from _written) as total, ${insertedEdges(table)} as data,
          ${insertedIds} as ids, ${conflictsAnswer}`,
    ),
  updateEdge(table, id, text) {
    const { edges } = table.graph
    const isEdge = sql`_edge.id = ${id}::uuid and ${ifNoConflicts(unknownEnds)}`
    const answer = sql`
      (select count(*) from _written) as total, ${updatedEdge(table)} as data,
      exists (select from ${edges} where id = ${id}::uuid) as found, ${conflictsAnswer}`
    return writeStatement(
      [
        edgeInputCte(table, { text, count: 1 }),
        nodesCte(table),
        conflictsCte(unknownEnds),
        ['_written', replacement(table, isEdge)],
      ],
      answer,
    )
  },
  deleteEdge({ graph: { edges } }, id) {
    const written: Cte = ['_written', sql`delete from ${edges} where id = ${id}::uuid returning id`]
    const missing = { missing: sql`select json_build_array(0) where not exists (select from _written)` }
    return writeStatement(
      [written, conflictsCte(missing)],
      sql`(select json_agg(id) from _written)::text as ids, ${conflictsAnswer}`,
    )
  },
  deleteEdges({ graph: { edges } }, ids) {
    const before: Cte = [
      '_before',
      sql`select id from ${edges} where id = any (${ids}::uuid[]) order by id for update`,
    ]
    const written: Cte = [
      '_written',
      sql`delete from ${edges} using _before where ${edges}.id = _before.id returning 1`,
    ]
    return writeStatement([before, written], sql`(select count(*) from _written) as deleted`)
  },
}

/** Returns a key as it appears in a record. */
export const keyOutput = ({ type }: Pick<Field, 'type'>, column: Sql): Sql => type.output?.(column) ?? column

/** Renders `_edge` as JSON. */
export const edgeJson = ({ graph: { key } }: GraphTable): Sql => sql`json_build_object(
  'id', _edge.id, 'from_id', ${keyOutput(key, sql`_edge.from_id`)},
  'to_id', ${keyOutput(key, sql`_edge.to_id`)}, 'type', _edge.type, 'metadata', _edge.metadata,
  'created_at', ${isoTimestamp(sql`_edge.created_at`)})`

/** Returns the CTE `_input`: the edges of a body with their positions `_n`, from 0, and new ids. */
export function edgeInputCte({ graph: { key } }: GraphTable, input: InputEdges): Cte {
  const { column, input: sentAs, read } = key.type
  const value = ({ name, alias }: (typeof ends)[number]) => {
    const sent = sql`coalesce(_sent ->> ${name}, _sent ->> ${alias})::${sentAs ?? column}`
    return read?.(sent) ?? sent
  }
  const [from, to] = ends.map(value) as [Sql, Sql]
  // The limit cuts nothing off. It tells the planner the number of rows.
  return [
    '_input',
    sql`select _body._n - 1 as _n, gen_random_uuid() as _id, ${from} as from_id, ${to} as to_id,
               _sent ->> 'type' as _type, coalesce(nullif(_sent -> 'metadata', 'null'), '{}') as _metadata
          from ${bodyOf(input)} limit ${input.document ? sql`all` : input.count}`,
  ]
}

/** The caller's rights to the records at the ends of edges, as conditions on `_row`. */
export interface EndRights {
  /** Whether the caller finds the record. */
  isFound: Sql
  /** Whether it may write edges of the record. */
  mayConnect: Sql
}

/**
 * Returns the CTE `_nodes`: the records at the ends of `_input`, locked in the order of their keys, so that
 * writers cannot deadlock. It excludes soft-deleted records. With rights, it also excludes records that the
 * caller cannot find, and `_allowed` tells whether the caller may connect a record.
 */
export function nodesCte(table: GraphTable, rights?: EndRights): Cte {
  const { key, types } = table.graph
  const column = fieldSql(key, row)
  const isLimited = types.some(
    ({ maxOutgoing, maxIncoming }) => maxOutgoing !== undefined || maxIncoming !== undefined,
  )
  return [
    '_nodes',
    sql`select ${column} as _node, ${rights?.mayConnect ?? sql`true`} as _allowed
          from ${table.rows} ${row.alias}
         where ${column} in (select from_id from _input union select to_id from _input)
           and ${renderPredicate(visible(table), row)} and ${rights?.isFound ?? sql`true`}
         order by ${column} ${isLimited ? sql`for no key update` : sql`for key share`} of ${row.alias}`,
  ]
}

const unknown = (end: Sql): Sql =>
  places(sql`_input where not exists (select from _nodes where _node = ${end})`)

/** The conflict queries for ends that do not exist. */
export const unknownEnds = { from_id: unknown(sql`from_id`), to_id: unknown(sql`to_id`) }

/** Inserts the edges of `_input`, if a condition holds. */
export const insertion = ({ graph: { edges } }: GraphTable, condition: Sql): Sql => sql`
  insert into ${edges} as _edge (id, from_id, to_id, type, metadata)
  select _id, from_id, to_id, _type, _metadata from _input
   where ${condition} order by from_id, _type, to_id
  returning _edge.*`

/** Replaces the edges `_edge` that match a condition by the one of `_input`. */
export const replacement = ({ graph: { edges } }: GraphTable, condition: Sql): Sql => sql`
  update ${edges} _edge
     set from_id = _input.from_id, to_id = _input.to_id, type = _input._type, metadata = _input._metadata
    from _input where ${condition}
  returning _edge.*`

/** The edges of `_written` as the text of an array, in the order of `_input`. */
export const insertedEdges = (table: GraphTable): Sql => sql`
  coalesce((select json_agg(${edgeJson(table)} order by _input._n)
              from _written _edge join _input on _input._id = _edge.id), '[]')::text`

/** The ids of the edges of `_input`, as the text of an array. */
export const insertedIds = sql`(select json_agg(_input._id order by _input._n) from _input)::text`

/** The only edge of `_written` as a text. */
export const updatedEdge = (table: GraphTable): Sql =>
  sql`(select ${edgeJson(table)} from _written _edge)::text`
