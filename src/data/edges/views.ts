/** Builds the bodies of edge responses from JSON text of Postgres. Spec: Edges; G2. */
import type { Range } from '../query/parse/ast.ts'
import { pageOf } from '../query/parse/range.ts'

/** Returns the body of a page of edges. */
export const asEdgeList = (data: string, total: number | null, range: Range): string =>
  `{"total":${total},"page":${pageOf(range)},"page_size":${range.limit},"results":${data},"data":${data}}`

/** Returns the body of created edges. */
export const asCreatedEdges = (data: string, total: number): string =>
  `{"total":${total},"results":${data},"data":${data}}`

/** Returns the body of one edge. */
export const asEdge = (data: string): string => `{"data":${data}}`

/** Returns the body of a deletion. */
export const asDeletedEdges = (deleted: number): string =>
  JSON.stringify({
    deleted,
    message: deleted === 1 ? '1 edge was deleted.' : `${deleted} edges were deleted.`,
  })
