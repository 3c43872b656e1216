/** Repeats the migration of a site that renews what rules of earlier versions have made. Later ones stay as they are. */
import type { TestApp } from './app.ts'

const step = `(select version from tenant_migrations where sql like '%by which guests change records%')`

/** Takes the schema of a site back to before the step, as far as the service can tell. */
export const forgetGuestMigration = (app: TestApp, site: number): Promise<unknown> =>
  app.sql(`update sites set schema_version = ${step} - 1 where id = $1`, [site])

/** Runs the step as the platform does. The site then has the newest schema again. */
export async function repeatGuestMigration(app: TestApp, site: number): Promise<void> {
  await app.sql(`do $$ begin set local role tessera; perform public.migrate_site(${site}); end $$`)
  await app.sql(
    'update sites set schema_version = (select max(version) from tenant_migrations) where id = $1',
    [site],
  )
}
