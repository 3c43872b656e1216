/** Edges between the records of a table that is a hierarchy or a graph. Spec: Edge, Edges and graph traversal; G1, G2, G5. */
import type { RequestContext } from '../../context.ts'
import { malformedJson } from '../../errors.ts'
import { withCatalog } from '../catalog.ts'
import type { Table, TableGraph } from '../datatables/table.ts'
import { Problems } from '../query/problems.ts'
import { type RecordsBody, readBody, rowsMax } from '../records/body.ts'
import { invalidRecords } from '../records/errors.ts'
import { materializedTable, type RecordsPath } from '../records/find-table.ts'
import { collectMessages } from '../records/messages.ts'
import { write } from '../records/write.ts'
import { checkEdges } from './body.ts'
import { edgeNotFound, noGraph, tooManyIds } from './errors.ts'
import { edgeRefusal } from './failures.ts'
import { readEdgeFilter, readEdgeRange } from './parameters.ts'
import { deleteEdgesById, insertEdges, selectEdges, updateEdge, type WrittenEdges } from './store.ts'
import { asCreatedEdges, asDeletedEdges, asEdge, asEdgeList } from './views.ts'

export interface EdgePath extends RecordsPath {
  edge: string
}

/** The 422 of a table between whose records there are no edges. */
export function withGraph(table: Table): Table & { graph: TableGraph } {
  if (!table.graph) throw noGraph(table.name)
  return table as Table & { graph: TableGraph }
}

/** A page of edges, those of soft-deleted records among them. The text is the body. */
export const listEdges = (ctx: RequestContext, path: RecordsPath, parameters: URLSearchParams): Promise<string> =>
  withCatalog(ctx, path.app, 'read', (catalog) => {
    const table = materializedTable(catalog, path)
    const problems = new Problems()
    const range = readEdgeRange(parameters, problems)
    problems.throwIfAny()
    const filter = readEdgeFilter(parameters, withGraph(table), problems)
    problems.throwIfAny()
    return {
      statements: [selectEdges(withGraph(table), filter, range)],
      finish(results) {
        const { data, total } = results.one<{ data: string; total: number }>()
        return asEdgeList(data, total, range)
      },
    }
  })

/** Creates all edges of an array, or none. */
export function createEdges(ctx: RequestContext, path: RecordsPath, text: string): Promise<string> {
  let body: RecordsBody | undefined
  return write(
    ctx,
    path,
    ({ table }) => {
      body ??= readBody(text, 'one or many')
      if (!body.bulk) throw invalidRecords({ non_field_errors: ['An array of edges is required.'] })
      const { text: array, records } = body
      checkEdges(withGraph(table), body)
      return {
        statements: [insertEdges(withGraph(table), array, records.length)],
        finish(results) {
          const { data, total, refused } = results.one<WrittenEdges>()
          throwIfUnknown(refused, table, records)
          return asCreatedEdges(data, total)
        },
      }
    },
    (failure, { table }) => body && edgeRefusal(failure, table, body),
  )
}

/** A full update: what is left out of the body is empty from then on. */
export function replaceEdge(ctx: RequestContext, path: EdgePath, text: string): Promise<string> {
  let body: RecordsBody | undefined
  return write(
    ctx,
    path,
    ({ table }) => {
      body ??= readBody(text, 'one or many')
      if (body.bulk) throw invalidRecords({ non_field_errors: ['An edge is an object.'] })
      const { text: array, records } = body
      checkEdges(withGraph(table), body, ['id', 'created_at'])
      if (!uuid.test(path.edge)) throw edgeNotFound(table.name, path.edge)
      return {
        statements: [updateEdge(withGraph(table), path.edge, array)],
        finish(results) {
          const { data, found, refused } = results.one<WrittenEdges & { found: boolean }>()
          if (!found) throw edgeNotFound(table.name, path.edge)
          throwIfUnknown(refused, table, records, false)
          return asEdge(data)
        },
      }
    },
    (failure, { table }) => body && edgeRefusal(failure, table, body),
  )
}

/** Those of the ids that there are. */
export const deleteEdges = (ctx: RequestContext, path: RecordsPath, text: string): Promise<string> =>
  write(
    ctx,
    path,
    ({ table }) => {
      const ids = readIds(text)
      return {
        statements: [deleteEdgesById(withGraph(table), ids)],
        finish: (results) => asDeletedEdges(results.one<{ deleted: number }>().deleted),
      }
    },
    () => undefined,
  )

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function readIds(text: string): string[] {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw malformedJson()
  }
  const said = new Map<string, unknown>(typeof body === 'object' && body !== null ? Object.entries(body) : [])
  const ids = said.get('edge_ids')
  const messages = collectMessages()
  for (const name of said.keys()) if (name !== 'edge_ids') messages.add(name, 'Unknown field. Fields: edge_ids.')
  if (!Array.isArray(ids) || ids.length === 0) messages.add('edge_ids', 'Names the edges to delete: an array of their ids, one at least.')
  else if (ids.length > rowsMax) throw tooManyIds(rowsMax)
  else
    for (const id of ids)
      if (typeof id !== 'string' || !uuid.test(id)) messages.add('edge_ids', `${JSON.stringify(id).slice(0, 60)} is no id of an edge.`)
  const details = messages.details()
  if (details) throw invalidRecords(details)
  return ids as string[]
}

/** Throws the 400 that names every end that is no record. */
function throwIfUnknown(refused: WrittenEdges['refused'], table: Table, said: RecordsBody['records'], bulk = true): void {
  const messages = collectMessages()
  const tell = (name: 'from_id' | 'to_id', alias: 'from' | 'to') => {
    for (const place of refused[name] ?? []) {
      const id = said[place]?.[name] ?? said[place]?.[alias]
      messages.add(name, `${bulk ? `rows[${place}]: ` : ''}"${table.name}" has no record with the id ${JSON.stringify(id)}.`)
    }
  }
  tell('from_id', 'from')
  tell('to_id', 'to')
  const details = messages.details()
  if (details) throw invalidRecords(details)
}
