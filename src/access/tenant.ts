/** Where a request says its tenant is. T2. */
import type { TenantLocator } from '../context.ts'
import type { Config } from '../env.ts'

/**
 * The host, for the site that has it as a domain; and the slug for where none has: of the subdomain of BASE_DOMAIN,
 * else of the path prefix, else DEFAULT_SITE. `baseUrl` is the address up to the path, prefix included.
 */
export function tenantOf(url: URL, config: Pick<Config, 'BASE_DOMAIN' | 'DEFAULT_SITE'>): { tenant: TenantLocator; baseUrl: string } {
  const { slug, prefix } = splitSitePrefix(url.pathname)
  const tenant = { host: url.hostname, slug: subdomain(url.hostname, config.BASE_DOMAIN) ?? slug ?? config.DEFAULT_SITE ?? null }
  return { tenant, baseUrl: url.origin + prefix }
}

function subdomain(host: string, baseDomain: string | undefined): string | undefined {
  if (!baseDomain || !host.endsWith(`.${baseDomain}`)) return undefined
  const label = host.slice(0, -baseDomain.length - 1)
  return label.includes('.') ? undefined : label
}

/** The path prefix `/sites/<slug>/` in front of `/api/…`, one way to name the tenant (T2). */
const prefix = /^\/sites\/([a-z0-9-]+)(?=\/api(\/|$))/

export interface PrefixedPath {
  slug: string | null
  /** The prefix as it stands in the path, or ''. */
  prefix: string
  /** The path as the routes know it. */
  path: string
}

export function splitSitePrefix(pathname: string): PrefixedPath {
  const match = prefix.exec(pathname)
  if (!match) return { slug: null, prefix: '', path: pathname }
  return { slug: match[1] as string, prefix: match[0], path: pathname.slice(match[0].length) }
}
