/**
 * Looks up addresses and texts of a name by DNS over HTTPS (RFC 8484, in its JSON form). Addresses are needed because
 * `fetch` of a Worker tells nobody which address it connects to.
 */
import { z } from 'zod'
import { OutgoingFailure } from './failure.ts'

const answer = z.object({
  Status: z.int(),
  Answer: z.array(z.object({ type: z.int(), data: z.string() })).default([]),
})

/** The numbers of the record types. */
const types = { A: 1, AAAA: 28, TXT: 16 }

/** DNS codes of a conclusive answer: no error, no such name. */
const conclusive: readonly number[] = [0, 3]

/** `resolver` is the address of a resolver that speaks JSON. Fails for a name without addresses. */
export async function addressesOf(resolver: string, name: string, signal: AbortSignal): Promise<string[]> {
  const lists = await Promise.all([ask(resolver, name, 'A', signal), ask(resolver, name, 'AAAA', signal)])
  const addresses = lists.flatMap(({ data }) => data)
  if (addresses.length === 0) throw new OutgoingFailure('the name has no address')
  return addresses
}

/** Returns the texts of a name's TXT records; none if the name does not exist. Fails if the resolver cannot find out. */
export async function textsOf(resolver: string, name: string, signal: AbortSignal): Promise<string[]> {
  const { status, data } = await ask(resolver, name, 'TXT', signal)
  if (!conclusive.includes(status)) throw new OutgoingFailure(`the name could not be looked up: DNS code ${status}`)
  return data.map(textOf)
}

/** Joins the quoted parts of a text. Some resolvers leave the quotes out. */
function textOf(data: string): string {
  if (!data.startsWith('"')) return data
  return [...data.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, part = '']) => part.replace(/\\(.)/g, '$1')).join('')
}

async function ask(resolver: string, name: string, type: keyof typeof types, signal: AbortSignal): Promise<{ status: number; data: string[] }> {
  const url = new URL(resolver)
  url.searchParams.set('name', name)
  url.searchParams.set('type', type)
  try {
    const response = await fetch(url, { headers: { accept: 'application/dns-json' }, signal })
    if (!response.ok) throw new Error(`the resolver answers ${response.status}`)
    const { Status, Answer } = answer.parse(await response.json())
    return { status: Status, data: Answer.filter((record) => record.type === types[type]).map(({ data }) => data) }
  } catch (cause) {
    throw new OutgoingFailure('the name could not be looked up', cause)
  }
}
