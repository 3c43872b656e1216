/** Lists the edges of a table that is a hierarchy or a graph. Spec: Edges and graph traversal; G1, G5. */

import type { RequestContext } from '../../kernel/context.ts'
import { checkQuery } from '../../kernel/http/strict.ts'
import { planOf, withCatalog } from '../catalog/catalog.ts'
import { materializedTable, type RecordsPath } from '../catalog/find-table.ts'
import { Problems } from '../query/problems.ts'
import { withGraph } from '../write/parse/edges.ts'
import { readEdgeFilter, readEdgeRange, readIsCounted } from './parameters.ts'
import { edgesQuery } from './schema.ts'
import { selectEdges } from './store.ts'
import { asEdgeList } from './views.ts'

export { withGraph } from '../write/parse/edges.ts'
export { selectEdges } from './store.ts'

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
