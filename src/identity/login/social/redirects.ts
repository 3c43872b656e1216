/** The addresses to which a sign-in may return. All of them belong to the site. S4, S6. */
import type { RequestContext } from '../../../kernel/context.ts'
import { inTenant } from '../../../kernel/db/tenant.ts'
import { isServiceHost } from '../../../kernel/http/hosts.ts'
import { mountOf } from '../../../kernel/http/tenant-locator.ts'
import { hostOf } from '../../../kernel/lib/host-name.ts'
import { foreignRedirect } from './errors.ts'
import { isHostOfSite } from './store.ts'

/** Returns the address of the request's site, without a final slash. */
export const siteUrl = (url: string): string => `${new URL(url).origin}${mountOf(url)}`

/** Returns the address of the site's own callback page. It is the default redirect URI. */
export const callbackUrl = (url: string, handle: string): string =>
  `${siteUrl(url)}/accounts/${handle}/login/callback/`

interface RedirectRequest {
  /** The address of the request. */
  url: string
  /** The address that the client requests. */
  redirectUri?: string | undefined
}

/**
 * Returns the requested redirect URI in the form that browsers use, or undefined if none is requested. Throws
 * 400 unless it has the request's origin, or is an https address at a verified host of the site. Only other
 * hosts need a query to Postgres, in a separate round trip.
 */
export async function resolveRedirect(
  ctx: RequestContext,
  { url, redirectUri }: RedirectRequest,
): Promise<string | undefined> {
  if (redirectUri === undefined) return undefined
  if (!URL.canParse(redirectUri)) throw foreignRedirect()
  const target = new URL(redirectUri)
  const { origin, protocol, username, password, port, href, search, hash } = target
  if (username || password || search || hash || /[?#]/.test(href)) throw foreignRedirect()
  if (origin === new URL(url).origin) return href
  const host = hostOf(target)
  // A host of the service belongs to no site, even if a site has its name as the slug.
  if (protocol !== 'https:' || port !== '' || isServiceHost(ctx.config, host)) throw foreignRedirect()
  const isOwn = isHostOfSite(ctx.tenant, host, ctx.config.BASE_DOMAIN ?? null)
  const answers = await inTenant(ctx, 'read', {}, { asService: { isOwn } })
  if (!answers.isOwn.one.is_own) throw foreignRedirect()
  return href
}

/**
 * Returns a path of the request's own host: the requested path, or `/` if the requested address leads to
 * another host.
 */
export function localPath(url: string, requested: string | undefined): string {
  const { origin } = new URL(url)
  if (!requested?.startsWith('/') || !URL.canParse(requested, origin)) return '/'
  const target = new URL(requested, origin)
  // Browsers treat two slashes, or a backslash, as the start of another host.
  if (target.origin !== origin || target.username || target.pathname.startsWith('//')) return '/'
  return `${target.pathname}${target.search}${target.hash}`
}
