/** The versions of the schemas that this code needs. The database keeps the migrations of sites. */
import platform from '../../migrations/platform/meta/_journal.json' with { type: 'json' }
import tenant from '../../migrations/tenant/meta/_journal.json' with { type: 'json' }

/** The number of platform migrations that the database must have. Only `npm run db:migrate` runs them. */
export const platformVersion = platform.entries.length

/** The number of tenant migrations that a site must have. */
export const tenantVersion = tenant.entries.length
