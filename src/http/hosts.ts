/** Hosts that no site may have as a domain: those of the service itself, and those that nobody can prove. T2, T8. */
import type { Config } from '../env.ts'
import { hostOf, isAddressHost, isWithin } from '../lib/host-name.ts'

type HostVariables = Pick<Config, 'PUBLIC_URL' | 'BASE_DOMAIN' | 'PLATFORM_HOSTS'>

/** Whether PUBLIC_URL or PLATFORM_HOSTS names this host. Then it is no site's subdomain of BASE_DOMAIN either. */
export const isOwnHost = (config: HostVariables, host: string): boolean =>
  (config.PUBLIC_URL !== undefined && hostOf(config.PUBLIC_URL) === host) || config.PLATFORM_HOSTS.has(host)

/** Each reason completes a sentence that begins with the host. */
const reasons: [applies: (host: string, config: HostVariables) => boolean, reason: string][] = [
  [isAddressHost, 'is an IP address. A domain is a name such as shop.example.com.'],
  [(host) => !host.includes('.'), 'is a name without a dot. A domain is a name such as shop.example.com.'],
  [(host, config) => isOwnHost(config, host), 'is a host of this service itself.'],
  [
    (host, { BASE_DOMAIN }) => BASE_DOMAIN !== undefined && isWithin(host, BASE_DOMAIN),
    'belongs to this service, which has a host there for each site.',
  ],
  [(host) => isWithin(host, 'workers.dev'), 'belongs to Cloudflare: nothing below workers.dev can be proved to be yours.'],
]

/** Why no site may have a host as a domain; undefined if the site that proves it may. */
export const reasonAgainst = (config: HostVariables, host: string): string | undefined => reasons.find(([applies]) => applies(host, config))?.[1]
