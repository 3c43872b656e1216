/** Finds what the plan of a list reads, for those who follow it, and joins them. */
import type { ListReads, RequestContext, TenantLocator } from '../../kernel/context.ts'
import type { Batch } from '../../kernel/db/batch.ts'
import type { PlannedFor } from '../../kernel/db/enter-tenant.ts'
import { renderAll } from '../../kernel/db/run.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import { inTenant } from '../../kernel/db/tenant.ts'
import { invalidFields } from '../../kernel/errors.ts'
import { MayFollow } from '../../kernel/http/live-answer.ts'
import type { AccessRule } from '../model/access.ts'
import { isInMongodb } from '../providers/mongodb/capabilities.ts'
import type { Catalog } from './load-catalog.ts'

/**
 * Tells a request that follows a list what its plan reads. If it joins, enters the site instead of reading,
 * and throws MayFollow. From then on, what is written in the site tells its followers.
 */
export async function follow(
  ctx: RequestContext,
  catalog: Pick<Catalog, 'siteId' | 'tables'>,
  planned: PlannedFor,
  statements: Batch,
): Promise<void> {
  const { follows, tenant } = ctx
  follows?.reads(readsOf(catalog, planned, statements))
  if (!follows?.joins) return
  if (ctx.viewAs !== null)
    throw invalidFields({ 'X-View-As': ['A list cannot be followed as another person.'] })
  // Without statements, nothing is read as a guest.
  const entering = { planned, asSite: true, asService: { site: followSite(tenant) } }
  const { site } = await inTenant(ctx, 'read', {}, entering)
  follows.joins(site.one.uuid)
  throw new MayFollow()
}

/** Notes that somebody follows lists of the site of a request, and selects its uuid. The service runs it. */
const followSite = ({ host, slug }: TenantLocator) => sql<{ uuid: string }>`
  with _noted as (
    update public.sites s set followed_until = now() + interval '1 hour'
     where s.id in (select x.id from public.sites x
                     where x.slug = public.site_at(${host}, ${slug})
                       and coalesce(x.followed_until < now() + interval '30 minutes', true)
                       for no key update skip locked))
  select s.uuid from public.sites s where s.slug = public.site_at(${host}, ${slug})`

/**
 * Returns what statements read: rather too many tables than too few, because a list that is asked for in vain
 * sends nothing. The rules of a guest, and a datasource in MongoDB, may lead to any table of the app.
 */
function readsOf(
  { siteId, tables }: Pick<Catalog, 'siteId' | 'tables'>,
  { standing }: PlannedFor,
  statements: Batch,
): ListReads {
  const all = [...tables.values()]
  const texts = renderAll(Object.values(statements).filter((one): one is Sql => one !== undefined)).templates
  const named = all.filter(({ physicalName }) =>
    texts.some((text) => text.includes(physicalName.slice(0, charactersKept))),
  )
  const rules = standing ? named.flatMap((table) => table.rules) : []
  const isKnown = named.length > 0 && !rules.some(leadsElsewhere) && !all.some(isInMongodb)
  return {
    siteId,
    standing: standing ?? null,
    rules: JSON.stringify(rules),
    tables: (isKnown ? named : all).map(({ physicalName }) => physicalName),
    keyOf: (name) => tables.get(name)?.primaryKey.map((field) => field.name) ?? [],
  }
}

/** The name of a table's view in Postgres begins with at least so many characters of that of the table. */
const charactersKept = 50

/** Whether a name of the condition is a path, or leads to related records. */
const leadsElsewhere = ({ where }: AccessRule): boolean =>
  /"[^"]*(?:\.[^"]*|__(?:some|none))":/.test(JSON.stringify(where ?? {}))
