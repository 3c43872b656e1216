/** The use and the limits of sites. */
import type { RequestContext } from '../../../../kernel/context.ts'
import { requireCaller } from '../../../../kernel/db/entering.ts'
import { inSiteManagement } from '../../../../kernel/db/platform.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import { judgeUseOf, logReached } from '../../../../kernel/db/use.ts'
import { type Limits, measures, type NewLimits, type Use, type UseQuery } from './schema.ts'
import * as store from './store.ts'

/** Returns the use of a site in a month, for callers with `admin_site`. Throws 404 if it does not exist. */
export async function readUse(ctx: RequestContext, site: string, { month }: UseQuery): Promise<Use> {
  const { used, limits } = await inSiteManagement(ctx, site, 'admin_site', {
    used: store.selectUse(site, month ?? null),
    limits: store.selectLimits(site),
  })
  const { month: shown, measured_at, ...use } = used.one
  return { site, month: shown, use, limits: asLimits(limits.all), measured_at }
}

/** Returns the limits of a site, for callers with `admin_site`. Throws 404 if it does not exist. */
export async function readLimits(ctx: RequestContext, site: string): Promise<Limits> {
  const { limits } = await inSiteManagement(ctx, site, 'admin_site', { limits: store.selectLimits(site) })
  return asLimits(limits.all)
}

/** Replaces the limits of a site. Throws 403 for callers who are not superusers, 404 if it does not exist. */
export async function replaceLimits(ctx: RequestContext, site: string, limits: NewLimits): Promise<Limits> {
  const { kept, told } = await inSiteManagement(ctx, site, 'admin_site', {
    superuser: sql`select public.require_superuser(${requireCaller(ctx).userId})`,
    replaced: store.replaceLimits(site, limits),
    told: judgeUseOf(site),
    kept: store.selectLimits(site),
  })
  logReached(told.all)
  return asLimits(kept.all)
}

function asLimits(rows: readonly store.LimitRow[]): Limits {
  const byMeasure = new Map(rows.map(({ measure, soft, hard }) => [measure, { soft, hard }]))
  return Object.fromEntries(
    measures.map((measure) => [measure, byMeasure.get(measure) ?? { soft: null, hard: null }]),
  ) as Limits
}
