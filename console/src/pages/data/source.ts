/** What the pages of records read. */

/** The table whose records are read. */
export interface Source {
  site: string
  app: string
  table: string
  /** The person or guest as whom the records are read: session/viewer.ts. Omitted: the caller. */
  as?: string
}
