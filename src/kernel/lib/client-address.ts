/** The address of a client, in the form for rate limits and in its full form. */
import * as z from 'zod'

/**
 * Returns the address in the header `cf-connecting-ip`; 'unknown' without it. IPv6 addresses are reduced to
 * their /64 network, because one client usually controls all of it.
 */
export function clientAddress(header: string | null): string {
  if (!header) return 'unknown'
  if (!header.includes(':')) return header
  const [head = '', tail] = header.split('::')
  const left = head.split(':').filter(Boolean)
  const right = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? [] : Array(Math.max(0, 8 - left.length - right.length)).fill('0')
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}

/** Returns a text if it is an IP address, otherwise null. */
export const validAddress = (text: string | null): string | null =>
  ipAddress.safeParse(text).success ? text : null

const ipAddress = z.union([z.ipv4(), z.ipv6()])

/** An IP address, or a network such as 192.0.2.0/24. */
export const network = z.union([ipAddress, z.cidrv4(), z.cidrv6()])
