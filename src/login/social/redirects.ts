/** Where a sign-in may lead back to: nowhere but to the site. S4, S6. */
import type { RequestContext } from '../../context.ts'
import type { Results } from '../../db/results.ts'
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
  /** What Postgres has to be asked of it. */
  before: Sql[]
  /** Throws the 400 by what that answered. */
  check(before: Results): void
}

/** `wanted`, as a browser would write it: of this very origin, or of https at a host of the site. */
export function checkedRedirect(ctx: RequestContext, url: string, handle: string, wanted: string | undefined): CheckedRedirect {
  const fine = { before: [], check: () => undefined }
  if (wanted === undefined) return { uri: callbackUrl(url, handle), ...fine }
  if (!URL.canParse(wanted)) throw foreignRedirect()
  const target = new URL(wanted)
  const { origin, protocol, username, password, port, href, search, hash } = target
  if (username || password || search || hash || /[?#]/.test(href)) throw foreignRedirect()
  if (origin === new URL(url).origin) return { uri: href, ...fine }
  const host = hostOf(target)
  // A host of the service itself is no site's, even if a site's slug makes it one.
  if (protocol !== 'https:' || port !== '' || isOwnHost(ctx.config, host)) throw foreignRedirect()
  return {
    uri: href,
    before: [isHostOfSite(ctx.tenant, host, ctx.config.BASE_DOMAIN ?? null)],
    check(before) {
      if (!before.one<{ is_own: boolean }>().is_own) throw foreignRedirect()
    },
  }
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
