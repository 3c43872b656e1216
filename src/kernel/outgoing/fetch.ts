/** The only way to call a server that a tenant names. S8. */
import type { Config } from '../env.ts'
import { withDeadline } from '../lib/deadline.ts'
import { isAddress, isPublicAddress } from '../lib/public-address.ts'
import { readBytes } from '../lib/read-bytes.ts'
import { OutgoingFailure } from './failure.ts'
import { addressesOf } from './resolve.ts'

/** The variables that decide which servers may be called. */
export type OutgoingConfig = Pick<Config, 'ALLOW_PRIVATE_HOSTS' | 'DNS_OVER_HTTPS'>

/** The deadline for the DNS lookup, the response and its body together. */
const deadlineMsDefault = 10_000
const bodyBytesMax = 1024 * 1024

/**
 * Fetches from a public host over https at a port of web servers. Rejects with OutgoingFailure for other
 * addresses, for redirects, for bodies of more than 1 MiB, and after the deadline, 10 seconds by default. The
 * addresses of the host are checked before; the runtime chooses the one to connect to.
 */
export const guardedFetch = (
  config: OutgoingConfig,
  address: string | URL,
  init: RequestInit = {},
  deadlineMs = deadlineMsDefault,
): Promise<Response> =>
  withDeadline(deadlineMs, (deadline) =>
    fetchWithin(init.signal ? AbortSignal.any([deadline, init.signal]) : deadline, config, address, init),
  )

/**
 * The headers with which a proxy names the client whose request it passes on. The receiver may trust them if
 * they come from Cloudflare's network, so no tenant may set them.
 */
export const forwardingHeader = /^(cf-.*|x-real-ip|x-forwarded-.*|forwarded|true-client-ip)$/i

/** Names the service to the server. Some servers reject requests without a user agent. */
const userAgent = 'Tessera'

function headersOf(init: RequestInit): Headers {
  const headers = new Headers(init.headers)
  for (const name of [...headers.keys()]) if (forwardingHeader.test(name)) headers.delete(name)
  if (!headers.has('user-agent')) headers.set('user-agent', userAgent)
  return headers
}

async function fetchWithin(
  signal: AbortSignal,
  config: OutgoingConfig,
  address: string | URL,
  init: RequestInit,
): Promise<Response> {
  const url = await checkedUrl(config, address, signal)
  try {
    const response = await fetch(url, { ...init, headers: headersOf(init), redirect: 'manual', signal })
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel()
      throw new OutgoingFailure('the server redirects')
    }
    const headers = new Headers(response.headers)
    // These headers describe the body as it was sent. Here it is decoded.
    for (const name of ['content-encoding', 'content-length']) headers.delete(name)
    const body = response.body && (await readBytes(response.body, bodyBytesMax, responseTooLarge))
    return new Response(body, { status: response.status, headers })
  } catch (error) {
    // The runtime rejects with a copy of the reason for which a signal was aborted.
    const failure = [error, signal.reason].find((one) => one instanceof OutgoingFailure)
    throw failure ?? new OutgoingFailure('the server does not respond', error)
  }
}

/** The ports of web servers; '' is 443. Other ports belong to databases, mail servers and the like. */
const ports: readonly string[] = ['', '80', '8080', '8443']

/** The allowed ports in words. */
export const allowedPorts = '443, 80, 8080 or 8443'

/** Tells whether an address may be called, as far as this is known without a DNS lookup. */
export function isAllowedAddress(
  { ALLOW_PRIVATE_HOSTS }: Pick<OutgoingConfig, 'ALLOW_PRIVATE_HOSTS'>,
  text: string,
): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hostname, port } = new URL(text)
  if (username || password) return false
  if (ALLOW_PRIVATE_HOSTS) return protocol === 'https:' || protocol === 'http:'
  if (protocol !== 'https:' || !ports.includes(port)) return false
  const host = bareHost(hostname)
  return isAddress(host) ? isPublicAddress(host) : isPublicName(host)
}

async function checkedUrl(config: OutgoingConfig, address: string | URL, signal: AbortSignal): Promise<URL> {
  const url = new URL(address)
  if (!isAllowedAddress(config, url.href))
    throw new OutgoingFailure(`the address is not that of a public host over https at port ${allowedPorts}`)
  const host = bareHost(url.hostname)
  if (config.ALLOW_PRIVATE_HOSTS || isAddress(host)) return url
  const addresses = await addressesOf(config.DNS_OVER_HTTPS, host, signal)
  if (!addresses.every(isPublicAddress)) throw new OutgoingFailure('the host has a private address')
  return url
}

/** Returns the host without the brackets of an IPv6 address and the final dot of a name. */
const bareHost = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

/** Tells whether a host has more than one label, and no domain that is reserved for private networks. */
const isPublicName = (host: string): boolean =>
  /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(host) && !/\.(localhost|local|internal|lan|home\.arpa)$/.test(host)

const responseTooLarge = () => new OutgoingFailure('the response is too large')

/**
 * Checks that a host may be connected to, for another protocol than http. Rejects with OutgoingFailure if it
 * is not public.
 */
export const requirePublicHost = (config: OutgoingConfig, host: string): Promise<void> =>
  withDeadline(deadlineMsDefault, async (deadline) => {
    await checkedUrl(config, `https://${host}`, deadline)
  })
