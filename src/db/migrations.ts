/** Which schema this code needs, and the tenant migrations that the Worker carries to give it to a site. */
import platform from '../../migrations/platform/meta/_journal.json' with { type: 'json' }
import tables from '../../migrations/tenant/0000_tables.sql'
import systemSecretTypes from '../../migrations/tenant/0001_system_secret_types.sql'
import triggersAndRights from '../../migrations/tenant/0002_triggers_and_rights.sql'
import audit from '../../migrations/tenant/0003_audit.sql'

/** How many platform migrations the database must have had. They are run by `npm run db:migrate` alone. */
export const platformVersion = platform.entries.length

/** In order: a new site gets all, an older one those it lacks. */
export const tenantMigrations: readonly string[] = [tables, systemSecretTypes, triggersAndRights, audit]

/** How many tenant migrations a site must have had. */
export const tenantVersion = tenantMigrations.length
