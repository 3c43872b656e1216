/**
 * The addresses of a name, asked by DNS over HTTPS (RFC 8484, in its JSON form): `fetch` of a Worker tells nobody which
 * address it connects to.
 */
import { z } from 'zod'
import { OutgoingFailure } from './failure.ts'

const answer = z.object({
  Status: z.int(),
  Answer: z.array(z.object({ type: z.int(), data: z.string() })).default([]),
})

/** The record types that hold an address: A and AAAA. */
const types = { A: 1, AAAA: 28 }

/** `resolver` is the address of a resolver that speaks JSON. Fails for a name without addresses. */
export async function addressesOf(resolver: string, name: string, signal: AbortSignal): Promise<string[]> {
  const lists = await Promise.all(
    Object.entries(types).map(async ([type, number]) => {
      const url = new URL(resolver)
      url.searchParams.set('name', name)
      url.searchParams.set('type', type)
      const response = await fetch(url, { headers: { accept: 'application/dns-json' }, signal })
      const { Answer } = answer.parse(await response.json())
      return Answer.filter((record) => record.type === number).map(({ data }) => data)
    }),
  ).catch((cause: unknown) => {
    throw new OutgoingFailure('the name could not be looked up', cause)
  })
  const addresses = lists.flat()
  if (addresses.length === 0) throw new OutgoingFailure('the name has no address')
  return addresses
}
