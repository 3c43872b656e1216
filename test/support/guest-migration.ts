/**
 * Repeats the migration of a site that renews the objects of older access rules. Later migrations are not
 * repeated.
 */
import type { TestApp } from './app.ts'

const step = `(select version from tenant_migrations where sql like '%by which guests change records%')`

/** Sets the schema version of a site to the one before the step. */
export const forgetGuestMigration = (app: TestApp, site: number): Promise<unknown> =>
  app.sql(`update sites set schema_version = ${step} - 1 where id = $1`, [site])

/** Runs the step like the platform. The site then has the newest schema version again. */
export async function repeatGuestMigration(app: TestApp, site: number): Promise<void> {
  await app.sql(`do $$ begin set local role tessera; perform public.migrate_site(${site}); end $$`)
  await app.sql(
    'update sites set schema_version = (select max(version) from tenant_migrations) where id = $1',
    [site],
  )
}
