/** The branding of a site's pages: its name, its logo and its color. */
import { createContext, useContext } from 'hono/jsx'
import type { RequestContext, TenantLocator } from '../context.ts'
import { wakeMs } from '../db/breaker.ts'
import { type Sql, sql } from '../db/sql.ts'
import { isServiceHost } from '../http/hosts.ts'
import { IsolateCache } from '../lib/isolate-cache.ts'
import { describeFailure, log } from '../lib/log.ts'

/** The settings of a site. Null: not set. */
export interface Branding {
  name: string | null
  color: string | null
  /** The hash of its logo, which is part of the address. */
  logo: string | null
}

/**
 * The milliseconds for which the branding is cached: at most one query a minute for each site and isolate.
 */
const lifetimeMs = 60_000

interface Known {
  branding: Branding | undefined
  until: number
}

const known = new IsolateCache<Known>('branding', {
  bytesOf: ({ branding }) => 100 + (branding?.name?.length ?? 0),
})

/** Clears the cached branding of this isolate. Other isolates notice a change within a minute. */
export const forgetBranding = (): void => known.clear()

/**
 * Returns the cached branding of a request's site. Undefined for pages of the service itself, and if the path
 * names another site than the host.
 */
function knownOf({ config, tenant: { host, slug, prefix } }: RequestContext) {
  if ((slug === null && isServiceHost(config, host)) || (prefix !== null && prefix !== slug)) return undefined
  const key = `${config.DATABASE_URL} ${host} ${slug ?? ''}`
  const present = known.get(key)
  return {
    present,
    isFresh: present !== undefined && present.until > Date.now(),
    note: (branding: Branding | undefined) => known.set(key, { branding, until: Date.now() + lifetimeMs }),
  }
}

/**
 * Returns the statement that reads the branding of a request's site, unless it is cached. A page that queries
 * the database anyway sends it with its own statements, and passes the result to `noteBranding`.
 */
export const wantedBranding = (ctx: RequestContext): Sql<Branding> | undefined =>
  knownOf(ctx)?.isFresh === false ? selectBranding(ctx.tenant) : undefined

/** Caches the branding of a request's site. The statement of `wantedBranding` has read it. */
export const noteBranding = (ctx: RequestContext, branding: Branding | undefined): void =>
  void knownOf(ctx)?.note(branding)

/**
 * Returns the branding of the request's site. Undefined for pages of the service itself, and if the database
 * does not answer: the page is then shown without branding.
 */
export async function brandingOf(ctx: RequestContext): Promise<Branding | undefined> {
  const site = knownOf(ctx)
  if (!site || site.isFresh) return site?.present?.branding
  try {
    const { read } = await ctx.database.batch({ read: selectBranding(ctx.tenant) }, wakeMs)
    site.note(read.first)
    return read.first
  } catch (error) {
    log({ level: 'error', request_id: ctx.requestId, branding: 'not read', ...describeFailure(error, false) })
    return site.present?.branding
  }
}

const selectBranding = ({ host, slug }: TenantLocator) => sql<Branding>`
  select s.branding ->> 'name' as name, s.branding ->> 'color' as color,
         (select l.hash from public.site_logos l where l.site_id = s.id) as logo
    from public.sites s where s.slug = public.site_at(${host}, ${slug})`

const BrandingContext = createContext<{ branding: Branding | undefined; mount: string }>({
  branding: undefined,
  mount: '',
})

/** Provides the branding to the components of a page, whose paths begin with `mount`. */
export const WithBranding = BrandingContext.Provider

/**
 * Returns the branding of the page that is rendered, and the prefix of its site's paths. Call it in a
 * component.
 */
export const useBranding = () => useContext(BrandingContext)
