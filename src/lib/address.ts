/** A client's address as it is counted: the one that Cloudflare saw; of IPv6 the /64, as a client may have all of that. */
export function clientAddress(header: string | null): string {
  if (!header) return 'unknown'
  if (!header.includes(':')) return header
  const [head = '', tail] = header.split('::')
  const left = head.split(':').filter(Boolean)
  const right = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? [] : Array(Math.max(0, 8 - left.length - right.length)).fill('0')
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}
