/** Writes of edges by guests: calls of the functions that the access rules of a table were made into. */
import { type Sql, sql } from '../../kernel/db/sql.ts'
import type { EdgeWriter, WrittenEdges } from '../providers/writes/edges.ts'
import { documentOf } from '../providers/writes/input.ts'
import { edgeFunction } from './write-functions/edges.ts'

/** Returns how guests of a site write edges. */
export const guestEdges = (siteId: number): EdgeWriter => ({
  insertEdges: (table, input) => sql<WrittenEdges>`
    select coalesce(data, '[]') as data, written as total, ids, conflicts
      from ${edgeFunction(siteId, table, 'create')}(${documentOf(input)})`,
  updateEdge: (table, id, text) => sql<WrittenEdges & { found: boolean }>`
    select coalesce(data, '[]') as data, written as total, conflicts ->> 'missing' is null as found, conflicts
      from ${edgeFunction(siteId, table, 'update')}(${id}::uuid, ${text}::jsonb -> 0)`,
  deleteEdge(table, id) {
    const isMissing = sql`written = 0 and conflicts ->> 'refused' is null`
    return sql<{ ids: string }>`
      select ids, case when ${isMissing} then json_build_object('missing', json_build_array(0))
                       else conflicts end as conflicts
        from ${removed(siteId, table, [id])}`
  },
  deleteEdges: (table, ids) => sql`select written as deleted, conflicts from ${removed(siteId, table, ids)}`,
})

const removed = (
  siteId: number,
  table: Parameters<EdgeWriter['deleteEdges']>[0],
  ids: readonly string[],
): Sql => sql`${edgeFunction(siteId, table, 'delete')}(${ids}::uuid[])`
