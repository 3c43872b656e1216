/** Builds the bodies of answers to writes of edges from JSON text of Postgres. Spec: Edges; G2. */
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
