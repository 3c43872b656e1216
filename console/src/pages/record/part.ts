/** What each part of the page of a record is given. */
import type { Table } from '../../session/queries.ts'
import type { DataRecord, Source } from '../data/records.ts'

/** The properties of each part of the page. */
export interface PartProps {
  source: Source
  table: Table
  record: DataRecord
}
