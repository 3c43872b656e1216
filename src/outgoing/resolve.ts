/**
 * Asks the DNS over HTTPS (RFC 8484, in its JSON form): the addresses of a name, as `fetch` of a Worker tells nobody which
 * address it connects to; and its texts.
 */
import { z } from 'zod'
import { OutgoingFailure } from './failure.ts'

const answer = z.object({
  Status: z.int(),
  Answer: z.array(z.object({ type: z.int(), data: z.string() })).default([]),
})

/** The types of records that are asked for, by their numbers. */
const types = { A: 1, AAAA: 28, TXT: 16 }

/** Codes of an answer that says what there is: no error; no such name. Others say that it could not be found out. */
const conclusive: readonly number[] = [0, 3]

/** `resolver` is the address of a resolver that speaks JSON. Fails for a name without addresses. */
export async function addressesOf(resolver: string, name: string, signal: AbortSignal): Promise<string[]> {
  const lists = await Promise.all([ask(resolver, name, 'A', signal), ask(resolver, name, 'AAAA', signal)])
  const addresses = lists.flatMap(({ data }) => data)
  if (addresses.length === 0) throw new OutgoingFailure('the name has no address')
  return addresses
}

/** The texts of a name's TXT records; none where there is no such name. Fails if nobody can say. */
export async function textsOf(resolver: string, name: string, signal: AbortSignal): Promise<string[]> {
  const { status, data } = await ask(resolver, name, 'TXT', signal)
  if (!conclusive.includes(status)) throw new OutgoingFailure(`the name could not be looked up: DNS code ${status}`)
  return data.map(textOf)
}

/** The parts of a text come quoted, one after the other; some resolvers leave the quotes out. */
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
