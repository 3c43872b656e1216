/** The claims of the sessions that change large tables (tenant._claims). */
import { literal, renderText, type Sql, sql } from '../../kernel/db/sql.ts'
import type { Place } from '../model/table.ts'

/** Returns the name of a physical table with its schema, as a constant. */
export const nameOf = ({ relation }: Pick<Place, 'relation'>): Sql => literal(renderText(relation))

/** Returns a physical table as Postgres refers to it in its catalog. Fails if there is none. */
export const asRegclass = (place: Pick<Place, 'relation'>): Sql => sql`${nameOf(place)}::regclass`

/**
 * Whether the session of a claim lives. Another session may have its process id, but none has its name. The
 * role of a site sees of other sessions no more than these two.
 */
export const isHeld = (claim: Sql): Sql => sql`
  exists (select from pg_stat_activity a
           where a.pid = ${claim}.session and a.application_name = ${claim}.session_name)`
