/** Where a request says its tenant is. T2. */
import type { TenantLocator } from '../context.ts'
import type { Config } from '../env.ts'
import { hostOf } from '../lib/host-name.ts'
import { isOwnHost } from './hosts.ts'

/**
 * The host, for the site that has it as a domain; and the slug for where none has: of the subdomain of BASE_DOMAIN,
 * else of the path prefix, else DEFAULT_SITE.
 */
export function tenantOf(url: URL, config: Pick<Config, 'BASE_DOMAIN' | 'DEFAULT_SITE' | 'PUBLIC_URL' | 'PLATFORM_HOSTS'>): TenantLocator {
  const host = hostOf(url)
  const { slug: prefix } = splitSitePrefix(url.pathname)
  const label = isOwnHost(config, host) ? undefined : subdomain(host, config.BASE_DOMAIN)
  return { host, slug: label ?? prefix ?? config.DEFAULT_SITE ?? null, prefix }
}

function subdomain(host: string, baseDomain: string | undefined): string | undefined {
  if (!baseDomain || !host.endsWith(`.${baseDomain}`)) return undefined
  const label = host.slice(0, -baseDomain.length - 1)
  return label.includes('.') ? undefined : label
}

/** The path prefix `/sites/<slug>/` in front of `/api/…`, one way to name the tenant (T2); and in front of the site's pages. */
const prefix = /^\/sites\/([a-z0-9-]+)(?=\/(?:api|accounts)(?:\/|$))/

export interface PrefixedPath {
  slug: string | null
  /** The path as the routes know it. */
  path: string
}

export function splitSitePrefix(pathname: string): PrefixedPath {
  const match = prefix.exec(pathname)
  if (!match) return { slug: null, path: pathname }
  return { slug: match[1] as string, path: pathname.slice(match[0].length) }
}
