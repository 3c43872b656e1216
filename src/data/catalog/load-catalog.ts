/** The catalog of an app: how it is loaded and compiled. */
import type { RequestContext } from '../../kernel/context.ts'
import type { BatchRows } from '../../kernel/db/batch.ts'
import type { Planned } from '../../kernel/db/enter-tenant.ts'
import { runAs } from '../../kernel/db/sql.ts'
import { inTenantWithSite } from '../../kernel/db/tenant.ts'
import type { AppError } from '../../kernel/errors.ts'
import type { Standing } from '../../kernel/standing.ts'
import type { SubscribedEvents } from '../../runtime/events/records/service.ts'
import type { AppRule } from '../model/access.ts'
import { appRulesFor } from '../model/app-rules.ts'
import { type RelationshipGraph, relationshipGraph } from '../model/relationships.ts'
import { compileTable, type Table } from '../model/table.ts'
import type { GuestWrites } from './guest-writes.ts'
import { withLocalKeys } from './reference-keys.ts'
import type { CatalogScopes } from './scoped.ts'
import {
  type CatalogRow,
  type Dependent,
  type SiteTerms,
  selectCatalog,
  selectLoneCatalog,
  selectTerms,
} from './store.ts'

/** An active datasource of an app. */
export interface Datasource {
  id: number
  name: string
  slug: string
  providerType: string
}

/** An active app with its active datasources and tables. */
export interface Catalog extends Planned {
  app: { id: number; name: string; slug: string; rules: readonly AppRule[] }
  datasources: readonly Datasource[]
  /** By name: the tables of the app, and its references to tables of other apps. */
  tables: ReadonlyMap<string, Table>
  relationships: RelationshipGraph
  /**
   * The relationships through which new records can contain other new records, including those that an API
   * key with scopes may not read.
   */
  nesting: RelationshipGraph
  /** By name: the references whose source is in an inactive app or datasource. They cannot be read. */
  away: ReadonlyMap<string, Table>
  /** Objects outside `tables` that depend on tables of this app. */
  dependents: readonly Dependent[]
  /** Omitted: the request has no API key with scopes. */
  scopes?: CatalogScopes
  /** The terms of the site. A change of them counts as one of the catalog. Undefined: they are not known. */
  terms: SiteTerms | undefined
  /** The standing of the guest. Omitted: the caller is not a guest. */
  standing?: Standing
  /** What the guest may write, by the names of tables. Omitted: the caller is not a guest. */
  writes?: ReadonlyMap<string, GuestWrites>
  /** Returns the error for a table without rules for the guest. Omitted: the caller is not a guest. */
  refusal?(): AppError
}

/** `app` is null if the app does not exist or is inactive. That is cached as well. */
export type CachedCatalog = Catalog | MissingApp
type MissingApp = Planned & Pick<Catalog, 'scopes' | 'standing'> & { app: null }

/** The answer of Postgres that a catalog is compiled from. */
export interface CatalogSource {
  site: Planned
  /** A CatalogRow as JSON; null: the app does not exist or is inactive. */
  json: string | null
  /** Omitted: they are not needed. */
  terms?: SiteTerms | undefined
  /** What plans depend on, apart from the site. Omitted: the catalog is compiled for its site alone. */
  shape?: string
}

/** Returns the statements that read the source of an app's catalog. The run ends with the first row. */
export const catalogStatements = (appSlug: string) => ({
  lone: runAs('stopIfFound', selectLoneCatalog(appSlug)),
  any: selectCatalog(appSlug),
})

/** Returns the source of a catalog from the rows of its statements. */
export function sourceOf(site: Planned, { lone, any }: BatchRows<ReturnType<typeof catalogStatements>>) {
  const row = (lone.first ?? any.first)?.catalog
  return { site, json: row ? JSON.stringify(row) : null }
}

/**
 * Loads the source of an app's catalog. The statement of a guest runs as the site, whose tables guests cannot
 * read.
 */
export async function loadCatalog(
  ctx: RequestContext,
  appSlug: string,
  standing: Standing | undefined,
): Promise<CatalogSource> {
  const mayBeGuest = standing !== undefined || ctx.viewAs !== null
  const asked = mayBeGuest ? { planned: { siteId: null, catalogVersion: null, standing }, asSite: true } : {}
  const asService = { terms: selectTerms(ctx.tenant) }
  const { site, answers } = await inTenantWithSite(ctx, 'read', catalogStatements(appSlug), {
    ...asked,
    asService,
  })
  return { ...sourceOf(site, answers), terms: answers.terms.first }
}

/** Returns the events of a table that functions are subscribed to; null if there are none. */
function announcedOf({ app, events }: CatalogRow, table: number): SubscribedEvents | null {
  const own = events.filter(({ tables }) => tables === null || tables.includes(table))
  return own.length > 0 ? { app, events: new Set(own.map(({ event }) => event)) } : null
}

/**
 * Compiles a catalog. An app of five tables takes about 0.4 ms. `schemaOf`: the site whose tables statements
 * name; null: that which they are sent to.
 */
export function compileCatalog(
  { site, json, terms }: CatalogSource,
  schemaOf: number | null = site.siteId,
): CachedCatalog {
  if (json === null) return { ...site, app: null }
  const row = JSON.parse(json) as CatalogRow
  const tables = new Map(
    withLocalKeys(row.app.slug, row.tables).map((table) => [
      table.name,
      compileTable(
        schemaOf,
        { ...table, app_rules: appRulesFor(table, row.app.rules ?? []) },
        announcedOf(row, table.id),
      ),
    ]),
  )
  const relationships = relationshipGraph(tables)
  return {
    ...site,
    app: { ...row.app, rules: row.app.rules ?? [] },
    datasources: row.datasources.map(({ id, name, slug, provider_type }) => ({
      id,
      name,
      slug,
      providerType: provider_type,
    })),
    tables,
    relationships,
    nesting: relationships,
    away: new Map(row.away.map((table) => [table.name, compileTable(schemaOf, table)])),
    dependents: row.dependents,
    terms,
  }
}
