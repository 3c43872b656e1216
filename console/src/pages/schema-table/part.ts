/** What each part of the page of a table is given. */
import type { Table } from '../../session/queries.ts'

/** The properties of each part of the page. */
export interface PartProps {
  site: string
  app: string
  table: Table
}
