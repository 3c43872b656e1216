/**
 * What the planner may know of an app: its datasources and tables. Kept by the isolate, and never stale: statements
 * carry the catalog's version, entering the tenant compares it, and when it moved they are planned again.
 */
import type { RequestContext } from '../context.ts'
import { DatabaseFailure, sqlstates } from '../db/failures.ts'
import type { Results } from '../db/results.ts'
import type { Sql } from '../db/sql.ts'
import { CatalogMoved, inTenant, type Mode, type Planned, requireAccess } from '../db/tenant.ts'
import { notFound, unavailable } from '../errors.ts'
import { LruCache } from '../lib/lru-cache.ts'
import { contentionMs, pause } from '../lib/retry.ts'
import { type CatalogRow, type Dependent, selectCatalog } from './catalog-store.ts'
import { isOfTable } from './datatables/names.ts'
import { withLocalKeys } from './datatables/reference-tables/keys.ts'
import { compileTable, type Table } from './datatables/table.ts'
import { type RelationshipGraph, relationshipGraph } from './query/relationships.ts'

export interface Datasource {
  id: number
  name: string
  slug: string
  providerType: string
}

/** An active app, with what of it is active. */
export interface Catalog extends Planned {
  app: { id: number; name: string; slug: string }
  datasources: readonly Datasource[]
  /** The app's own, and its references to tables of other apps. */
  tables: ReadonlyMap<string, Table>
  relationships: RelationshipGraph
  /** What depends on tables of this app from where `tables` does not look. */
  dependents: readonly Dependent[]
}

/** Statements that belong together, and what becomes of their results. */
export interface Plan<Result> {
  statements: readonly Sql[]
  /** What may take Postgres much longer than it should: it is run before, by itself, so that its time can be limited. */
  tries?: readonly Sql[]
  /** Where it is not the mode that the catalog was asked for in: how the statements are run. */
  mode?: Mode
  /** They may take Postgres seconds: a tenant has few of them under way at a time. */
  heavy?: boolean
  finish(results: Results): Result
}

/** The catalog of an app that does not exist, or is not active, is remembered too. */
type Known = Catalog | (Planned & { app: null })

/** A field takes about a kilobyte: all catalogs together have a quarter of an isolate, however large those of one site are. */
const fieldsMax = 30_000
const cache = new LruCache<string, Known>(fieldsMax, (known) =>
  known.app === null ? 20 : [...known.tables.values()].reduce((sum, { fields }) => sum + fields.size, 60),
)
/** For so long a request tries to plan with a catalog that others keep changing. */
const patienceMs = 8_000

/**
 * Plans with the app's catalog and runs the plan in the tenant, in one round trip when the isolate knows the catalog.
 * What `plan` throws reaches the client only after Postgres has confirmed that the caller may ask and that the catalog
 * was the newest. 404 for an app that is none.
 */
export async function withCatalog<Result>(
  ctx: RequestContext,
  appSlug: string,
  mode: Mode,
  plan: (catalog: Catalog) => Plan<Result>,
): Promise<Result> {
  const key = keyOf(ctx, appSlug)
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; ) {
    let known = cache.get(key)
    const fresh = known === undefined
    if (!known) {
      known = await load(ctx, appSlug)
      cache.set(key, known)
    }
    try {
      const result = await planAndRun(ctx, mode, known, fresh, plan)
      // What this isolate changed itself it need not find out from a refusal.
      if (mode === 'schema') cache.delete(key)
      return result
    } catch (error) {
      if (error instanceof CatalogMoved) {
        cache.delete(key)
        await pause(contentionMs())
      } else {
        if (!isSignOfMove(error, known)) throw error
        const newest = await load(ctx, appSlug)
        cache.set(key, newest)
        if (newest.siteId === known.siteId && newest.catalogVersion === known.catalogVersion) throw error
      }
    }
  }
  throw unavailable()
}

async function planAndRun<Result>(
  ctx: RequestContext,
  mode: Mode,
  known: Known,
  fresh: boolean,
  plan: (catalog: Catalog) => Plan<Result>,
): Promise<Result> {
  let planned: Plan<Result>
  try {
    if (known.app === null) throw notFound()
    planned = plan(known)
  } catch (refusal) {
    if (!fresh) await requireAccess(ctx, known)
    throw refusal
  }
  if (planned.tries?.length) await inTenant(ctx, 'try', planned.tries, known)
  const run = () => inTenant(ctx, planned.mode ?? mode, planned.statements, known)
  const { results } = await (planned.heavy ? ctx.share.heavily(run) : run())
  return planned.finish(results)
}

const keyOf = ({ config, tenant }: RequestContext, appSlug: string) => [config.DATABASE_URL, tenant.host, tenant.slug, appSlug].join(' ')

/**
 * Whether a table may have changed between entering and the statement, which waited for it: what was planned for the
 * one before is not SQL for it any more, does not fit its types, or breaks a rule that the plan knows nothing of.
 */
function isSignOfMove(error: unknown, known: Known): boolean {
  if (!(error instanceof DatabaseFailure)) return false
  const { sqlstate, constraint } = error
  if (sqlstate.startsWith('42') || sqlstate.startsWith('22')) return sqlstate !== sqlstates.insufficientPrivilege
  return (
    constraint !== undefined &&
    isOfTable(constraint) &&
    known.app !== null &&
    ![...known.tables.values()].some((table) => table.constraints.has(constraint))
  )
}

async function load(ctx: RequestContext, appSlug: string): Promise<Known> {
  const { site, results } = await inTenant(ctx, 'read', [selectCatalog(appSlug)])
  const row = results.row<{ catalog: CatalogRow }>()?.catalog
  if (!row) return { ...site, app: null }
  const announced = row.events.length > 0 ? { app: row.app, events: new Set(row.events) } : null
  const tables = new Map(withLocalKeys(row.app.slug, row.tables).map((table) => [table.name, compileTable(site.siteId, table, announced)]))
  return {
    ...site,
    app: row.app,
    datasources: row.datasources.map(({ id, name, slug, provider_type }) => ({ id, name, slug, providerType: provider_type })),
    tables,
    relationships: relationshipGraph(tables),
    dependents: row.dependents,
  }
}
