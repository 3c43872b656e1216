/**
 * Reads a table in all sites of an organization. Each site's part runs as that site, all in one round trip; the
 * rows are merged here. Another round trip is made for sites that the isolate does not know yet.
 */
import type { RequestContext } from '../../kernel/context.ts'
import { inSitesOf } from '../../kernel/db/site-parts.ts'
import { AppError } from '../../kernel/errors.ts'
import { readJsonVerbatim } from '../../kernel/lib/exact-json.ts'
import { quoteValue } from '../../kernel/lib/quote-value.ts'
import { parseRecordQuery } from '../query/parse/parse.ts'
import { questionOf } from '../query/parse/seek.ts'
import { Problems } from '../query/problems.ts'
import type { ListRow } from '../query/render/render-list.ts'
import { type OpenCursor, openCursor, sealCursor } from '../records/cursors.ts'
import { combineResults, type Found, mergePages, mergeTotals, resultsIn } from './merge.ts'
import { type Asked, type Planned, planFor } from './plan.ts'
import { type AggregatesOfSites, ownParameters, pageMax, type RecordsOfSites, refused } from './schema.ts'
import {
  catalogIn,
  forgetCatalogIn,
  keepSites,
  knownSites,
  loadCatalogs,
  managersOf,
  selectSites,
  type SiteCatalog,
  type SiteOf,
  sitesMax,
  type Wanted,
} from './sites.ts'
import { type Skipped, skippedAfter, skippedBy, skippedFor } from './skipped.ts'

/** How often catalogs are loaded and parts sent, while they keep changing. */
const roundsMax = 6

/** What is known of each site so far, by its id. */
type Outcomes = Map<number, ListRow | Skipped>

/**
 * Lists records of the sites, or aggregates of them, for owners and admins. Throws 400 for a query that fits the
 * table of no site, and for more sites than a request may read; 401, 403 or 404 for other callers.
 */
export async function readSites(
  ctx: RequestContext,
  organization: string,
  parameters: URLSearchParams,
): Promise<RecordsOfSites | AggregatesOfSites> {
  const { asked, wanted, question } = await parse(ctx, organization, parameters)
  const cursor = typeof asked.position.position === 'object' ? (asked.position.position as OpenCursor) : undefined
  const outcomes: Outcomes = new Map()
  let sites = knownSites(ctx, wanted)
  let fitting: Fitting | undefined
  for (let round = 0; round < roundsMax; round++) {
    const pending = (sites ?? []).filter(({ id, isActive }) => isActive && !outcomes.has(id))
    const strangers = pending.filter((site) => !catalogIn(ctx, site, asked.app))
    if (!sites || strangers.length > 0) {
      const loaded = await loadCatalogs(ctx, wanted, asked.app, strangers)
      requireFew(loaded.sites, wanted)
      for (const [id, sqlstate] of loaded.failed) outcomes.set(id, skippedAfter(sqlstate))
      sites = loaded.sites
      continue
    }
    if (round > 0 && pending.length === 0) break
    fitting = fit(ctx, asked, sites.filter(({ isActive }) => isActive))
    for (const [id, skipped] of fitting.skipped) outcomes.set(id, skipped)
    const { plans } = fitting
    const asking = pending.filter(({ id }) => plans.has(id))
    const parts = asking.map((site) => {
      const { planned, version } = plans.get(site.id) as PlannedIn
      const isInclusive = cursor !== undefined && site.id > cursor.site
      return {
        site: { siteId: site.id, slug: site.slug, catalogVersion: version },
        statements: { list: planned.statement(isInclusive, asking.length) },
      }
    })
    const read = `${asked.app}/${asked.table}`
    const answer = await inSitesOf(ctx, managersOf(wanted), { sites: selectSites(wanted) }, parts, read)
    sites = keepSites(ctx, wanted, answer.platform.sites.all)
    requireFew(sites, wanted)
    if (fitting.error) throw fitting.error
    for (const [index, site] of asking.entries()) {
      const rows = answer.parts[index] ?? ''
      if (rows === 'TS409' || rows === '42P01') forgetCatalogIn(ctx, site, asked.app)
      else if (typeof rows !== 'string') outcomes.set(site.id, rows.list.one)
      else outcomes.set(site.id, skippedAfter(rows, plans.get(site.id)?.planned.errorOf(rows)))
    }
  }
  return answerOf(ctx, question, asked, { sites: sites ?? [], outcomes, plan: fitting?.first?.plan })
}

/** Parses what needs no table. Throws 400. */
async function parse(ctx: RequestContext, organization: string, all: URLSearchParams) {
  const problems = new Problems()
  for (const [name, why] of Object.entries(refused)) if (all.has(name)) problems.add(name, why)
  for (const name of ['app', 'table'] as const)
    if (!all.get(name)) problems.add(name, 'This parameter is required.')
  for (const name of ownParameters)
    if (all.getAll(name).length > 1) problems.add(name, 'This parameter may be given only once.')
  problems.throwIfAny()
  const parameters = new URLSearchParams([...all].filter(([name]) => !ownParameters.some((own) => own === name)))
  const query = parseRecordQuery(parameters, problems, pageMax)
  problems.throwIfAny()
  const question = JSON.stringify([organization, questionOf(all)])
  const text = all.get('after')
  const asked: Asked = {
    app: all.get('app') ?? '',
    table: all.get('table') ?? '',
    parameters,
    query,
    position: {
      parameter: 'after',
      position: text ? ((await openCursor(ctx, question, text)) ?? 'wrong') : undefined,
    },
    exactMax: ctx.config.TOTAL_EXACT,
  }
  const sites = all.get('sites')?.split(',').map((slug) => slug.trim())
  const wanted: Wanted = { organization, sites, environment: all.get('environment') ?? undefined }
  return { asked, wanted, question }
}

