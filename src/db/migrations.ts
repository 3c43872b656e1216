/** Which schema this code needs, and the tenant migrations that the Worker carries to give it to a site. */
import platform from '../../migrations/platform/meta/_journal.json' with { type: 'json' }
import data from '../../migrations/tenant/0000_data.sql'
import catalogVersion from '../../migrations/tenant/0001_catalog_version.sql'
import references from '../../migrations/tenant/0002_references.sql'
import schemaChanges from '../../migrations/tenant/0003_schema_changes.sql'
import secrets from '../../migrations/tenant/0004_secrets.sql'
import systemSecretTypes from '../../migrations/tenant/0005_system_secret_types.sql'
import documents from '../../migrations/tenant/0006_documents.sql'
import socialLogin from '../../migrations/tenant/0007_social_login.sql'
import edges from '../../migrations/tenant/0008_edges.sql'
import functions from '../../migrations/tenant/0009_functions.sql'
import deliveries from '../../migrations/tenant/0010_deliveries.sql'
import deliverySlices from '../../migrations/tenant/0011_delivery_slices.sql'

/** How many platform migrations the database must have had. They are run by `npm run db:migrate` alone. */
export const platformVersion = platform.entries.length

/** In order: a new site gets all, an older one those it lacks. */
export const tenantMigrations: readonly string[] = [
  data,
  catalogVersion,
  references,
  schemaChanges,
  secrets,
  systemSecretTypes,
  documents,
  socialLogin,
  edges,
  functions,
  deliveries,
  deliverySlices,
]

/** How many tenant migrations a site must have had. */
export const tenantVersion = tenantMigrations.length
