/** The sites of an organization, and the catalogs of an app in each of them. An isolate keeps both. */
import type { RequestContext } from '../../kernel/context.ts'
import { inSitesOf } from '../../kernel/db/site-parts.ts'
import { emptySql, sql } from '../../kernel/db/sql.ts'
import { IsolateCache } from '../../kernel/lib/isolate-cache.ts'
import { sha256 } from '../../kernel/lib/sha256.ts'
import { forgetCatalog, keepSource, keptSource, sharedCatalogOf } from '../catalog/catalog-cache.ts'
import {
  type CachedCatalog,
  type CatalogSource,
  catalogStatements,
  sourceOf,
} from '../catalog/load-catalog.ts'
import type { CatalogRow } from '../catalog/store.ts'

/** The most sites of a request. */
export const sitesMax = 50

/** A site of the organization that is not deleted. */
export interface SiteOf {
  id: number
  slug: string
  /** Whether it answers: it is not suspended. */
  isActive: boolean
  catalogVersion: number
}

/** Which sites a request reads. */
export interface Wanted {
  organization: string
  /** The slugs of sites. Undefined: all. */
  sites: readonly string[] | undefined
  /** Undefined: any. */
  environment: string | undefined
}

/** Selects the sites, one more than a request may read. */
export function selectSites({ organization, sites, environment }: Wanted) {
  const named = sites ? sql` and s.slug = any (${sites}::text[])` : emptySql
  const like = environment === undefined ? emptySql : sql` and s.environment = ${environment}`
  return sql<SiteOf>`
    select s.id, s.slug, s.is_active as "isActive", s.catalog_version as "catalogVersion"
      from public.sites s join public.organizations o on o.id = s.organization_id
     where o.slug = ${organization} and s.deletes_at is null${named}${like}
     order by s.id limit ${sitesMax + 1}`
}

/** Owners and admins, who hold every permission in the sites of the organization. */
export const managersOf = ({ organization }: Pick<Wanted, 'organization'>) =>
  [organization, ['owner', 'admin']] as const

const known = new IsolateCache<readonly SiteOf[]>('organization_sites', {
  bytesOf: (sites) => sites.length * 100,
})
const keyOf = ({ config }: Pick<RequestContext, 'config'>, wanted: Wanted): string =>
  `${config.DATABASE_URL} ${JSON.stringify(wanted)}`

/** Returns the sites that the isolate knows. Each request compares them with those that there are. */
export const knownSites = (ctx: Pick<RequestContext, 'config'>, wanted: Wanted) =>
  known.get(keyOf(ctx, wanted))

/** Keeps the sites for the next request. */
export function keepSites(
  ctx: Pick<RequestContext, 'config'>,
  wanted: Wanted,
  sites: readonly SiteOf[],
): readonly SiteOf[] {
  known.set(keyOf(ctx, wanted), sites)
  return sites
}

/** The catalog of an app in a site. */
export interface SiteCatalog {
  version: number
  /** Sites whose tables are alike have the same one. */
  shape: string
  catalog: CachedCatalog
}

const catalogKey = ({ config }: RequestContext, { id }: SiteOf, app: string) =>
  `${config.DATABASE_URL} site ${id} ${app}`

/** Returns the catalog of a site; undefined if the isolate does not know it. */
export function catalogIn(ctx: RequestContext, site: SiteOf, app: string): SiteCatalog | undefined {
  const source = keptSource(catalogKey(ctx, site, app))
  if (source?.shape === undefined) return undefined
  const { shape } = source
  return { version: source.site.catalogVersion, shape, catalog: sharedCatalogOf(shape, source) }
}

/** Forgets the catalog of a site, which has changed. */
export const forgetCatalogIn = (ctx: RequestContext, site: SiteOf, app: string): void =>
  forgetCatalog(catalogKey(ctx, site, app))

/**
 * Looks up the sites, and loads the catalogs of those that the isolate does not know. Returns the sites, and
 * by their ids why catalogs could not be loaded: SQLSTATEs.
 */
export async function loadCatalogs(
  ctx: RequestContext,
  wanted: Wanted,
  app: string,
  sites: readonly SiteOf[],
): Promise<{ sites: readonly SiteOf[]; failed: ReadonlyMap<number, string> }> {
  const statements = catalogStatements(app)
  const parts = sites.map(({ id, slug }) => ({
    site: { siteId: id, slug, catalogVersion: null },
    statements,
  }))
  const loaded = await inSitesOf(ctx, managersOf(wanted), { sites: selectSites(wanted) }, parts, null)
  const present = keepSites(ctx, wanted, loaded.platform.sites.all)
  const failed = new Map<number, string>()
  for (const [index, site] of sites.entries()) {
    const rows = loaded.parts[index] ?? ''
    // Selected before the catalog, so that it is never the version of a later one.
    const version = present.find(({ id }) => id === site.id)?.catalogVersion
    if (typeof rows === 'string') failed.set(site.id, rows)
    else if (version !== undefined) {
      const source = sourceOf({ siteId: site.id, catalogVersion: version }, rows)
      keepSource(catalogKey(ctx, site, app), { ...source, shape: shapeOf(source) })
    }
  }
  return { sites: present, failed }
}

/** Returns a name of what the plans of an app depend on, apart from the site. */
function shapeOf({ json }: CatalogSource): string {
  if (json === null) return 'none'
  const { app, tables, away } = JSON.parse(json) as CatalogRow
  const parts = [...tables, ...away].map(
    ({ name, schema_hash, physical_table_name, is_materialized, datasource, source }) => [
      name,
      schema_hash,
      physical_table_name,
      is_materialized,
      datasource,
      source,
    ],
  )
  return sha256(JSON.stringify([app.slug, parts]))
}
