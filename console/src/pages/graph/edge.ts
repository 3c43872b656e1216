/** An edge, as the picture and the search have it. */

/** An edge in the picture. Its ends are texts of keys. */
export interface ShownEdge {
  id: string
  from: string
  to: string
  type: string
  metadata: Record<string, unknown>
}
