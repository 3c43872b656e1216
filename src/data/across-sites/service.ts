/**
 * Reads a table in all sites of an organization. Each site's part runs as that site, all in one round trip;
 * the rows are merged here. Another round trip is made for sites that the isolate does not know yet.
 */
import type { RequestContext } from '../../kernel/context.ts'
import { sqlstates } from '../../kernel/db/failures.ts'
import { inSitesOf } from '../../kernel/db/site-parts.ts'
import { AppError } from '../../kernel/errors.ts'
import { readJsonVerbatim } from '../../kernel/lib/exact-json.ts'
import { nearest } from '../../kernel/lib/nearest.ts'
import { quoteValue } from '../../kernel/lib/quote-value.ts'
import { listParameters, parseRecordQuery } from '../query/parse/parse.ts'
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
  type SiteCatalog,
  type SiteOf,
  selectSites,
  sitesMax,
  type Wanted,
} from './sites.ts'
import { type Skipped, skippedAfter, skippedBy, skippedFor } from './skipped.ts'

/** How often catalogs are loaded and parts sent, while they keep changing. */
const roundsMax = 6

/** What the part of each site has found, or why it has failed, by its id. */
type Outcomes = Map<number, ListRow | Skipped>

/**
 * Lists records of the sites, or aggregates of them, for owners and admins. Throws 400 for a query that fits
 * the table of no site, and for more sites than a request may read; 401, 403 or 404 for other callers.
 */
export async function readSites(
  ctx: RequestContext,
  organization: string,
  parameters: URLSearchParams,
): Promise<RecordsOfSites | AggregatesOfSites> {
  const { asked, wanted, question } = await parse(ctx, organization, parameters).catch(
    async (error: unknown) => {
      // Others learn nothing about their request.
      await inSitesOf(ctx, managersOf({ organization }), {}, [], null)
      throw error
    },
  )
  const outcomes: Outcomes = new Map()
  let sites = knownSites(ctx, wanted)
  let fitting: Fitting | undefined
  let isOver = false
  for (let round = 0; round < roundsMax && !isOver; round++) {
    const active = (sites ?? []).filter(({ isActive }) => isActive)
    const strangers = active.filter((site) => !outcomes.has(site.id) && !catalogIn(ctx, site, asked.app))
    if (!sites || strangers.length > 0) {
      const loaded = await loadCatalogs(ctx, wanted, asked.app, strangers)
      requireFew(loaded.sites, wanted)
      for (const [id, sqlstate] of loaded.failed) outcomes.set(id, skippedAfter(sqlstate))
      sites = loaded.sites
      continue
    }
    fitting = fitTables(ctx, asked, active)
    sites = await askSites(ctx, wanted, asked, { active, fitting, outcomes })
    const { skipped, error } = fitting
    // Also of sites that were not asked, because their tables did not fit.
    const moved = sites.filter((site) => catalogIn(ctx, site, asked.app)?.version !== site.catalogVersion)
    for (const site of moved) forgetCatalogIn(ctx, site, asked.app)
    const isKnown = ({ id, isActive }: SiteOf) => !isActive || outcomes.has(id) || skipped.has(id)
    const isSettled = moved.every(({ id, isActive }) => !isActive || outcomes.has(id))
    isOver = isSettled && sites.every(isKnown)
    if (isOver && error) throw error
  }
  return answerOf(ctx, question, asked, { sites: sites ?? [], outcomes, fitting })
}

/** What is asked of the sites that answer, and what is known of them so far. */
interface Asking {
  active: readonly SiteOf[]
  fitting: Fitting
  outcomes: Outcomes
}

/** Asks the sites that have not answered yet. Adds what they say to the outcomes, and returns all sites. */
async function askSites(
  ctx: RequestContext,
  wanted: Wanted,
  asked: Asked,
  { active, fitting: { plans }, outcomes }: Asking,
): Promise<readonly SiteOf[]> {
  const { position } = asked.position
  const asking = active.filter(({ id }) => plans.has(id) && !outcomes.has(id))
  const parts = asking.map((site) => {
    const { planned, version } = plans.get(site.id) as PlannedIn
    const isInclusive = typeof position === 'object' && site.id > (position as OpenCursor).site
    return {
      site: { siteId: site.id, slug: site.slug, catalogVersion: version },
      statements: { list: planned.statement(isInclusive, asking.length) },
    }
  })
  const read = `${asked.app}/${asked.table}`
  const answer = await inSitesOf(ctx, managersOf(wanted), { sites: selectSites(wanted) }, parts, read)
  const sites = keepSites(ctx, wanted, answer.platform.sites.all)
  requireFew(sites, wanted)
  for (const [index, site] of asking.entries()) {
    const rows = answer.parts[index] ?? ''
    if (movedStates.has(String(rows))) forgetCatalogIn(ctx, site, asked.app)
    else if (typeof rows !== 'string') outcomes.set(site.id, rows.list.one)
    else outcomes.set(site.id, skippedAfter(rows, plans.get(site.id)?.planned.errorOf(rows)))
  }
  return sites
}

