/** The settings of datasources of the type mongodb, and the check of their connection. */
import * as z from 'zod'
import type { RequestContext } from '../../kernel/context.ts'
import { invalidFields } from '../../kernel/errors.ts'
import type { BareList } from '../../kernel/http/lists/envelopes.ts'
import { partOf } from '../../kernel/http/lists/range.ts'
import { planOf, withCatalog } from '../catalog/catalog.ts'
import { datasourceOf } from '../catalog/find-table.ts'
import { ask, askerOf, tryToAsk, unusable } from '../providers/mongodb/ask.ts'
import { adoptedBy } from '../providers/mongodb/capabilities.ts'
import { connectionOf } from '../providers/mongodb/elsewhere.ts'
import { type Proposal, proposalOf } from './proposal.ts'
import {
  type CollectionItem,
  type CollectionsQuery,
  type DatasourceCheck,
  type DatasourceInput,
  wholeDatabase,
} from './schema.ts'

/** The places near which Cloudflare can keep the object that holds the client. */
const locations = ['wnam', 'enam', 'sam', 'weur', 'eeur', 'apac', 'oc', 'afr', 'me'] as const

const settings = z.strictObject({
  secret: z.string().min(1).max(255),
  database: z
    .string()
    .regex(/^[^/\\. "$*<>:|?\p{Cc}]{1,63}$/u, 'Must be the name of a database of MongoDB.')
    .refine(
      (name) => !['admin', 'local', 'config'].includes(name),
      'This database is one of the server itself.',
    ),
  location: z.enum(locations).optional(),
})

/** Throws 400 unless the settings are those of a datasource in MongoDB. */
function readSettings(config: DatasourceInput['provider_config']) {
  const { success, data, error } = settings.safeParse(config)
  if (success) return data
  throw invalidFields({
    provider_config: error.issues.map(({ path, message }) =>
      path.length > 0 ? `${path.join('.')}: ${message}` : message,
    ),
  })
}

/**
 * Tries the connection of a datasource that is about to be saved. Throws 400 for wrong settings, and 422
 * with the reason if it cannot be used.
 */
export async function tryConnection(
  ctx: RequestContext,
  app: string,
  config: DatasourceInput['provider_config'],
): Promise<void> {
  const { secret, database, location = null } = readSettings(config)
  await withCatalog(ctx, app, 'read', () => planOf({ statements: {}, finish: () => undefined }))
  const generation = crypto.randomUUID()
  const found = await tryToAsk(
    askerOf(ctx),
    { datasource: null, app, secret, database, location, generation },
    { ask: 'check' },
  )
  if ('failed' in found) throw unusable(found.reason)
  if (found.missing.length > 0) throw unusable(lacking(found.missing))
}

const lacking = (missing: readonly string[]): string =>
  `The user lacks rights on the database: ${missing.join(', ')}. The roles readWrite and dbAdmin have them.`

/** The answer for datasources in the database of the service, in which the request has just been. */
const ownDatabase = { server: 'Postgres', transactions: true, round_trip_ms: 0 }

/** Lists the collections of a datasource: none in Postgres. Throws 422 if it cannot be used. */
export const listCollections = (
  ctx: RequestContext,
  path: { app: string; datasource: string },
  query: CollectionsQuery,
): Promise<BareList<CollectionItem>> =>
  withCatalog(ctx, path.app, 'read', (catalog) => {
    const { providerType, slug } = datasourceOf(catalog, path.datasource)
    const tables = [...catalog.tables.values()].filter(
      ({ datasource, isMaterialized }) => datasource.slug === slug && isMaterialized,
    )
    const names = new Map(tables.map((table) => [adoptedBy(table) ?? table.physicalName, table.name]))
    return planOf({
      statements: { reach: connectionOf(catalog.app.id, slug) },
      async finish({ reach }) {
        if (providerType !== 'mongodb') return { items: [], total: 0 }
        const { collections } = await ask(ctx, reach.one, { ask: 'collections' })
        const items = partOf(collections, query, wholeDatabase).map(({ isOurs, ...found }) => ({
          ...found,
          is_ours: isOurs,
          datatable: names.get(found.name) ?? null,
        }))
        return { items, total: collections.length }
      },
    })
  })

/**
 * Proposes the schema of a table from documents of a collection. Throws 422 if no table can be made of it, or
 * the datasource cannot be used.
 */
export const proposeSchema = (
  ctx: RequestContext,
  path: { app: string; datasource: string },
  { collection, sample }: { collection: string; sample: number },
): Promise<Proposal> =>
  withCatalog(ctx, path.app, 'read', (catalog) => {
    const { providerType, slug } = datasourceOf(catalog, path.datasource)
    if (providerType !== 'mongodb') throw unusable('This datasource is in Postgres, and has no collections.')
    return planOf({
      statements: { reach: connectionOf(catalog.app.id, slug) },
      async finish({ reach }) {
        const sampled = await ask(ctx, reach.one, { ask: 'sample', name: collection, size: sample })
        return proposalOf(collection, sampled)
      },
    })
  })

/** Asks the server of a datasource what it is. Throws 422 with the reason if it cannot be used. */
export const checkDatasource = (
  ctx: RequestContext,
  path: { app: string; datasource: string },
): Promise<DatasourceCheck> =>
  withCatalog(ctx, path.app, 'read', (catalog) => {
    const { providerType, slug } = datasourceOf(catalog, path.datasource)
    return planOf({
      statements: { reach: connectionOf(catalog.app.id, slug) },
      async finish({ reach }) {
        if (providerType !== 'mongodb') return ownDatabase
        const { server, transactions, missing, milliseconds } = await ask(ctx, reach.one, { ask: 'check' })
        if (missing.length > 0) throw unusable(lacking(missing))
        return { server, transactions, round_trip_ms: milliseconds }
      },
    })
  })
