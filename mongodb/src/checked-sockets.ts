/**
 * Connections to checked addresses alone: each name is looked up here, also those of members that a
 * server names, and the socket goes to the address that was checked. TLS still verifies the name. S8.
 */
import net from 'node:net'
import tls from 'node:tls'
import type { Connection } from '../../src/data/providers/mongodb/wire.ts'
import { isAddress, isPublicAddress } from '../../src/kernel/lib/public-address.ts'
import { addressesOf } from '../../src/kernel/outgoing/resolve.ts'

interface Address {
  address: string
  family: number
}

type Found = (error: Error | null, address?: string | Address[], family?: number) => void

/** Looks up a name for a socket, and tells whether an address may be connected to. */
export interface Lookup {
  (name: string, options: { all?: boolean }, found: Found): void
  admits(address: string): boolean
}

const lookupMs = 5_000
const familyOf = (address: string): number => (address.includes(':') ? 6 : 4)

/** Creates the lookup of a connection. With private addresses allowed, names are left to the platform. */
export function lookupFor({ allowsPrivate, resolver }: Connection): Lookup | undefined {
  if (allowsPrivate) return undefined
  const lookup: Lookup = (name, { all = false }, found) => {
    addressesOf(resolver, name, AbortSignal.timeout(lookupMs)).then(
      (addresses) => {
        const [first] = addresses
        if (first === undefined || !addresses.every(isPublicAddress))
          return found(new Error('the host has a private address'))
        const checked = addresses.map((address) => ({ address, family: familyOf(address) }))
        return all ? found(null, checked) : found(null, first, familyOf(first))
      },
      (error: Error) => found(error),
    )
  }
  lookup.admits = (address) => !isAddress(address) || isPublicAddress(address)
  return lookup
}

/** Sockets look up names, but not addresses: those are checked before a socket is made. */
function guard<Options extends unknown[], Made>(connect: (...options: Options) => Made) {
  return (...options: Options): Made => {
    const { host, lookup } = options[0] as { host?: string; lookup?: Partial<Lookup> }
    if (host !== undefined && lookup?.admits?.(host) === false)
      throw new Error('the server names a member with a private address')
    return connect(...options)
  }
}

net.createConnection = guard(net.createConnection) as typeof net.createConnection
tls.connect = guard(tls.connect) as typeof tls.connect