/** The tables of the site are others than those that the part was planned for. */
const movedStates: ReadonlySet<string> = new Set(['TS409', sqlstates.undefinedTable])

/** Parses what needs no table. Throws 400. */
async function parse(ctx: RequestContext, organization: string, all: URLSearchParams) {
  const problems = new Problems()
  for (const [name, why] of Object.entries(refused)) if (all.has(name)) problems.add(name, why)
  for (const name of ['app', 'table'] as const)
    if (!all.get(name)) problems.add(name, 'This parameter is required.')
  const isNamed = all.get('app') && all.get('table')
  for (const name of isNamed ? [] : new Set(all.keys()))
    if (!knownParameters.has(name)) problems.add(name, unknownYet(name))
  for (const name of ownParameters)
    if (all.getAll(name).length > 1) problems.add(name, 'This parameter may be given only once.')
  problems.throwIfAny()
  const parameters = new URLSearchParams(
    [...all].filter(([name]) => !ownParameters.some((own) => own === name)),
  )
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
  const sites = all
    .get('sites')
    ?.split(',')
    .map((slug) => slug.trim())
  const wanted: Wanted = { organization, sites, environment: all.get('environment') ?? undefined }
  return { asked, wanted, question }
}

const knownParameters: ReadonlySet<string> = new Set([...ownParameters, ...listParameters])

/**
 * Returns the problem of a name that may be one of a field. Without `app` and `table`, no fields are known.
 */
function unknownYet(name: string): string {
  const meant = nearest(name.replace(/__.*/s, ''), [...knownParameters])
  const question = meant ? ` Did you mean "${meant}"?` : ''
  return `Unknown field or parameter ${quoteValue(name)}.${question} Fields are known with app and table.`
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
function fitTables(ctx: RequestContext, asked: Asked, sites: readonly SiteOf[]): Fitting {
  const shapes = new Map<string, Attempt & { sites: { id: number; version: number }[] }>()
  for (const site of sites) {
    const kept = catalogIn(ctx, site, asked.app)
    if (!kept) continue
    const shape = shapes.get(kept.shape) ?? { ...tryPlan(kept, asked), sites: [] }
    shape.sites.push({ id: site.id, version: kept.version })
    shapes.set(kept.shape, shape)
  }
  const most = [...shapes.values()].sort((one, other) => other.sites.length - one.sites.length)
  const first = most.find(({ planned }) => planned)?.planned
  const plans = new Map<number, PlannedIn>()
  const skipped = new Map<number, Skipped>()
  for (const { planned, error, sites } of most) {
    const why = (error && skippedBy(error)) ?? (planned && first && differenceOf(planned, first))
    for (const { id, version } of sites)
      if (why) skipped.set(id, why)
      else if (planned) plans.set(id, { planned, version })
  }
  const error = first ? undefined : most.find((one) => one.error?.status === 400)?.error
  return { plans, skipped, first, error }
}

/** A plan, or why there is none. */
type Attempt = { planned: Planned; error?: undefined } | { planned?: undefined; error: AppError }

function tryPlan({ catalog }: SiteCatalog, asked: Asked): Attempt {
  try {
    return { planned: planFor(catalog, asked) }
  } catch (error) {
    if (error instanceof AppError) return { error }
    throw error
  }
}

/** Returns what the query names and what is different in most sites. */
function differenceOf({ named }: Planned, first: Planned): Skipped | undefined {
  for (const name of new Set([...named.keys(), ...first.named.keys()])) {
    const [here, usual] = [named.get(name) ?? 'missing', first.named.get(name) ?? 'missing']
    if (here !== usual) return skippedFor('differs', `${name} is ${here}, and ${usual} in most sites.`)
  }
  return undefined
}

/** What is known in the end. */
interface Known {
  sites: readonly SiteOf[]
  outcomes: Outcomes
  fitting: Fitting | undefined
}

async function answerOf(
  ctx: RequestContext,
  question: string,
  { query }: Asked,
  { sites, outcomes, fitting }: Known,
): Promise<RecordsOfSites | AggregatesOfSites> {
  const plan = fitting?.first?.plan
  const found: Found[] = []
  const skipped = sites.flatMap((site) => {
    const { id, isActive } = site
    const outcome = isActive ? (fitting?.skipped.get(id) ?? outcomes.get(id)) : skippedFor('suspended')
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
  const isMore = merged.length > limit || hasMore
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
