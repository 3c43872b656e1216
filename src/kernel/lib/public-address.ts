/**
 * Distinguishes public IP addresses from private and special ones. Texts are in the form of the URL parser
 * and the DNS.
 */

/** Tells whether a text is an IPv4 or IPv6 address, without brackets. */
export const isAddress = (text: string): boolean =>
  groupsOf(text) !== undefined || octetsOf(text) !== undefined

/** Tells whether a text is an address of the public Internet. Unknown networks are not public. */
export function isPublicAddress(text: string): boolean {
  const octets = octetsOf(text)
  if (octets) return !privateNetworks.some((network) => isWithin(octets, 8, network))
  const groups = groupsOf(text)
  return (
    groups !== undefined &&
    isWithin(groups, 16, [[0x2000], 3]) &&
    !specialNetworks.some((network) => isWithin(groups, 16, network))
  )
}

/** A network: the first numbers of its addresses, and the length of its prefix in bits. */
type Network = readonly [first: readonly number[], bits: number]

/** The IPv4 networks that are not public, from RFC 6890 and its successors. */
const privateNetworks: readonly Network[] = [
  [[0], 8],
  [[10], 8],
  [[100, 64], 10],
  [[127], 8],
  [[169, 254], 16],
  [[172, 16], 12],
  [[192, 0, 0], 24],
  [[192, 0, 2], 24],
  [[192, 88, 99], 24],
  [[192, 168], 16],
  [[198, 18], 15],
  [[198, 51, 100], 24],
  [[203, 0, 113], 24],
  [[224], 3],
]

/**
 * The networks of global IPv6 unicast addresses that are not public: Teredo and 6to4 contain IPv4 addresses,
 * the others are for documentation and benchmarks.
 */
const specialNetworks: readonly Network[] = [
  [[0x2001, 0], 23],
  [[0x2001, 0xdb8], 32],
  [[0x2002], 16],
  [[0x3fff], 20],
]

function isWithin(numbers: readonly number[], width: number, [first, bits]: Network): boolean {
  for (let position = 0; position * width < bits; position++) {
    const shift = Math.max(0, (position + 1) * width - bits)
    if ((numbers[position] ?? 0) >> shift !== (first[position] ?? 0) >> shift) return false
  }
  return true
}

/** Returns the four octets of an IPv4 address; undefined for any other text. */
function octetsOf(text: string): number[] | undefined {
  const octets = /^\d{1,3}(\.\d{1,3}){3}$/.test(text) ? text.split('.').map(Number) : undefined
  return octets?.every((octet) => octet <= 255) ? octets : undefined
}

/** Returns the eight groups of an IPv6 address; undefined for any other text. */
function groupsOf(text: string): number[] | undefined {
  const dotted = /^(.*:)(\d+(?:\.\d+){3})$/.exec(text)
  const tail = dotted && octetsOf(dotted[2] as string)
  if (dotted && !tail) return undefined
  const [a = 0, b = 0, c = 0, d = 0] = tail ?? []
  const plain = dotted ? `${dotted[1]}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}` : text
  const halves = plain.split('::')
  if (!plain.includes(':') || halves.length > 2) return undefined
  const [left = [], right = []] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const missing = 8 - left.length - right.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined
  const groups = [...left, ...Array<string>(missing).fill('0'), ...right]
  return groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : undefined
}
