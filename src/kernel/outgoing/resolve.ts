/**
 * Looks up the addresses and TXT records of a host by DNS over HTTPS (RFC 8484, in its JSON form). A Worker's
 * `fetch` does not tell to which address it connects, so addresses are looked up before.
 */
import * as z from 'zod'
import { OutgoingFailure } from './failure.ts'

const dnsResponse = z.object({
  Status: z.int(),
  Answer: z.array(z.object({ type: z.int(), data: z.string() })).default([]),
})

/** The numbers of the record types. */
const types = { A: 1, AAAA: 28, TXT: 16 }

/** The DNS codes of a definite answer: no error, no such name. */
const conclusive: readonly number[] = [0, 3]

/**
 * Returns the addresses of a host. `resolver` is the URL of a resolver. Rejects with OutgoingFailure if there
 * are none.
 */
export async function addressesOf(resolver: string, name: string, signal: AbortSignal): Promise<string[]> {
  const lists = await Promise.all([query(resolver, name, 'A', signal), query(resolver, name, 'AAAA', signal)])
  const addresses = lists.flatMap(({ data }) => data)
  if (addresses.length === 0) throw new OutgoingFailure('the host has no address')
  return addresses
}

/**
 * Returns the texts of a host's TXT records; none if the host does not exist. Rejects with OutgoingFailure if
 * the resolver fails.
 */
export async function textsOf(resolver: string, name: string, signal: AbortSignal): Promise<string[]> {
  const { status, data } = await query(resolver, name, 'TXT', signal)
  if (!conclusive.includes(status))
    throw new OutgoingFailure(`the host could not be looked up: DNS code ${status}`)
  return data.map(textOf)
}

/** Joins the quoted parts of a text. Some resolvers omit the quotes. */
function textOf(data: string): string {
  if (!data.startsWith('"')) return data
  return [...data.matchAll(/"((?:[^"\\]|\\.)*)"/g)]
    .map(([, part = '']) => part.replace(/\\(.)/g, '$1'))
    .join('')
}

async function query(
  resolver: string,
  name: string,
  type: keyof typeof types,
  signal: AbortSignal,
): Promise<{ status: number; data: string[] }> {
  const url = new URL(resolver)
  url.searchParams.set('name', name)
  url.searchParams.set('type', type)
  try {
    const response = await fetch(url, { headers: { accept: 'application/dns-json' }, signal })
    if (!response.ok) throw new Error(`the resolver responded with ${response.status}`)
    const { Status, Answer } = dnsResponse.parse(await response.json())
    return {
      status: Status,
      data: Answer.filter((record) => record.type === types[type]).map(({ data }) => data),
    }
  } catch (cause) {
    throw new OutgoingFailure('the host could not be looked up', cause)
  }
}
