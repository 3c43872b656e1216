/**
 * The requests to the ticket desk with rules and with policies, and the expected responses, computed from the
 * rows of the demo.
 */
import { expect } from 'vitest'
import { desk as demo } from '../../dev/demo/desk.ts'
import { persons, type Ticket, type Who } from './desk.ts'

export type Row = Record<string, unknown> & { id: number }
const rows = new Map(demo.rows())
export const of = (table: string) => rows.get(table) as Row[]
const tickets = of('tickets') as Ticket[]

/** Returns the tickets that a person can see by the rules: the person's own ones, and those of the teams. */
export const ticketsOf = (who: Who): Ticket[] => {
  if (who === 'anyone') return []
  const { email, teams } = persons[who]
  return tickets.filter(
    ({ requester, team }) => requester === email || (teams as readonly (string | null)[]).includes(team),
  )
}
export const everybody = ['anyone', 'customer', 'agent', 'both'] as const
export const pick = (row: Row, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, row[name]]))

interface Question {
  /** The request to the table: the path for PostgREST and for the service. */
  theirs: string
  ours: string
  /** Returns the records that both return. */
  records(who: Who): object[]
  /** The status of the service if the caller may see nothing at all. PostgREST returns 200. */
  unseen?: number
}

export const articleFields = ['id', 'title', 'body', 'labels']
export const ticketFields = ['id', 'subject', 'requester', 'state']
const commentFields = ['id', 'ticket_id', 'text']
const isRead = (who: Who, id: unknown) => ticketsOf(who).some((ticket) => ticket.id === id)
const hidden = tickets.find(({ id }) => everybody.every((who) => !isRead(who, id))) as Ticket
const draft = of('articles').find(({ published }) => published === false) as Row

export const readings: Record<string, Question> = {
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

/** A ticket of the customer, and a ticket of the agent's team. */
export const [own] = ticketsOf('customer') as [Ticket]
export const ofTeam = ticketsOf('agent').find(
  ({ requester }) => requester !== persons.customer.email,
) as Ticket
const asked = { subject: 'My lamp is dark' }
const theirEmail = 'customer.1@example.net'

export interface Write {
  who: Who
  method: string
  /** The path below `tickets`, for both. Without it, the request is to the table. */
  at?: number | { theirs: string; ours: string }
  body?: unknown
  statuses: { theirs: number; ours: number }
  /** Changes the tickets as the write should change them. Without it, the write changes nothing. */
  change?(before: Ticket[]): void
}

export const change =
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

export const writes: Record<string, Write> = {
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
