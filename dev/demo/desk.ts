/** The demo's ticket desk: tickets, comments, articles as documents, and functions that events run. */
import type { Client } from '../client.ts'
import { type DemoApp, field, reference } from './app.ts'
import { articleAccess, commentAccess, ticketAccess } from './desk-access.ts'
import { day, dayMs, randomness } from './random.ts'

const required = { required: true }

const resources = [
  {
    name: 'agents',
    schema: {
      fields: [
        field('id', 'integer'),
        field('name', 'string', { required: true, maxLength: 80 }),
        field('email', 'string', { required: true, unique: true }, { format: 'email' }),
      ],
      primaryKey: 'id',
    },
  },
  {
    name: 'tickets',
    schema: {
      description: 'What customers ask. A function rates each new ticket.',
      fields: [
        field('id', 'integer'),
        field('subject', 'string', { required: true, maxLength: 160 }),
        field('requester', 'string', required, { format: 'email' }),
        field('priority', 'string', { enum: ['low', 'normal', 'high'] }, { default: 'normal' }),
        field('state', 'string', { enum: ['open', 'waiting', 'solved'] }, { default: 'open' }),
        field('team', 'string', { enum: ['billing', 'shipping', 'accounts'] }),
        field('agent_id', 'integer'),
        field('opened_at', 'datetime', required),
        field('solved_at', 'datetime'),
        field('labels', 'array'),
      ],
      primaryKey: 'id',
      foreignKeys: [reference('agent_id', 'agents', 'SET NULL')],
      indexes: [
        { name: 'by_requester', fields: ['requester'] },
        { name: 'by_team', fields: ['team'] },
      ],
      search_fields: ['subject'],
      access: ticketAccess,
    },
  },
  {
    name: 'comments',
    schema: {
      fields: [
        field('id', 'integer'),
        field('ticket_id', 'integer', required),
        field('agent_id', 'integer'),
        field('text', 'string', required),
        field('written_at', 'datetime', required),
      ],
      primaryKey: 'id',
      foreignKeys: [
        reference('ticket_id', 'tickets', 'CASCADE'),
        reference('agent_id', 'agents', 'SET NULL'),
      ],
      access: commentAccess,
    },
  },
]

const documents = [
  {
    name: 'articles',
    schema: {
      description: 'Answers to frequent questions, each one JSON document.',
      fields: [
        field('id', 'integer'),
        field('title', 'string', { required: true, maxLength: 160 }),
        field('body', 'string', required),
        field('labels', 'array'),
        field('revised_on', 'date', required),
        field('published', 'boolean'),
      ],
      primaryKey: 'id',
      access: articleAccess,
    },
  },
]

const agents = [
  'Ayo Lind',
  'Berit Sousa',
  'Ciro Weiss',
  'Dalia Maas',
  'Elio Kranz',
  'Fee Aubert',
  'Gus Rahman',
  'Hedda Pohl',
]
const things = ['invoice', 'delivery', 'password', 'refund', 'lamp', 'chair', 'address', 'gift card']
const teams = new Map([
  ['invoice', 'billing'],
  ['refund', 'billing'],
  ['gift card', 'billing'],
  ['password', 'accounts'],
  ['address', 'accounts'],
])
const teamOf = (thing: string) => teams.get(thing) ?? 'shipping'
const problems = [
  'is missing',
  'arrived late',
  'does not work',
  'shows the wrong amount',
  'cannot be changed',
]
const priorities = ['low', 'normal', 'normal', 'high']
const states = ['open', 'waiting', 'solved', 'solved', 'solved']
const replies = [
  'Thank you. We look into it.',
  'Could you send a photo?',
  'This is solved with the next delivery.',
  'The amount was corrected.',
  'Is there anything else?',
]

const tickets = 120
const comments = 217
const articles = 20

