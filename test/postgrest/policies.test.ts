/**
 * The ticket desk by access rules and by policies of Postgres, each asked the same by the same persons: what they see and
 * what they write is held to one table, and so is each difference that docs/compare/access-rules.md names.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { desk as demo } from '../../dev/demo/desk.ts'
import type { Answer } from './both.ts'
import { type Desk, persons, startDesk, type Ticket, type Who } from './desk.ts'
import type { Asked } from './page.ts'

let desk: Desk
beforeAll(async () => {
  desk = await startDesk()
})
afterAll(() => desk?.stop())

type Row = Record<string, unknown> & { id: number }
const rows = new Map(demo.rows())
const of = (table: string) => rows.get(table) as Row[]
const tickets = of('tickets') as Ticket[]

/** The tickets of a person, as the rules mean it: the own ones, and those of the teams. */
const ticketsOf = (who: Who): Ticket[] => {
  if (who === 'anyone') return []
  const { email, teams } = persons[who]
  return tickets.filter(
    ({ requester, team }) => requester === email || (teams as readonly (string | null)[]).includes(team),
  )
}
const everybody = ['anyone', 'customer', 'agent', 'both'] as const
const pick = (row: Row, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, row[name]]))

const get = (path: string): Asked => ({ method: 'GET', path, headers: {} })
const send = (method: string, path: string, body?: unknown): Asked => ({
  method,
  path,
  headers: { 'content-type': 'application/json', prefer: 'return=representation' },
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
})
const ourPath = (path: string) => `/api/apps/desk/datatables/${path}`

/** The status, and the records of an answer: those of a list, of one record, or none. */
function read({ status, text }: Answer): { status: number; records: Row[] } {
  if (status >= 300 || text === '') return { status, records: [] }
  const body = JSON.parse(text) as Row[] | { data: Row[] | Row }
  const records = Array.isArray(body) ? body : body.data
  return { status, records: Array.isArray(records) ? records : [records] }
}

interface Question {
  /** What is asked of the table, below it: of PostgREST and of the service. */
  theirs: string
  ours: string
  /** What both answer. */
  records(who: Who): object[]
  /** The status of the service for who sees nothing at all; PostgREST has 200. */
  unseen?: number
}

const articleFields = ['id', 'title', 'body', 'labels']
const ticketFields = ['id', 'subject', 'requester', 'state']
const commentFields = ['id', 'ticket_id', 'text']
const isRead = (who: Who, id: unknown) => ticketsOf(who).some((ticket) => ticket.id === id)
const hidden = tickets.find(({ id }) => everybody.every((who) => !isRead(who, id))) as Ticket
const draft = of('articles').find(({ published }) => published === false) as Row

const readings: Record<string, Question> = {
  'the published articles': {
    theirs: `articles?select=${articleFields}&order=id`,
    ours: `articles/data/?fields=${articleFields}&ordering=id`,
    records: () =>
      of('articles')
        .filter(({ published }) => published === true)
        .map((row) => pick(row, articleFields)),
  },
  'no draft': {
    theirs: `articles?select=${articleFields}&id=eq.${draft.id}`,
    ours: `articles/data/?fields=${articleFields}&id=${draft.id}`,
    records: () => [],
  },
  'the own tickets and those of the team': {
    theirs: `tickets?select=${ticketFields}&order=id`,
    ours: `tickets/data/?fields=${ticketFields}&ordering=id&limit=1000`,
    records: (who) => ticketsOf(who).map((row) => pick(row, ticketFields)),
    unseen: 401,
  },
  'these, filtered and ordered': {
    theirs: `tickets?select=id&state=eq.solved&subject=ilike.*invoice*&order=opened_at.desc`,
    ours: `tickets/data/?fields=id&state=solved&subject__icontains=invoice&ordering=-opened_at`,
    records: (who) =>
      ticketsOf(who)
        .filter(({ state, subject }) => state === 'solved' && String(subject).includes('invoice'))
        .sort((a, b) => String(b.opened_at).localeCompare(String(a.opened_at)))
        .map(({ id }) => ({ id })),
    unseen: 401,
  },
  'no ticket of others by its key': {
    theirs: `tickets?select=id&id=eq.${hidden.id}`,
    ours: `tickets/data/?fields=id&id=${hidden.id}`,
    records: () => [],
    unseen: 401,
  },
  'the comments on these tickets': {
    theirs: `comments?select=${commentFields}&order=id`,
    ours: `comments/data/?fields=${commentFields}&ordering=id&limit=1000`,
    records: (who) =>
      of('comments')
        .filter(({ ticket_id }) => isRead(who, ticket_id))
        .map((row) => pick(row, commentFields)),
    unseen: 401,
  },
  'comments by a field of their ticket': {
    theirs: `comments?select=id,tickets!inner()&tickets.state=eq.open&order=id`,
    ours: `comments/data/?fields=id&ticket.state=open&ordering=id&limit=1000`,
    records: (who) =>
      of('comments')
        .filter(({ ticket_id }) =>
          ticketsOf(who).some(({ id, state }) => id === ticket_id && state === 'open'),
        )
        .map(({ id }) => ({ id })),
    unseen: 401,
  },
}