/** Throws 400 for a site that the organization does not have, and for too many sites. */
function requireFew(sites: readonly SiteOf[], { sites: named }: Wanted): void {
  const problems = new Problems()
  const unknown = named?.find((slug) => !sites.some((site) => site.slug === slug))
  if (sites.length > sitesMax)
    problems.add('sites', `The organization has more than ${sitesMax} sites. Name those to read: sites=a,b.`)
  else if (unknown !== undefined)
    problems.add('sites', `There is no such site ${quoteValue(unknown)} in the organization.`)
  problems.throwIfAny()
}

/** The plan of a site, and the version of the catalog that it is for. */
interface PlannedIn {
  planned: Planned
  version: number
}

/** Which sites the query fits. */
interface Fitting {
  plans: ReadonlyMap<number, PlannedIn>
  skipped: ReadonlyMap<number, Skipped>
  /** The plan of most sites, whose types the others must have. Undefined: it fits none. */
  first: Planned | undefined
  /** Why the query fits no site, if the client caused it. */
  error: AppError | undefined
}

/** Plans the query once for each shape of tables, and compares the fields that it names. */
function fit(ctx: RequestContext, asked: Asked, sites: readonly SiteOf[]): Fitting {
  const shapes = new Map<string, { planned: Planned | AppError; sites: (SiteCatalog & { id: number })[] }>()
  for (const site of sites) {
    const kept = catalogIn(ctx, site, asked.app)
    if (!kept) continue
    const shape = shapes.get(kept.shape) ?? { planned: tryPlan(kept, asked), sites: [] }
    shape.sites.push({ ...kept, id: site.id })
    shapes.set(kept.shape, shape)
  }
  const most = [...shapes.values()].sort((one, other) => other.sites.length - one.sites.length)
  const first = most.find(({ planned }) => !(planned instanceof AppError))?.planned as Planned | undefined
  const plans = new Map<number, PlannedIn>()
  const skipped = new Map<number, Skipped>()
  for (const { planned, sites } of most) {
    const why = planned instanceof AppError ? skippedBy(planned) : first && differenceOf(planned, first)
    for (const { id, version } of sites)
      if (why) skipped.set(id, why)
      else plans.set(id, { planned: planned as Planned, version })
  }
  const error = most.map(({ planned }) => planned).find((one) => one instanceof AppError && one.status === 400)
  return { plans, skipped, first, error: first ? undefined : (error as AppError | undefined) }
}

function tryPlan({ catalog }: SiteCatalog, asked: Asked): Planned | AppError {
  try {
    return planFor(catalog, asked)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

/** Returns the first field that the query names and that has another type than in most sites. */
function differenceOf({ named }: Planned, first: Planned): Skipped | undefined {
  for (const [name, type] of named) {
    const usual = first.named.get(name)
    if (usual !== type)
      return skippedFor('differs', `${name}: Its type is ${type}, not ${usual ?? 'that of another field'}.`)
  }
  return undefined
}

interface Outcome {
  sites: readonly SiteOf[]
  outcomes: Outcomes
  plan: Planned['plan'] | undefined
}

async function answerOf(
  ctx: RequestContext,
  question: string,
  { query }: Asked,
  { sites, outcomes, plan }: Outcome,
): Promise<RecordsOfSites | AggregatesOfSites> {
  const found: Found[] = []
  const skipped = sites.flatMap((site) => {
    const outcome = site.isActive ? outcomes.get(site.id) : skippedFor('suspended')
    if (outcome && !('reason' in outcome)) {
      found.push({ site, row: outcome })
      return []
    }
    return [{ site: site.slug, ...(outcome ?? skippedFor('changing')) }]
  })
  if (query.aggregation) {
    const all = found.map((one) => ({ site: one.site.slug, aggregates: resultsIn(one) }))
    const results = all.map(({ aggregates }) => aggregates)
    return { data: all, aggregates: plan && 'keys' in plan ? combineResults(results, plan) : {}, skipped }
  }
  const { limit } = query.range
  const merged = plan && 'order' in plan && !('keys' in plan) ? mergePages(found, plan) : []
  const page = merged.slice(0, limit)
  const { total, is, hasMore } = mergeTotals(found, { total: query.total, limit })
  const last = page.at(-1)
  const isMore = merged.length > limit || (hasMore && !query.countOnly)
  const types = plan && 'keyset' in plan ? (plan.keyset?.types ?? []) : []
  const next =
    isMore && last
      ? await sealCursor(ctx, question, { site: last.site.id, table: 0, types, values: last.keys })
      : null
  return {
    data: page.map(({ site, text }) => ({ site: site.slug, record: readJsonVerbatim(text) as object })),
    total,
    meta: { limit, has_more: isMore, total_is: is, next },
    skipped,
  } as RecordsOfSites
}