function rows(): ReturnType<DemoApp['rows']> {
  const { pick, between } = randomness(3_141)
  const start = Date.UTC(2026, 0, 5)
  const asked = Array.from({ length: tickets }, (_, index) => {
    const opened = start + between(0, 250) * dayMs + between(0, dayMs - 1)
    const state = pick(states)
    const thing = pick(things)
    return {
      id: index + 1,
      subject: `My ${thing} ${pick(problems)}`,
      requester: `customer.${between(1, 90)}@example.net`,
      priority: pick(priorities),
      state,
      team: teamOf(thing),
      agent_id: state === 'open' ? null : between(1, agents.length),
      opened_at: new Date(opened).toISOString(),
      solved_at: state === 'solved' ? new Date(opened + between(1, 200) * 3_600_000).toISOString() : null,
      labels: [thing],
    }
  })
  return [
    [
      'agents',
      agents.map((name, index) => ({
        id: index + 1,
        name,
        email: `${name.toLowerCase().replace(' ', '.')}@example.com`,
      })),
    ],
    ['tickets', asked],
    [
      'comments',
      Array.from({ length: comments }, (_, index) => {
        const ticket = pick(asked)
        return {
          id: index + 1,
          ticket_id: ticket.id,
          agent_id: between(1, agents.length),
          text: pick(replies),
          written_at: new Date(Date.parse(ticket.opened_at) + between(1, 72) * 3_600_000).toISOString(),
        }
      }),
    ],
    [
      'articles',
      Array.from({ length: articles }, (_, index) => {
        const thing = things[index % things.length] as string
        const problem = problems[index % problems.length] as string
        return {
          id: index + 1,
          title: `What to do if ${/^[aeiou]/.test(thing) ? 'an' : 'a'} ${thing} ${problem}`,
          body: `Write to the desk with the number of your order. Somebody answers within ${between(1, 3)} days.`,
          labels: [thing],
          revised_on: day(start + between(0, 250) * dayMs),
          // Every fourth one is a draft.
          published: index % 4 !== 3,
        }
      }),
    ],
  ]
}

const functions = [
  {
    name: 'Rate ticket',
    description: 'Rates how urgent a new ticket is. Only tickets of high priority are rated.',
    execution_mode: 'app',
    code: `export default ({ data: { subject, priority } }) => {
  const words = ['does not work', 'missing', 'wrong amount']
  const score = (priority === 'high' ? 50 : 10) + words.filter((word) => subject.includes(word)).length * 20
  console.log(subject, score)
  return { score, isUrgent: score > 50 }
}
`,
    filter_conditions: 'event.data.priority == "high"',
  },
  {
    name: 'Note change',
    description: 'Writes changes of records into the log of the service.',
    execution_mode: 'system',
    system_function: 'log',
  },
]

const newest = [
  { subject: 'My lamp does not work', requester: 'customer.91@example.net', priority: 'high' },
  { subject: 'Thank you for the fast delivery', requester: 'customer.92@example.net', priority: 'low' },
].map((ticket, index) => ({
  id: tickets + 1 + index,
  team: 'shipping',
  opened_at: `2026-09-1${index}T09:00:00Z`,
  ...ticket,
}))

interface Subscribed {
  data: { subscribers: { function_slug: string }[] }
}

/** Creates the functions, subscribes them, and opens two tickets, so that there are runs to look at. */
async function finish(client: Client, path: string): Promise<void> {
  const site = path.replace(/\/apps\/.*/, '')
  for (const [index, event] of ['RECORD_CREATE', 'RECORD_UPDATE'].entries()) {
    const { name, ...rest } = functions[index] as (typeof functions)[number]
    const slug = name.toLowerCase().replace(' ', '-')
    const { id } =
      (await client.find<{ id: number }>(`${path}functions/${slug}/`)) ??
      (await client.request<{ id: number }>('POST', `${path}functions/`, { name, ...rest }))
    const { data } = await client.request<Subscribed>('GET', `${path}events/${event}/`)
    if (data.subscribers.some((subscriber) => subscriber.function_slug === slug)) continue
    await client.request('POST', `${site}/cloud/events/${event}/subscribe/`, { function_id: id })
  }
  await client.request('POST', `${path}functions/rate-ticket/execute/`, { params: { data: newest[0] } })
  await client.request('POST', `${path}datatables/tickets/data/upsert/?unique_fields=id`, newest)
  await runsOfEvents(client, site)
}

/** How long to wait for the runs. Without them, the demo only lacks parts that appear later. */
const patienceMs = 5_000

/** Waits until the events of the two tickets have made their runs. */
async function runsOfEvents(client: Client, site: string): Promise<void> {
  for (const until = Date.now() + patienceMs; Date.now() < until; ) {
    const path = `${site}/invocations/?trigger_type=event`
    const { count } = await client.request<{ count: number }>('GET', path)
    if (count >= newest.length) return
    await new Promise((again) => setTimeout(again, 50))
  }
}

export const desk: DemoApp = {
  slug: 'desk',
  name: 'Desk',
  description: 'A ticket desk: events run functions when tickets are opened and changed.',
  resources,
  documents,
  rows,
  finish,
}