const readingCases = Object.entries(readings).flatMap(([what, question]) =>
  everybody.map((who) => ({ what, who, ...question })),
)

describe('rules and policies show the same', () => {
  it.each(readingCases)('to $who: $what', async ({ who, theirs, ours, records, unseen }) => {
    const wanted = records(who)
    expect(read(await desk.theirs(who, get(`/${theirs}`)))).toEqual({ status: 200, records: wanted })
    const status = who === 'anyone' && unseen !== undefined ? unseen : 200
    expect(read(await desk.ours(who, get(ourPath(ours))))).toEqual({ status, records: wanted })
  })
})

const [own] = ticketsOf('customer') as [Ticket]
const ofTeam = ticketsOf('agent').find(({ requester }) => requester !== persons.customer.email) as Ticket
const asked = { subject: 'My lamp is dark' }
const theirEmail = 'customer.1@example.net'

interface Write {
  who: Who
  method: string
  /** Below `tickets` of each. Omitted: the table. */
  at?: number | { theirs: string; ours: string }
  body?: unknown
  statuses: { theirs: number; ours: number }
  /** Changes the tickets as the write is to change them. Omitted: not at all. */
  change?(before: Ticket[]): void
}

const change =
  (id: number, values: object) =>
  (all: Ticket[]): void =>
    void Object.assign(all.find((ticket) => ticket.id === id) as Ticket, values)
const creation =
  (requester: string, ...subjects: string[]) =>
  (all: Ticket[]) => {
    const last = Math.max(...tickets.map(({ id }) => id))
    subjects.forEach((subject, index) => {
      const unset = {
        team: null,
        agent_id: null,
        opened_at: expect.anything(),
        solved_at: null,
        labels: null,
      }
      all.push({ id: last + 1 + index, subject, requester, priority: 'normal', state: 'open', ...unset })
    })
  }
const both = (status: number) => ({ theirs: status, ours: status })

