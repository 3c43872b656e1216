/** Formats timestamps as the API returns them. */
import { type Sql, sql } from './sql.ts'

/**
 * Returns a timestamp as text, for example `2026-01-31T12:00:00Z`. The time zone of the session has to be
 * UTC.
 */
export const isoTimestamp = (column: Sql): Sql => sql`replace(to_json(${column}) #>> '{}', '+00:00', 'Z')`
