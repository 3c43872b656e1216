/**
 * The host and the origin that passkeys of a request belong to: from the configuration, never from a header.
 */
import type { RequestContext } from '../context.ts'
import { isServiceHost } from '../http/hosts.ts'
import { isAddressHost } from '../lib/host-name.ts'
import { isLocalUrl } from '../lib/variable-forms.ts'

/** The relying party, as WebAuthn defines it. */
export interface RelyingParty {
  /** The host. */
  id: string
  origin: string
  /** False for the domain of a site, which Postgres has to know as verified. */
  isService: boolean
}

/**
 * Returns the relying party of a request: the service at PUBLIC_URL, or a host that may be a verified domain
 * of the site. Undefined if passkeys do not work: without PUBLIC_URL, and for hosts that are IP addresses.
 */
export function relyingPartyOf({
  config,
  tenant: { host },
}: Pick<RequestContext, 'config' | 'tenant'>): RelyingParty | undefined {
  const { PUBLIC_URL } = config
  if (!PUBLIC_URL) return undefined
  // The local stack is at 127.0.0.1, which can have no passkeys. Its other name can.
  if (host === 'localhost' && isLocalUrl(PUBLIC_URL.href)) {
    const origin = new URL(PUBLIC_URL)
    origin.hostname = 'localhost'
    return { id: 'localhost', origin: origin.origin, isService: true }
  }
  if (isAddressHost(host)) return undefined
  if (isServiceHost(config, host))
    return isAddressHost(PUBLIC_URL.hostname)
      ? undefined
      : { id: PUBLIC_URL.hostname, origin: PUBLIC_URL.origin, isService: true }
  return { id: host, origin: `https://${host}`, isService: false }
}
