/** Host names in the one form in which they are compared: lower-case punycode without a final dot. An IPv6 address keeps its brackets. */
import { isAddress } from './public-address.ts'

/** The host of a URL, without its port. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/\.$/, '')

/**
 * A host as a person writes it, in that form; undefined for what is no host, or has a scheme, a port or a path beside it.
 * Other spellings of IP addresses become the usual one, as browsers have it.
 */
export function canonicalHost(text: string): string | undefined {
  const host = isAddress(text) && text.includes(':') ? `[${text}]` : text
  // Each of these ends a host, or is left out by the URL parser without a word.
  if (/[\s/\\?#@%]/.test(host) || /:(?!.*\])/.test(host)) return undefined
  return URL.canParse(`http://${host}/`) ? hostOf(new URL(`http://${host}/`)) : undefined
}

/** Whether a host, in that form, is an IP address. */
export const isAddressHost = (host: string): boolean => host.startsWith('[') || isAddress(host)

/** Whether a host, in that form, is a name that the DNS can have: labels of letters, digits and hyphens. */
export const isHostName = (host: string): boolean => host.length <= 253 && host.split('.').every((label) => labelPattern.test(label))

const labelPattern = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** Whether a host is a domain, or a name below it. */
export const isWithin = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)
