/** The levels of secrets: that of the site, and one for each app. */
import { sql } from '../kernel/db/sql.ts'
import { notFoundNamed } from './errors.ts'

/** Selects the app that a request names; no row for null, which names the site. */
export const selectApp = (slug: string | null) =>
  sql<{ id: number }>`select a.id from _apps a where a.slug = ${slug} and a.is_active`

/** Throws the 404 for an app that a request names and the site does not have. */
export function requireApp(app: string | null, rows: { first: unknown }): void {
  if (app !== null && rows.first === undefined) throw notFoundNamed('App', app)
}
