/**
 * Decides which hosts cannot be the domain of a site: hosts of the service, and hosts that nobody can prove
 * to own. T2, T8.
 */
import type { Config } from '../env.ts'
import { hostOf, isAddressHost, isWithin } from '../lib/host-name.ts'

type HostVariables = Pick<Config, 'PUBLIC_URL' | 'BASE_DOMAIN' | 'PLATFORM_HOSTS'>

/**
 * Tells whether PUBLIC_URL or PLATFORM_HOSTS names this host. Such a host is not a subdomain of a site,
 * either.
 */
export const isServiceHost = (config: HostVariables, host: string): boolean =>
  (config.PUBLIC_URL !== undefined && hostOf(config.PUBLIC_URL) === host) || config.PLATFORM_HOSTS.has(host)

/** Returns the address of the service: PUBLIC_URL, or else BASE_DOMAIN. Undefined if neither is set. */
export const publicBase = ({ PUBLIC_URL, BASE_DOMAIN }: HostVariables): URL | undefined =>
  PUBLIC_URL ?? (BASE_DOMAIN === undefined ? undefined : new URL(`https://${BASE_DOMAIN}`))

/**
 * The reasons, each with its condition. The text of a reason continues a sentence that begins with the host.
 */
const reasons: [applies: (host: string, config: HostVariables) => boolean, reason: string][] = [
  [isAddressHost, 'is an IP address. A domain is a name such as shop.example.com.'],
  [(host) => !host.includes('.'), 'is a name without a dot. A domain is a name such as shop.example.com.'],
  [(host, config) => isServiceHost(config, host), 'is a host of this service.'],
  [
    (host, { BASE_DOMAIN }) => BASE_DOMAIN !== undefined && isWithin(host, BASE_DOMAIN),
    'belongs to this service: each site has a host there already.',
  ],
  [
    (host) => isWithin(host, 'workers.dev'),
    'belongs to Cloudflare: the ownership of names below workers.dev cannot be proved.',
  ],
]

/** Returns why a host cannot be the domain of a site; undefined if it can be one. */
export const domainProblem = (config: HostVariables, host: string): string | undefined =>
  reasons.find(([applies]) => applies(host, config))?.[1]
