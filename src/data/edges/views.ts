/** Builds the bodies of edge responses from JSON text of Postgres. Spec: Edges; G2. */
import type { Range } from '../query/parse/ast.ts'
import { pageOf } from '../query/parse/range.ts'

/** Returns the body of a page of edges. */
export const asEdgeList = (data: string, total: number | null, range: Range): string =>
  `{"total":${total},"page":${pageOf(range)},"page_size":${range.limit},"results":${data},"data":${data}}`
