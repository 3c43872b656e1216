/** Where a sign-in may lead back to: nowhere but to the site. S4, S6. */
import type { RequestContext } from '../../context.ts'
import type { Rows } from '../../db/batch.ts'
import type { Sql } from '../../db/sql.ts'
import { isOwnHost } from '../../http/hosts.ts'
import { splitSitePrefix } from '../../http/tenant.ts'
import { hostOf } from '../../lib/host-name.ts'
import { foreignRedirect } from './errors.ts'
import { isHostOfSite } from './store.ts'

/** Where the site stands on the request's host: '' or `/sites/<slug>`. */
export function mountOf(url: string): string {
  const { slug } = splitSitePrefix(new URL(url).pathname)
  return slug === null ? '' : `/sites/${slug}`
}

/** The page that a provider leads back to, where nobody says otherwise. */
const callbackUrl = (url: string, handle: string): string => `${new URL(url).origin}${mountOf(url)}/accounts/${handle}/login/callback/`

export interface CheckedRedirect {
  uri: string
  /** Asks Postgres whether the address is the site's. Undefined if that is known already. */
  isOwn?: Sql<{ is_own: boolean }>
}

/** `wanted`, as a browser would write it: of this very origin, or of https at a host of the site. */
export function checkedRedirect(ctx: RequestContext, url: string, handle: string, wanted: string | undefined): CheckedRedirect {
  if (wanted === undefined) return { uri: callbackUrl(url, handle) }
  if (!URL.canParse(wanted)) throw foreignRedirect()
  const target = new URL(wanted)
  const { origin, protocol, username, password, port, href, search, hash } = target
  if (username || password || search || hash || /[?#]/.test(href)) throw foreignRedirect()
  if (origin === new URL(url).origin) return { uri: href }
  const host = hostOf(target)
  // A host of the service itself is no site's, even if a site's slug makes it one.
  if (protocol !== 'https:' || port !== '' || isOwnHost(ctx.config, host)) throw foreignRedirect()
  return { uri: href, isOwn: isHostOfSite(ctx.tenant, host, ctx.config.BASE_DOMAIN ?? null) }
}

/** Throws the 400 for an address that is not the site's. `answer` is that of `isOwn`; without that question there is none. */
export function checkOwn(answer: Rows<{ is_own: boolean }>): void {
  if (answer.first?.is_own === false) throw foreignRedirect()
}

/** A path of the request's own host, whatever was asked for; where it is none, the host's first page. */
export function localPath(url: string, wanted: string | undefined): string {
  const { origin } = new URL(url)
  if (!wanted?.startsWith('/') || !URL.canParse(wanted, origin)) return '/'
  const target = new URL(wanted, origin)
  // Of two slashes, or a backslash, browsers make another host.
  if (target.origin !== origin || target.username || target.pathname.startsWith('//')) return '/'
  return `${target.pathname}${target.search}${target.hash}`
}
