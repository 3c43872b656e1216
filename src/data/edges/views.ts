/** The bodies of edge responses, put together from JSON that Postgres made. Spec: Edges; G2. */
import type { Range } from '../query/ast.ts'
import { pageOf } from '../query/range.ts'

export const asEdgeList = (data: string, total: number, range: Range): string =>
  `{"total":${total},"page":${pageOf(range)},"page_size":${range.limit},"results":${data},"data":${data}}`

export const asCreatedEdges = (data: string, total: number): string => `{"total":${total},"results":${data},"data":${data}}`

export const asEdge = (data: string): string => `{"data":${data}}`

export const asDeletedEdges = (deleted: number): string =>
  JSON.stringify({ deleted, message: deleted === 1 ? '1 edge was deleted.' : `${deleted} edges were deleted.` })
