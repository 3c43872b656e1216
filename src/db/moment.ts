import { type Sql, sql } from './sql.ts'

/** A timestamp as the API shows it, `2026-01-31T12:00:00Z`: as text, in a session whose time zone is UTC. */
export const moment = (column: Sql): Sql => sql`replace(to_json(${column}) #>> '{}', '+00:00', 'Z')`
