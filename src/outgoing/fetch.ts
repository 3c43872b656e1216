/** The one way to ask a server that a tenant has named. S8. */
import type { Config } from '../env.ts'
import { withDeadline } from '../lib/deadline.ts'
import { isAddress, isPublicAddress } from '../lib/public-address.ts'
import { OutgoingFailure } from './failure.ts'
import { addressesOf } from './resolve.ts'

/** The variables that say what may be asked. */
export type OutgoingConfig = Pick<Config, 'ALLOW_PRIVATE_HOSTS' | 'DNS_OVER_HTTPS'>

/** For everything together: the look-up of the name, the answer, its body. */
const deadlineMsDefault = 10_000
const bodyBytesMax = 1024 * 1024

/**
 * Fetches over https from a public host at a web server's port, follows no redirect, and reads 1 MiB at most within the
 * deadline (10 seconds): else it fails with OutgoingFailure. The addresses of a name are looked up before; which of them is
 * connected to is up to the runtime.
 */
export const guardedFetch = (
  config: OutgoingConfig,
  address: string | URL,
  init: RequestInit = {},
  deadlineMs = deadlineMsDefault,
): Promise<Response> =>
  withDeadline(deadlineMs, (deadline) => fetchWithin(init.signal ? AbortSignal.any([deadline, init.signal]) : deadline, config, address, init))

async function fetchWithin(signal: AbortSignal, config: OutgoingConfig, address: string | URL, init: RequestInit): Promise<Response> {
  const url = await allowed(config, address, signal)
  try {
    const response = await fetch(url, { ...init, redirect: 'manual', signal })
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel()
      throw new OutgoingFailure('the server redirects')
    }
    const headers = new Headers(response.headers)
    // Of the body as it came over the wire; what is read here is neither.
    for (const name of ['content-encoding', 'content-length']) headers.delete(name)
    return new Response(await limited(response), { status: response.status, headers })
  } catch (error) {
    throw error instanceof OutgoingFailure ? error : new OutgoingFailure('the server does not answer', error)
  }
}

/** Ports of web servers; '' is 443. Other ports belong to databases, mail servers and the like. */
const ports: readonly string[] = ['', '80', '8080', '8443']

/** The same for people. */
export const allowedPorts = '443, 80, 8080 or 8443'

/** Whether an address is one that could be asked: what can be said of it without looking its name up. */
export function isAllowedAddress({ ALLOW_PRIVATE_HOSTS }: Pick<OutgoingConfig, 'ALLOW_PRIVATE_HOSTS'>, text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hostname, port } = new URL(text)
  if (username || password) return false
  if (ALLOW_PRIVATE_HOSTS) return protocol === 'https:' || protocol === 'http:'
  if (protocol !== 'https:' || !ports.includes(port)) return false
  const host = bare(hostname)
  return isAddress(host) ? isPublicAddress(host) : isPublicName(host)
}

async function allowed(config: OutgoingConfig, address: string | URL, signal: AbortSignal): Promise<URL> {
  const url = new URL(address)
  if (!isAllowedAddress(config, url.href)) throw new OutgoingFailure(`the address is not one of a public host over https at port ${allowedPorts}`)
  const host = bare(url.hostname)
  if (config.ALLOW_PRIVATE_HOSTS || isAddress(host)) return url
  const addresses = await addressesOf(config.DNS_OVER_HTTPS, host, signal)
  if (!addresses.every(isPublicAddress)) throw new OutgoingFailure('the name leads to a private address')
  return url
}

/** Without the brackets of an IPv6 address, and without the dot that ends a name. */
const bare = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

/** Of more than one label, and below no domain that networks keep for themselves. */
const isPublicName = (host: string): boolean =>
  /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(host) && !/\.(localhost|local|internal|lan|home\.arpa)$/.test(host)

async function limited(response: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!response.body) return null
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body) {
    size += part.byteLength
    if (size > bodyBytesMax) throw new OutgoingFailure('the answer is too large')
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}
