/**
 * The ticket desk with access rules and with Postgres policies: both get the same requests from the same
 * persons. One table holds the expected reads and writes, and each difference that
 * docs/compare/access-rules.md names.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from './both.ts'
import { type Desk, startDesk, type Ticket, type Who } from './desk.ts'
import {
  articleFields,
  change,
  everybody,
  of,
  ofTeam,
  own,
  pick,
  type Row,
  readings,
  ticketFields,
  ticketsOf,
  type Write,
  writes,
} from './desk-cases.ts'
import type { Asked } from './page.ts'

let desk: Desk
beforeAll(async () => {
  desk = await startDesk()
})
afterAll(() => desk?.stop())

const get = (path: string): Asked => ({ method: 'GET', path, headers: {} })
const send = (method: string, path: string, body?: unknown): Asked => ({
  method,
  path,
  headers: { 'content-type': 'application/json', prefer: 'return=representation' },
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
})
const ourPath = (path: string) => `/api/apps/desk/datatables/${path}`

/** Returns the status, and the records of a response: those of a list, of one record, or none. */
function read({ status, text }: Answer): { status: number; records: Row[] } {
  if (status >= 300 || text === '') return { status, records: [] }
  const body = JSON.parse(text) as Row[] | { data: Row[] | Row }
  const records = Array.isArray(body) ? body : body.data
  return { status, records: Array.isArray(records) ? records : [records] }
}

const readingCases = Object.entries(readings).flatMap(([what, question]) =>
  everybody.map((who) => ({ what, who, ...question })),
)

describe('rules and policies show the same records', () => {
  it.each(readingCases)('to $who: $what', async ({ who, theirs, ours, records, unseen }) => {
    const wanted = records(who)
    expect(read(await desk.theirs(who, get(`/${theirs}`)))).toEqual({ status: 200, records: wanted })
    const status = who === 'anyone' && unseen !== undefined ? unseen : 200
    expect(read(await desk.ours(who, get(ourPath(ours))))).toEqual({ status, records: wanted })
  })
})

function places({ at }: Pick<Write, 'at'>): { theirs: string; ours: string } {
  if (typeof at === 'number') return { theirs: `?id=eq.${at}`, ours: `${at}/` }
  return at ?? { theirs: '', ours: '' }
}

async function write({ who, method, body, ...rest }: Omit<Write, 'statuses'>) {
  const { theirs, ours } = places(rest)
  return {
    theirs: read(await desk.theirs(who, send(method, `/tickets${theirs}`, body))),
    ours: read(await desk.ours(who, send(method, ourPath(`tickets/data/${ours}`), body))),
  }
}

describe('rules and policies allow the same writes', () => {
  it.each(Object.entries(writes))('%s', async (_, one) => {
    await desk.plant()
    const wanted = (await desk.tickets()).theirs
    one.change?.(wanted)
    const answers = await write(one)
    expect({ theirs: answers.theirs.status, ours: answers.ours.status }).toEqual(one.statuses)
    const shown = (records: Row[]) =>
      records.map((row) => pick(row, ticketFields)).sort((a, b) => Number(a.id) - Number(b.id))
    expect(shown(answers.ours.records)).toEqual(shown(answers.theirs.records))
    const { theirs, ours } = await desk.tickets()
    expect(theirs).toEqual(wanted)
    expect(ours).toEqual(wanted)
  })
})

describe('rules and policies differ', () => {
  const list = async (who: Who, theirs: string, ours: string) => ({
    theirs: read(await desk.theirs(who, get(`/${theirs}`))),
    ours: read(await desk.ours(who, get(ourPath(ours)))),
  })

  it('for a table of which the caller may see nothing: an empty list there, 401 here', async () => {
    expect(await list('anyone', 'tickets', 'tickets/data/')).toEqual({
      theirs: { status: 200, records: [] },
      ours: { status: 401, records: [] },
    })
  })

  it('for all fields of an article: an error there, the fields that the rule shows here', async () => {
    const answers = await list('anyone', 'articles?id=eq.1', 'articles/data/?id=1')
    expect(answers.theirs).toEqual({ status: 401, records: [] })
    expect(answers.ours).toEqual({ status: 200, records: [pick(of('articles')[0] as Row, articleFields)] })
  })

  it('for a customer, who sees the fields of the team there, and none of them here', async () => {
    const fields = 'id,priority,team'
    const [ticket] = ticketsOf('customer') as [Ticket]
    const { theirs, ours } = await list(
      'customer',
      `tickets?select=${fields}&id=eq.${ticket.id}`,
      `tickets/data/?fields=${fields}&id=${ticket.id}`,
    )
    expect(theirs.records).toEqual([{ id: ticket.id, priority: ticket.priority, team: ticket.team }])
    expect(ours.records).toEqual([{ id: ticket.id, priority: null, team: null }])
  })

  it('for a customer, who can filter by a field of the team there, and not here', async () => {
    const [{ team }] = ticketsOf('customer') as [Ticket]
    const { theirs, ours } = await list(
      'customer',
      `tickets?select=id&team=eq.${team}`,
      `tickets/data/?fields=id&team=${team}`,
    )
    expect(theirs.records.length).toBeGreaterThan(0)
    expect(ours).toEqual({ status: 200, records: [] })
  })

  it('for an agent who is also a customer and sees these fields here only in records of the team', async () => {
    const { theirs, ours } = await list(
      'both',
      'tickets?select=id,priority&order=id',
      'tickets/data/?fields=id,priority&ordering=id&limit=1000',
    )
    const seen = ticketsOf('both')
    expect(theirs.records).toEqual(seen.map(({ id, priority }) => ({ id, priority })))
    expect(ours.records).toEqual(
      seen.map(({ id, priority, team }) => ({ id, priority: team === 'shipping' ? priority : null })),
    )
    expect(seen.some(({ team }) => team !== 'shipping')).toBe(true)
  })

  it.each([
    {
      what: 'a customer writes fields of the team there',
      who: 'customer',
      at: own.id,
      body: { priority: 'high' },
    },
    {
      what: 'an agent writes fields of the customer there',
      who: 'agent',
      at: ofTeam.id,
      body: { subject: 'X' },
    },
  ] as const)('in writes: $what; here the response is 403', async ({ who, at, body }) => {
    await desk.plant()
    const before = (await desk.tickets()).ours
    const answers = await write({ who, method: 'PATCH', at, body })
    expect(answers.theirs.status).toBe(200)
    expect(answers.ours).toEqual({ status: 403, records: [] })
    const { theirs, ours } = await desk.tickets()
    expect(ours).toEqual(before)
    change(at, body)(before)
    expect(theirs).toEqual(before)
  })
})
