/**
 * Converts host names to canonical form: lower-case Punycode without a final dot, IPv6 addresses in brackets.
 */
import { isAddress } from './public-address.ts'

/** Returns the host of a URL, without its port. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/\.$/, '')

/**
 * Returns the canonical form of a host that a user has typed; undefined if the text is not a host, or has a
 * scheme, a port or a path. Hexadecimal, octal and short forms of IP addresses become dotted decimal, as in
 * browsers.
 */
export function canonicalHost(text: string): string | undefined {
  const host = isAddress(text) && text.includes(':') ? `[${text}]` : text
  // The URL parser would silently drop some of these characters, and end the host at others.
  if (/[\s/\\?#@%]/.test(host) || /:(?!.*\])/.test(host)) return undefined
  return URL.canParse(`http://${host}/`) ? hostOf(new URL(`http://${host}/`)) : undefined
}

/** Tells whether a canonical host is an IP address. */
export const isAddressHost = (host: string): boolean => host.startsWith('[') || isAddress(host)

/** Tells whether a canonical host is a valid DNS name: labels of letters, digits and hyphens. */
export const isHostName = (host: string): boolean =>
  host.length <= 253 && host.split('.').every((label) => labelPattern.test(label))

const labelPattern = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** Tells whether a host is the domain itself or a subdomain of it. */
export const isWithin = (host: string, domain: string): boolean =>
  host === domain || host.endsWith(`.${domain}`)
