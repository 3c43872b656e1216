/** Finds the tenant that a request names by its host and its path. T2. */
import type { TenantLocator } from '../context.ts'
import type { Config } from '../env.ts'
import { hostOf } from '../lib/host-name.ts'
import { domainProblem, isServiceHost } from './hosts.ts'

/**
 * Returns the host, which may be the domain of a site, and the slug to use if it is not. The slug is the
 * subdomain of BASE_DOMAIN, or else the prefix of the path, or else DEFAULT_SITE.
 */
export function tenantOf(
  url: URL,
  config: Pick<Config, 'BASE_DOMAIN' | 'DEFAULT_SITE' | 'PUBLIC_URL' | 'PLATFORM_HOSTS'>,
): TenantLocator {
  const host = hostOf(url)
  const { slug: prefix } = splitSitePrefix(url.pathname)
  const label = isServiceHost(config, host) ? undefined : subdomain(host, config.BASE_DOMAIN)
  const domain = domainProblem(config, host) === undefined ? host : null
  return { host, domain, slug: label ?? prefix ?? config.DEFAULT_SITE ?? null, prefix }
}

function subdomain(host: string, baseDomain: string | undefined): string | undefined {
  if (!baseDomain || !host.endsWith(`.${baseDomain}`)) return undefined
  const label = host.slice(0, -baseDomain.length - 1)
  return label.includes('.') ? undefined : label
}

/** Returns the prefix of the site's paths on the request's host: '' or `/sites/<slug>`. */
export function mountOf(url: string): string {
  const { slug } = splitSitePrefix(new URL(url).pathname)
  return slug === null ? '' : `/sites/${slug}`
}

/** The path prefix `/sites/<slug>/` before `/api/…` and before the pages of a site. T2. */
const prefix = /^\/sites\/([a-z0-9-]+)(?=\/(?:api|accounts)(?:\/|$))/

/** A path split into the slug of its site and the rest. */
export interface PrefixedPath {
  /** Null if the path has no prefix. */
  slug: string | null
  /** The path with which routes are matched. */
  path: string
}

/** Splits the prefix `/sites/<slug>` from a path. */
export function splitSitePrefix(pathname: string): PrefixedPath {
  const match = prefix.exec(pathname)
  if (!match) return { slug: null, path: pathname }
  return { slug: match[1] as string, path: pathname.slice(match[0].length) }
}