const writes: Record<string, Write> = {
  'a customer asks': {
    ...{ who: 'customer', method: 'POST', body: asked, statuses: both(201) },
    change: creation(persons.customer.email, asked.subject),
  },
  'a customer asks twice at once': {
    ...{ who: 'customer', method: 'POST', body: [asked, { subject: 'And my chair' }], statuses: both(201) },
    change: creation(persons.customer.email, asked.subject, 'And my chair'),
  },
  'an agent asks': {
    ...{ who: 'agent', method: 'POST', body: asked, statuses: both(201) },
    change: creation(persons.agent.email, asked.subject),
  },
  'nobody asks without credentials': { who: 'anyone', method: 'POST', body: asked, statuses: both(401) },
  'nobody asks in the name of others': {
    ...{ who: 'customer', method: 'POST', body: { ...asked, requester: theirEmail } },
    statuses: { theirs: 403, ours: 400 },
  },
  'no customer says how urgent a new ticket is': {
    ...{ who: 'customer', method: 'POST', body: { ...asked, priority: 'high' } },
    statuses: { theirs: 403, ours: 400 },
  },
  'a customer changes an own ticket': {
    ...{ who: 'customer', method: 'PATCH', at: own.id, body: { subject: 'Still', state: 'solved' } },
    statuses: both(200),
    change: change(own.id, { subject: 'Still', state: 'solved' }),
  },
  'no customer changes a ticket of others': {
    ...{ who: 'customer', method: 'PATCH', at: hidden.id, body: { state: 'solved' } },
    statuses: { theirs: 200, ours: 404 },
  },
  'no customer gives a ticket away': {
    ...{ who: 'customer', method: 'PATCH', at: own.id, body: { requester: theirEmail } },
    statuses: { theirs: 403, ours: 400 },
  },
  'an agent changes a ticket of the team': {
    ...{ who: 'agent', method: 'PATCH', at: ofTeam.id, body: { priority: 'high', labels: ['a', 'b'] } },
    statuses: both(200),
    change: change(ofTeam.id, { priority: 'high', labels: ['a', 'b'] }),
  },
  'no agent changes a ticket of another team': {
    ...{ who: 'agent', method: 'PATCH', at: hidden.id, body: { priority: 'high' } },
    statuses: { theirs: 200, ours: 404 },
  },
  'no agent moves a ticket to another team': {
    ...{ who: 'agent', method: 'PATCH', at: ofTeam.id, body: { team: 'shipping' } },
    statuses: { theirs: 403, ours: 400 },
  },
  'an agent changes all tickets of the team that a filter finds': {
    ...{ who: 'agent', method: 'PATCH', body: { state: 'waiting' }, statuses: both(200) },
    at: { theirs: '?state=eq.open', ours: '?filter={"state":"open"}' },
    change(all) {
      for (const ticket of all)
        if (ticket.team === 'billing' && ticket.state === 'open') ticket.state = 'waiting'
    },
  },
  'no value is written that the column does not take': {
    ...{ who: 'agent', method: 'PATCH', at: ofTeam.id, body: { priority: 'urgent' } },
    statuses: both(400),
  },
  'nobody deletes a ticket': {
    ...{ who: 'customer', method: 'DELETE', at: own.id },
    statuses: { theirs: 200, ours: 403 },
  },
}

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

describe('rules and policies let write the same', () => {
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

describe('what differs', () => {
  const list = async (who: Who, theirs: string, ours: string) => ({
    theirs: read(await desk.theirs(who, get(`/${theirs}`))),
    ours: read(await desk.ours(who, get(ourPath(ours)))),
  })

  it('a table of which nothing is allowed is an empty list there, and 401 here', async () => {
    expect(await list('anyone', 'tickets', 'tickets/data/')).toEqual({
      theirs: { status: 200, records: [] },
      ours: { status: 401, records: [] },
    })
  })

  it('all fields of an article are a refusal there, and those that the rule shows here', async () => {
    const answers = await list('anyone', 'articles?id=eq.1', 'articles/data/?id=1')
    expect(answers.theirs).toEqual({ status: 401, records: [] })
    expect(answers.ours).toEqual({ status: 200, records: [pick(of('articles')[0] as Row, articleFields)] })
  })

  it('a customer sees the fields of the team there, and none of them here', async () => {
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

  it('a customer finds tickets by a field of the team there, and none here', async () => {
    const [{ team }] = ticketsOf('customer') as [Ticket]
    const { theirs, ours } = await list(
      'customer',
      `tickets?select=id&team=eq.${team}`,
      `tickets/data/?fields=id&team=${team}`,
    )
    expect(theirs.records.length).toBeGreaterThan(0)
    expect(ours).toEqual({ status: 200, records: [] })
  })

  it('who is an agent and a customer sees them of the team alone here, record by record', async () => {
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
  ] as const)('$what; here it is 403', async ({ who, at, body }) => {
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
