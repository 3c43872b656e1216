/**
 * Rejects hosts that the local service does not know. A page of another host, whose name was made to resolve
 * to this machine, would otherwise count as the service's own page (DNS rebinding). Elsewhere, the front
 * decides which hosts lead to the service.
 */
import { createMiddleware } from 'hono/factory'
import { openDatabase } from '../db/client.ts'
import { sql } from '../db/sql.ts'
import { type Config, configOf, type Env } from '../env.ts'
import { detail } from '../errors.ts'
import { hostOf, isAddressHost, isWithin } from '../lib/host-name.ts'
import { quoteValue } from '../lib/quote-value.ts'
import { isLocal } from '../lib/variable-forms.ts'
import type { AppEnv } from './app-env.ts'
import { isServiceHost } from './hosts.ts'
import { validUrlOf } from './request-url.ts'

const deadlineMs = 3_000

/** Throws 403 for an unknown host if PUBLIC_URL leads to this machine, or is an IP address. */
export const requireKnownHost = createMiddleware<AppEnv>(async (c, next) => {
  const config = localConfigOf(c.env)
  const host = hostOf(validUrlOf(c.req.raw))
  if (config && !isNamed(config, host) && !(await isDomain(config, host))) throw unknownHost(host)
  await next()
})

/** Undefined if the service is not local. A wrong configuration is reported later. W7 */
function localConfigOf(env: Env): Config | undefined {
  try {
    const config = configOf(env)
    const { PUBLIC_URL } = config
    return PUBLIC_URL && (isLocal(PUBLIC_URL) || isAddressHost(hostOf(PUBLIC_URL))) ? config : undefined
  } catch {
    return undefined
  }
}

/** Tells whether a host needs no look-up. No name can be made to resolve in place of an address. */
const isNamed = (config: Config, host: string): boolean =>
  isAddressHost(host) ||
  isWithin(host, 'localhost') ||
  isServiceHost(config, host) ||
  (config.BASE_DOMAIN !== undefined && isWithin(host, config.BASE_DOMAIN))

/** Tells whether a host is a verified domain of a site. False if the database does not answer. */
async function isDomain(config: Config, host: string): Promise<boolean> {
  const known = sql<{ is_known: boolean }>`
    select exists (select from public.site_domains d
                    where d.domain = ${host} and d.verified_at is not null) as is_known`
  const answers = await openDatabase(config)
    .batch({ known }, deadlineMs)
    .catch(() => undefined)
  return answers?.known.one.is_known ?? false
}

/** The local service has no site with this domain, and no host of this name. */
const unknownHost = (host: string) =>
  detail(
    403,
    'unknown_host',
    `${quoteValue(host)} is not a host of this local service. PLATFORM_HOSTS can name it.`,
  )
