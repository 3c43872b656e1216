/**
 * Edges between the records of a table that is a hierarchy or a graph. Spec: Edge, Edges and graph traversal;
 * G1, G2, G5.
 */

import type { RequestContext } from '../../context.ts'
import { malformedJson } from '../../errors.ts'
import { checkQuery } from '../../http/strict.ts'
import { isUuid } from '../../lib/is-uuid.ts'
import { ProblemList } from '../../lib/problem-list.ts'
import { planOf, withCatalog } from '../catalog/catalog.ts'
import { materializedTable, type RecordsPath } from '../catalog/find-table.ts'
import { type RecordsBody, readBody, recordPrefix, rowsMax } from '../failures/body.ts'
import { invalidRecords, refusedByRules } from '../failures/errors.ts'
import type { Table } from '../model/table.ts'
import type { EdgeConflicts, GraphTable } from '../providers/writes/edges.ts'
import { Problems } from '../query/problems.ts'
import { readFlags } from '../records/parameters.ts'
import { write, writePlan } from '../records/write.ts'
import { checkEdges } from './body.ts'
import { edgeNotFound, noGraph, tooManyIds } from './errors.ts'
import { readEdgeFilter, readEdgeRange, readIsCounted } from './parameters.ts'
import { edgesQuery } from './schema.ts'
import { selectEdges } from './store.ts'
import { asCreatedEdges, asDeletedEdges, asEdge, asEdgeList } from './views.ts'
import { edgeWriteError } from './write-error.ts'

export { selectEdges } from './store.ts'

/** The path of an edge. */
export interface EdgePath extends RecordsPath {
  edge: string
}

/** Returns the table with its graph. Throws 422 if it has none. */
export function withGraph(table: Table): GraphTable {
  if (!table.graph) throw noGraph(table.name)
  return table as GraphTable
}

/** Lists a page of edges. Returns the text of the body. Throws 400, 404 and 422. */
export const listEdges = (
  ctx: RequestContext,
  path: RecordsPath,
  parameters: URLSearchParams,
): Promise<string> =>
  withCatalog(ctx, path.app, 'read', (catalog) => {
    const table = materializedTable(catalog, path)
    checkQuery(edgesQuery, parameters)
    const problems = new Problems()
    const range = readEdgeRange(parameters, problems)
    problems.throwIfAny()
    const isCounted = readIsCounted(parameters, problems)
    const filter = readEdgeFilter(parameters, withGraph(table), problems)
    problems.throwIfAny()
    return planOf({
      statements: { edges: selectEdges(withGraph(table), filter, range, isCounted) },
      finish({
        edges: {
          one: { data, total },
        },
      }) {
        return asEdgeList(data, total, range)
      },
    })
  })

/**
 * Creates all edges of an array, or none. Returns the text of the body. Throws 400, 403, 404, 409, 413 and
 * 422.
 */
export function createEdges(
  ctx: RequestContext,
  path: RecordsPath,
  text: string,
  parameters: URLSearchParams,
): Promise<string> {
  let body: RecordsBody | undefined
  return write(ctx, path, {
    action: 'edges',
    plan({ table, edges: writer }) {
      body ??= readBody(text, 'one or many')
      if (!body.bulk) throw invalidRecords({ non_field_errors: ['An array of edges is required.'] })
      const { text: array, records } = body
      const edges = body
      checkEdges(withGraph(table), edges)
      return writePlan({
        isDry: readFlags(parameters).isDry,
        statements: { written: writer.insertEdges(withGraph(table), { text: array, count: records.length }) },
        check: (written) => throwEdgeConflicts(written.conflicts, table, edges),
      })
    },
    answer: (one) => asCreatedEdges(one.data, one.total),
    errorOf: (failure, { table }) => body && edgeWriteError(failure, table, body),
  })
}

/**
 * Replaces an edge: omitted members become empty. Returns the text of the body. Throws 400, 404, 409 and 422.
 */
export function replaceEdge(
  ctx: RequestContext,
  path: EdgePath,
  text: string,
  parameters: URLSearchParams,
): Promise<string> {
  let body: RecordsBody | undefined
  return write(ctx, path, {
    action: 'edges',
    plan({ table, edges: writer }) {
      body ??= readBody(text, 'one or many')
      if (body.bulk) throw invalidRecords({ non_field_errors: ['An edge must be an object.'] })
      const { text: array } = body
      const edge = body
      checkEdges(withGraph(table), body)
      if (!isUuid(path.edge)) throw edgeNotFound(table.name, path.edge)
      return writePlan({
        isDry: readFlags(parameters).isDry,
        statements: { written: writer.updateEdge(withGraph(table), path.edge, array) },
        check(one) {
          if (!one.found) throw edgeNotFound(table.name, path.edge)
          throwEdgeConflicts(one.conflicts, table, edge)
        },
      })
    },
    answer: (written) => asEdge(written.data),
    errorOf: (failure, { table }) => body && edgeWriteError(failure, table, body),
  })
}

/**
 * Deletes edges by their ids, and ignores unknown ids. Returns the text of the body. Throws 400, 404, 413 and
 * 422.
 */
export const deleteEdges = (
  ctx: RequestContext,
  path: RecordsPath,
  text: string,
  parameters: URLSearchParams,
): Promise<string> =>
  write(ctx, path, {
    action: 'edges',
    plan({ table, edges: writer }) {
      const ids = readIds(text)
      return writePlan({
        isDry: readFlags(parameters).isDry,
        statements: { written: writer.deleteEdges(withGraph(table), ids) },
        check({ conflicts }) {
          const [refused] = conflicts?.refused ?? []
          if (refused !== undefined) throw refusedByRules(`edge_ids[${refused}]: `)
        },
      })
    },
    answer: (written) => asDeletedEdges(written.deleted),
    errorOf: () => undefined,
  })

function readIds(text: string): string[] {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw malformedJson()
  }
  const sent = new Map<string, unknown>(typeof body === 'object' && body !== null ? Object.entries(body) : [])
  const ids = sent.get('edge_ids')
  const problems = new ProblemList()
  for (const name of sent.keys())
    if (name !== 'edge_ids') problems.add(name, 'Unknown field. Fields: edge_ids.')
  if (Array.isArray(ids) && ids.length > rowsMax) throw tooManyIds(rowsMax)
  if (!Array.isArray(ids) || ids.length === 0)
    problems.add('edge_ids', 'Must be an array of at least one edge id.')
  else
    for (const id of ids)
      if (typeof id !== 'string' || !isUuid(id))
        problems.add('edge_ids', `${JSON.stringify(id).slice(0, 60)} is not an edge id.`)
  if (!problems.isEmpty) throw invalidRecords(problems.details())
  return ids as string[]
}

/**
 * Throws 400 with a message for every end that is not a record, and 403 if access rules do not let a guest
 * write an edge.
 */
export function throwEdgeConflicts(conflicts: EdgeConflicts, table: Table, body: RecordsBody): void {
  const problems = new ProblemList()
  const addMessages = (name: 'from_id' | 'to_id', alias: 'from' | 'to') => {
    for (const place of conflicts[name] ?? []) {
      const id = body.records[place]?.[name] ?? body.records[place]?.[alias]
      problems.add(
        name,
        `${recordPrefix(body, place)}"${table.name}" has no record with the id ${JSON.stringify(id)}.`,
      )
    }
  }
  addMessages('from_id', 'from')
  addMessages('to_id', 'to')
  if (!problems.isEmpty) throw invalidRecords(problems.details())
  const [refused] = conflicts.refused ?? []
  if (refused !== undefined) throw refusedByRules(recordPrefix(body, refused))
}
