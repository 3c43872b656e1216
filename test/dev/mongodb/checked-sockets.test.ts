/** Sockets of the driver go to public addresses alone, also those to members that a server names. S8. */
import { createServer, type Server } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Lookup, lookupFor } from '../../../mongodb/src/checked-sockets.ts'

const addresses: Readonly<Record<string, string>> = {
  'public.example': '93.184.216.34',
  'inner.example': '10.0.0.1',
}
let resolver: Server
let lookup: Lookup

beforeAll(async () => {
  resolver = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost')
    const address = searchParams.get('type') === 'A' ? addresses[searchParams.get('name') ?? ''] : undefined
    response.end(JSON.stringify({ Status: 0, Answer: address ? [{ type: 1, data: address }] : [] }))
  })
  await new Promise<void>((listening) => resolver.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(resolver.address() as AddressInfo).port}/`
  lookup = lookupFor({ url: 'mongodb://public.example/', allowsPrivate: false, resolver: url }) as Lookup
})
afterAll(() => resolver.close())

const lookedUp = (name: string) =>
  new Promise((done) => lookup(name, {}, (error, address) => done(error ? error.message : address)))

describe('a socket', () => {
  it('goes to the address that was checked', async () => {
    expect(await lookedUp('public.example')).toBe('93.184.216.34')
  })

  it('is not opened to a host with a private address, or with none', async () => {
    expect(await lookedUp('inner.example')).toBe('the host has a private address')
    expect(await lookedUp('unknown.example')).toBe('the host has no address')
  })

  it('is not opened to a private address without a name', () => {
    const options = { host: '10.0.0.1', port: 27_017, lookup: lookup as never }
    expect(() => net.createConnection(options)).toThrow('the server names a member with a private address')
  })
})
