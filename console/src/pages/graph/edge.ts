/** The edges of the picture and of the path search. */

/** An edge in the picture. Its ends are texts of keys. */
export interface ShownEdge {
  id: string
  from: string
  to: string
  type: string
  metadata: Record<string, unknown>
}
