/** What guests write by access rules: creations, changes and deletions, with both providers. */
import { beforeAll, describe, expect, it } from 'vitest'
import { requests } from '../../../src/data/write/requests.ts'
import { runWrite } from '../../../src/data/write/run.ts'
import type { RequestContext } from '../../../src/kernel/context.ts'
import { startApp, type TestApp, type User } from '../../support/app.ts'
import { noop } from '../../support/events.ts'
import { addDocuments, addTables, createShop, ownerOf, type Shop } from '../../support/fixtures.ts'
import { guestContext } from '../../support/guests.ts'
import { commitWhenAwaited } from '../../support/locks.ts'
import { heldQueue } from '../../support/queue.ts'

let app: TestApp
let shop: Shop
let ada: User
let bob: User
let papers: (table: string) => string

const mine = { owner_id: { $: 'user.id' } }

const tickets = {
  name: 'tickets',
  schema: {
    fields: [
      { name: 'id', type: 'integer' },
      { name: 'title', type: 'string', constraints: { required: true, maxLength: 40 } },
      { name: 'notes', type: 'string' },
      { name: 'owner_id', type: 'integer', constraints: { required: true } },
      { name: 'code', type: 'string', constraints: { unique: true } },
      { name: 'serial', type: 'string', constraints: { unique: true, minLength: 2 } },
      { name: 'votes', type: 'integer', default: 1 },
      { name: 'state', type: 'string', default: 'open' },
      { name: 'is_deleted', type: 'boolean' },
    ],
    primaryKey: 'id',
    history: true,
  },
}
const replies = {
  name: 'replies',
  schema: {
    fields: [
      { name: 'id', type: 'integer' },
      { name: 'text', type: 'string' },
      { name: 'ticket_id', type: 'integer' },
    ],
    primaryKey: 'id',
    foreignKeys: [{ fields: 'ticket_id', reference: { resource: 'tickets', fields: 'id' } }],
  },
}
const letters = {
  name: 'letters',
  schema: {
    fields: [
      { name: 'id', type: 'integer' },
      { name: 'text', type: 'string' },
    ],
    primaryKey: 'id',
  },
}

const rulesOf = {
  tickets: [
    { name: 'open', who: 'anyone', can: ['read'], where: { state: 'public' }, fields: ['id', 'title'] },
    {
      name: 'own',
      who: 'signed-in',
      can: ['read', 'create', 'update', 'delete'],
      where: mine,
      set: mine,
      fields: {
        read: ['id', 'title', 'state', 'owner_id', 'votes', 'code'],
        write: ['title', 'notes', 'state', 'votes', 'code'],
      },
    },
    {
      name: 'close',
      who: 'anyone',
      can: ['update'],
      where: { state: 'public' },
      check: { state: 'closed' },
      fields: { write: ['state'] },
    },
    {
      name: 'vote',
      who: 'signed-in',
      can: ['update'],
      where: { state: 'public' },
      fields: { write: ['votes'] },
    },
  ],
  replies: [
    {
      name: 'to own',
      who: 'signed-in',
      can: ['read', 'create', 'delete'],
      where: { 'ticket.owner_id': mine.owner_id },
    },
    { name: 'edit', who: 'signed-in', can: ['update'] },
  ],
  letters: [
    { name: 'send', who: 'anyone', can: ['create'], check: { text__null: false }, fields: ['id', 'text'] },
  ],
}

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'desk')
  ada = await app.user('ada')
  bob = await app.user('bob')
  await addTables(app, shop, [tickets, replies, letters])
  papers = await addDocuments(app, shop, [tickets, replies, letters])
  for (const place of ['shop', 'papers'])
    for (const [table, rules] of Object.entries(rulesOf)) {
      const path = `${shop.api}/apps/${place}/datatables/${table}/access/`
      const { status, body } = await app.request('PUT', path, { token: shop.owner.token, body: { rules } })
      if (status !== 200) throw new Error(JSON.stringify(body))
    }
})

type Options = { by?: User | undefined; body?: unknown; headers?: Record<string, string> }

const ask = async (method: string, path: string, { by, body, headers }: Options = {}) => {
  const answer = await app.request(method, path, {
    ...(by ? { token: by.token } : {}),
    ...(headers ? { headers } : {}),
    ...(body === undefined ? {} : { body }),
  })
  return { status: answer.status, body: answer.body, headers: answer.headers }
}

const invalid = (details: object) => ({
  status: 400,
  body: { error: 'Validation failed', details, code: 'validation_failed' },
})
const refused = (where = '') => ({
  status: 403,
  body: { error: 'Not allowed', detail: `${where}No access rule allows this.`, code: 'no_access_rule' },
})
const missing = (table: string, id: unknown, where = '') => ({
  status: 404,
  body: {
    error: 'Record not found',
    detail: `${where}"${table}" has no record with the id "${id}".`,
    code: 'record_not_found',
  },
})
const noRecord = {
  status: 400,
  body: {
    error: 'Foreign key violation',
    detail: 'This ticket_id references no record that you may read.',
    field: 'ticket_id',
    code: 'reference_missing',
  },
}
const plain = ({ status, body }: { status: number; body: unknown }) => ({ status, body })

describe('a write of a guest', () => {
  it.each(['shop', 'papers'])(
    'takes one round trip in the app %s when the tables are cached',
    async (place) => {
      const path = { app: place, table: 'tickets' }
      const spend = async (write: (ctx: RequestContext) => Promise<unknown>) => {
        const ctx = guestContext(app, shop, ada)
        ctx.permission = 'change_site'
        await write(ctx)
        return ctx.database.spent.roundTrips
      }
      const none = new URLSearchParams()
      const body = { text: '{"title": "near"}', format: 'json' } as const
      const create = (ctx: RequestContext) => runWrite(ctx, path, requests.create, { body, parameters: none })
      await spend(create)
      const all = new URLSearchParams({ filter: '{"title": "near"}' })
      const byCode = {
        body: { text: `[{"title": "near", "code": "1${place}"}]`, format: 'json' },
        parameters: new URLSearchParams({ unique_fields: 'code' }),
      } as const
      expect([
        await spend(create),
        await spend((ctx) => runWrite(ctx, path, requests.updateMatching, { body, parameters: all })),
        await spend((ctx) => runWrite(ctx, path, requests.upsert, byCode)),
        await spend((ctx) => runWrite(ctx, path, requests.upsert, byCode)),
        await spend((ctx) => runWrite(ctx, path, requests.deleteMany, { parameters: all })),
      ]).toEqual([1, 1, 1, 1, 1])
    },
  )
})

describe.each(['tables', 'documents'])('with records in %s, a guest', (kind) => {
  const at = (table: string, key?: unknown) =>
    `${kind === 'tables' ? shop.data(table) : papers(table)}${key === undefined ? '' : `${key}/`}`
  const make = async (record: object, by: User = ada): Promise<number> =>
    (await ask('POST', at('tickets'), { by, body: { title: 'mine', ...record } })).body.data.id
  const stored = async (id: number) =>
    (await ask('GET', `${at('tickets', id)}`, { by: shop.owner })).body.data

  describe('who creates records', () => {
    it.each<[string, object, object]>([
      [
        'a field that no rule allows to write',
        { title: 'x', serial: 'ab', is_deleted: true, id: 7 },
        Object.fromEntries(
          ['serial', 'is_deleted', 'id'].map((name) => [
            name,
            ['Unknown field. Fields: title, notes, owner_id, code, votes, state.'],
          ]),
        ),
      ],
      [
        'a value other than the one that a rule sets',
        { title: 'x', owner_id: 0 },
        { owner_id: ['An access rule sets this field. Omit it.'] },
      ],
      ['a missing field', {}, { title: ['This field is required.'] }],
      ['a wrong value', { title: 'x', votes: 'many' }, { votes: ['A whole number is required.'] }],
    ])('gets 400 for %s', async (_what, body, details) =>
      expect(plain(await ask('POST', at('tickets'), { by: ada, body }))).toEqual(invalid(details)),
    )

    it('gets 401 without credentials and 403 with them if no rule allows the creation', async () => {
      const body = { title: 'x' }
      expect(plain(await ask('POST', at('tickets'), { body }))).toEqual({
        status: 401,
        body: { detail: 'Authentication credentials were not provided.', code: 'not_authenticated' },
      })
      expect(plain(await ask('POST', at('letters'), { body: [{ text: 'a' }, { text: null }] }))).toEqual(
        refused('rows[1]: '),
      )
      expect((await ask('GET', at('letters'), { by: shop.owner })).body.total).toBe(0)
    })

    it('gets 400 for on_conflict=ignore', async () => {
      const body = { title: 'x' }
      expect(plain(await ask('POST', `${at('tickets')}?on_conflict=ignore`, { by: ada, body }))).toEqual(
        invalid({ on_conflict: ['Not possible by access rules.'] }),
      )
    })

    it('gets the new record with the fields that the rules show, and with the values that they set', async () => {
      const { status, body, headers } = await ask('POST', at('tickets'), {
        by: ada,
        body: { title: 'lamp', notes: 'secret', owner_id: ada.id },
      })
      const { id } = body.data
      expect({ status, body }).toEqual({
        status: 201,
        body: { data: { id, title: 'lamp', owner_id: ada.id, code: null, votes: 1, state: 'open' } },
      })
      const read = await ask('GET', at('tickets', id), { by: ada })
      expect([headers.get('etag') !== null, read.body]).toEqual([true, body])
      expect(await stored(id)).toMatchObject({ notes: 'secret', owner_id: ada.id, is_deleted: false })
      const history = await ask('GET', `${at('tickets', id)}history/`, { by: shop.owner })
      expect(history.body.data).toMatchObject([{ operation: 'create', changed_by: { id: ada.id } }])
    })

    it('gets only the key and the values it sent if it may not read the record', async () => {
      const { status, body, headers } = await ask('POST', at('letters'), {
        body: [{ text: 'a' }, { text: 'b' }],
      })
      const ids = (await ask('GET', at('letters'), { by: shop.owner })).body.data.map(
        ({ id }: { id: number }) => id,
      )
      expect({ status, body }).toEqual({
        status: 201,
        body: {
          data: [
            { id: ids[0], text: 'a' },
            { id: ids[1], text: 'b' },
          ],
        },
      })
      const one = await ask('POST', at('letters'), { body: { text: 'c' } })
      expect([one.status, one.body.data.text, one.headers.get('etag'), headers.get('etag')]).toEqual([
        201,
        'c',
        null,
        null,
      ])
      expect((await ask('GET', at('letters'))).status).toBe(401)
      const minimal = await ask('POST', `${at('letters')}?return=minimal`, { body: { text: 'd' } })
      expect(plain(minimal)).toEqual({ status: 201, body: { created_count: 1 } })
    })

    it('creates the good records of an array with atomic=false, and gets the errors of the others', async () => {
      const body = [{ text: 'a' }, { text: null }, { text: 5 }, { text: 'd' }]
      const answer = await ask('POST', `${at('letters')}?atomic=false&return=minimal`, { body })
      expect(plain(answer)).toEqual({
        status: 207,
        body: {
          created_count: 2,
          failed_count: 2,
          failed: [
            { index: 1, ...refused().body, status: 403 },
            {
              index: 2,
              status: 400,
              error: 'Validation failed',
              details: { text: [expect.any(String)] },
              code: 'validation_failed',
            },
          ],
        },
      })
    })

    it('can send and read CSV and JSON lines by the same rules', async () => {
      const state = `lines-${kind}`
      const send = (type: string, body: string) =>
        ask('POST', at('tickets'), { by: ada, body, headers: { 'content-type': type } })
      const [csv, lines] = ['text/csv', 'application/x-ndjson']
      // A field that no rule allows, and an owner other than the one that the rule sets.
      expect((await send(csv, `title,serial\na,s1`)).status).toBe(400)
      expect((await send(lines, `{"title": "a", "serial": "s1"}\n`)).status).toBe(400)
      for (const [type, body] of [
        [csv, `title,owner_id\na,${bob.id}`],
        [lines, `{"title": "a", "owner_id": ${bob.id}}\n`],
      ] as const)
        expect((await send(type, body)).status).toBe(400)
      expect((await send(csv, `title,state,notes\na,${state},hidden`)).status).toBe(201)
      expect((await send(lines, `{"title": "b", "state": "${state}", "notes": "hidden"}\n`)).status).toBe(201)
      await make({ state }, bob)
      const list = (accept: string, more: string) =>
        app.open('GET', `${at('tickets')}?state=${state}&ordering=title&${more}`, {
          token: ada.token,
          headers: { accept },
        })
      expect(await (await list(csv, 'fields=title,votes')).text()).toBe('title,votes\r\n"a",1\r\n"b",1\r\n')
      const names = await new Response((await list(lines, '')).body).text()
      expect(
        names
          .trim()
          .split('\n')
          .map((line) => Object.keys(JSON.parse(line))),
      ).toEqual(Array.from({ length: 2 }, () => ['id', 'title', 'owner_id', 'code', 'votes', 'state']))
      for (const accept of [csv, lines]) expect((await list(accept, 'fields=title,notes')).status).toBe(400)
    })

    it('creates a record once with an Idempotency-Key', async () => {
      const headers = { 'Idempotency-Key': `once-${kind}` }
      const send = (by: User | undefined, body: object) => ask('POST', at('letters'), { by, body, headers })
      for (const by of [undefined, ada]) {
        const [first, second, other] = [
          await send(by, { text: 'k' }),
          await send(by, { text: 'k' }),
          await send(by, { text: 'l' }),
        ]
        expect([first.status, plain(second)]).toEqual([201, plain(first)])
        expect([second.headers.get('idempotency-replayed'), other.status]).toEqual(['true', 409])
      }
      const wrong = { by: ada, body: {}, headers: { 'Idempotency-Key': `wrong-${kind}` } }
      const answers = [await ask('POST', at('tickets'), wrong), await ask('POST', at('tickets'), wrong)]
      expect(answers.map(({ status, headers: h }) => [status, h.get('idempotency-replayed')])).toEqual([
        [400, null],
        [400, 'true'],
      ])
    })

    it('shares no Idempotency-Key with visitors from other addresses', async () => {
      const send = (address: string) =>
        ask('POST', at('letters'), {
          body: { text: 'hello' },
          headers: { 'Idempotency-Key': `visit-${kind}`, 'CF-Connecting-IP': address },
        })
      const visits = [await send('203.0.113.1'), await send('198.51.100.7'), await send('203.0.113.1')]
      expect(visits.map(({ status, headers: h }) => [status, h.get('idempotency-replayed')])).toEqual([
        [201, null],
        [201, null],
        [201, 'true'],
      ])
      const [first, second, third] = visits.map(({ body }) => body.data.id)
      expect([second === first, third]).toEqual([false, first])
    })

    it('gets 409 for a value that another record has, and the error names only fields that it may write', async () => {
      await make({ code: `c-${kind}` }, bob)
      expect(
        plain(await ask('POST', at('tickets'), { by: ada, body: { title: 'x', code: `c-${kind}` } })),
      ).toEqual({
        status: 409,
        body: {
          error: 'Duplicate value',
          detail: 'A record with this code already exists.',
          field: 'code',
          code: 'duplicate_value',
        },
      })
    })
  })

  describe('who changes records', () => {
    it('gets 404 for a record that it may not read, as for a missing one', async () => {
      const id = await make({}, bob)
      for (const key of [id, 999_999]) {
        const body = { title: 'x' }
        expect(plain(await ask('PATCH', at('tickets', key), { by: ada, body }))).toEqual(
          missing('tickets', key),
        )
        expect(plain(await ask('PUT', at('tickets', key), { by: ada, body }))).toEqual(
          missing('tickets', key),
        )
        const all = [
          { id: await make({}), title: 'y' },
          { id: key, title: 'x' },
        ]
        expect(plain(await ask('PATCH', at('tickets'), { by: ada, body: all }))).toEqual(
          missing('tickets', key, 'rows[1]: '),
        )
      }
      expect(await stored(id)).toMatchObject({ title: 'mine' })
    })

    it('gets 403 if the rule of the record does not allow the change', async () => {
      const id = await make({ state: 'public' }, bob)
      const path = at('tickets', id)
      const change = (body: object, by?: User) => ask('PATCH', path, { by, body })
      expect(plain(await change({ state: 'open' }))).toEqual(refused())
      // Another rule allows changes of this field, but not of this record.
      expect(plain(await change({ title: 'x', state: 'closed' }, ada))).toEqual(refused())
      expect(plain(await change({ title: 'x' }))).toEqual(
        invalid({ title: ['Unknown field. Fields: id, state.'] }),
      )
      expect(plain(await change({ state: 'closed' }))).toEqual({
        status: 200,
        body: { data: { id, state: 'closed' } },
      })
      expect(await stored(id)).toMatchObject({ title: 'mine', state: 'closed' })
    })

    it('gets 400 for a change of the owner, which a rule sets, and of the primary key', async () => {
      const id = await make({})
      const given = await ask('PATCH', at('tickets', id), { by: ada, body: { owner_id: bob.id } })
      expect(plain(given)).toEqual(invalid({ owner_id: ['An access rule sets this field. Omit it.'] }))
      const moved = await ask('PATCH', at('tickets', id), { by: ada, body: { id: 5 } })
      expect(plain(moved)).toEqual(invalid({ id: ['The primary key of a record cannot be changed.'] }))
    })

    it('can send a part of its record, the whole record, or an operation', async () => {
      const id = await make({ votes: 4, state: 'late', notes: 'n' })
      const shown = { id, title: 'mine', owner_id: ada.id, code: null, votes: 4, state: 'late' }
      const change = (method: string, body: object) => ask(method, at('tickets', id), { by: ada, body })
      expect(plain(await change('PATCH', { votes: { $add: 2 } }))).toEqual({
        status: 200,
        body: { data: { ...shown, votes: 6 } },
      })
      expect(plain(await change('PATCH', { title: 'new' }))).toEqual({
        status: 200,
        body: { data: { ...shown, title: 'new', votes: 6 } },
      })
      expect(plain(await change('PUT', { title: 'whole' }))).toEqual({
        status: 200,
        body: { data: { ...shown, title: 'whole', votes: 1, state: 'open' } },
      })
      expect(await stored(id)).toMatchObject({ notes: null, owner_id: ada.id, is_deleted: false })
      const history = await ask('GET', `${at('tickets', id)}history/`, { by: shop.owner })
      expect(history.body.data.map(({ changed_by }: { changed_by: object }) => changed_by)).toEqual(
        Array(4).fill(expect.objectContaining({ id: ada.id })),
      )
    })

    it('gets 403 for an operation on a value that it may not read', async () => {
      const theirs = await make({ state: 'public', votes: 5 }, bob)
      const own = await make({ state: 'public', votes: 5 })
      const vote = (id: number, votes: unknown) =>
        ask('PATCH', at('tickets', id), { by: ada, body: { votes } })
      // Otherwise, the constraints of the result would tell how many votes there are.
      for (const votes of [{ $add: 1 }, { $multiply: 2 }])
        expect(plain(await vote(theirs, votes))).toEqual(refused())
      expect(await stored(theirs)).toMatchObject({ votes: 5 })
      expect((await vote(theirs, 7)).status).toBe(200)
      expect((await vote(own, { $add: 1 })).body.data.votes).toBe(6)
    })

    it('gets 412 if the record has changed since the ETag in If-Match', async () => {
      const id = await make({})
      const { headers } = await ask('GET', at('tickets', id), { by: ada })
      const change = (etag: string, title: string) =>
        ask('PATCH', at('tickets', id), { by: ada, body: { title }, headers: { 'If-Match': etag } })
      const etag = headers.get('etag') as string
      const first = await change(etag, 'a')
      const second = await change(etag, 'b')
      const third = await change(first.headers.get('etag') as string, 'c')
      expect([first.status, second.status, third.status]).toEqual([200, 412, 200])
      expect(second.body.error).toBe('Precondition failed')
    })

    it('changes nothing with dry_run=true, and gets the answer of the change', async () => {
      const id = await make({})
      const { status, body } = await ask('PATCH', `${at('tickets', id)}?dry_run=true`, {
        by: ada,
        body: { title: 'dry' },
      })
      expect([status, body.dry_run, body.data.title]).toEqual([200, true, 'dry'])
      expect(await stored(id)).toMatchObject({ title: 'mine' })
    })

    it('changes the first records of an order, as members do', async () => {
      const state = `o-${kind}`
      const made = [await make({ state, votes: 1 }), await make({ state, votes: 5 })]
      await make({ state, votes: 9 }, bob)
      const path = (table: string, order: string, state: object) =>
        `${at(table)}?filter=${JSON.stringify(state)}&limit=1&ordering=${order}`
      const [one, five] = made as [number, number]
      for (const [order, id] of [
        ['-votes', five],
        ['votes', one],
      ] as const) {
        const changed = await ask('PATCH', path('tickets', order, { state }), {
          by: ada,
          body: { title: order },
        })
        expect([changed.status, changed.body.data]).toEqual([
          200,
          [expect.objectContaining({ id, title: order })],
        ])
      }
      const hidden = await ask('PATCH', path('tickets', '-notes', { state }), {
        by: ada,
        body: { title: 'x' },
      })
      expect([hidden.status, Object.keys(hidden.body.details)]).toEqual([400, ['ordering']])
      // The order can use a field of a related record.
      const texts = []
      for (const ticket_id of made)
        texts.push(
          (await ask('POST', at('replies'), { by: ada, body: { text: state, ticket_id } })).body.data.id,
        )
      const first = path('replies', '-ticket.votes', { text: state })
      expect((await ask('DELETE', `${first}&return=records`, { by: ada })).body.data).toEqual([
        expect.objectContaining({ id: texts[1], ticket_id: five }),
      ])
    })

    it('changes the records that match a filter and that it may read', async () => {
      const state = `f-${kind}`
      const [one, two] = [await make({ state }), await make({ state })]
      const theirs = await make({ state }, bob)
      const path = (more = '') => `${at('tickets')}?filter=${JSON.stringify({ state })}${more}`
      const body = { title: 'found' }
      expect(plain(await ask('PATCH', path('&expect=3'), { by: ada, body }))).toEqual({
        status: 412,
        body: {
          error: 'Precondition failed',
          detail: 'The filter matches 2 records, but expect is 3. Nothing was changed.',
          code: 'unexpected_count',
        },
      })
      const changed = await ask('PATCH', path('&expect=2'), { by: ada, body })
      expect([
        changed.status,
        changed.body.data.map(({ id, title }: { id: number; title: string }) => [id, title]),
      ]).toEqual([
        200,
        [
          [one, 'found'],
          [two, 'found'],
        ],
      ])
      expect(await stored(theirs)).toMatchObject({ title: 'mine' })
      const hidden = `${at('tickets')}?filter=${JSON.stringify({ notes: 'x' })}`
      expect((await ask('PATCH', hidden, { by: ada, body })).status).toBe(400)
    })
  })

  describe('who upserts records', () => {
    const upsert = (body: unknown, more = '') =>
      ask('POST', `${at('tickets')}upsert/?unique_fields=code${more}`, { by: ada, body })
    const taken = (where = '') => ({
      status: 409,
      body: {
        error: 'Duplicate value',
        detail: `${where}A record with this code already exists.`,
        field: 'code',
        code: 'duplicate_value',
      },
    })

    it('gets 401 without credentials and 403 with them unless rules allow creations and changes', async () => {
      const nobody = `${at('tickets')}upsert/?unique_fields=code`
      expect((await ask('POST', nobody, { body: { title: 'x', code: 'u' } })).status).toBe(401)
      const path = `${at('letters')}upsert/?unique_fields=id`
      expect((await ask('POST', path, { by: ada, body: { id: 1, text: 'x' } })).status).toBe(403)
    })

    it('gets 403 for a new record with a generated key that it chooses', async () => {
      const path = `${at('replies')}upsert/?unique_fields=id`
      const body = [{ id: 999_999, text: 'x' }]
      expect(plain(await ask('POST', path, { by: ada, body }))).toEqual(refused('rows[0]: '))
    })

    it('gets 400 for unique_fields that it may not read or does not send', async () => {
      const by = (name: string) =>
        ask('POST', `${at('tickets')}upsert/?unique_fields=${name}`, { by: ada, body: { title: 'x' } })
      const fields = 'Fields: id, title, owner_id, code, votes, state.'
      expect(plain(await by('serial'))).toEqual(
        invalid({ unique_fields: [`Unknown field "serial". ${fields}`] }),
      )
      expect(plain(await by('code'))).toEqual(invalid({ code: ['This field is required.'] }))
      expect((await by('title')).status).toBe(400)
      const repeated = [
        { title: 'x', code: 'r' },
        { title: 'y', code: 'r' },
      ]
      expect((await upsert(repeated)).status).toBe(400)
      expect(plain(await upsert([{ code: `n-${kind}` }]))).toEqual(
        invalid({ title: ['rows[0]: This field is required.'] }),
      )
    })

    it('gets 403 for a value that only a rule for others allows', async () => {
      const { token } = shop.owner
      const path = at('tickets').replace('/data/', '/access/')
      const rule = { who: 'signed-in', set: mine, fields: { write: ['code', 'title'] } }
      const rules = [
        { name: 'all', who: 'signed-in', can: ['read', 'update'], fields: { write: ['code', 'votes'] } },
        { ...rule, name: 'make', can: ['create'] },
        { ...rule, name: 'greet', can: ['create'], who: 'group:hosts', set: { ...mine, votes: 5 } },
      ]
      expect((await app.request('PUT', path, { token, body: { rules } })).status).toBe(200)
      const upsert = (data: object) =>
        ask('POST', at('tickets', 'upsert').replace(/\/$/, '/?unique_fields=code&dry_run=true'), {
          by: ada,
          body: { code: `others-${kind}`, title: 't', ...data },
        })
      expect(plain(await upsert({ votes: 3 }))).toEqual(refused())
      expect((await upsert({})).status).toBe(200)
      await app.request('PUT', path, { token, body: { rules: rulesOf.tickets } })
    })

    it('gets 409 for the key of a record that it may not read, as for a creation', async () => {
      const code = `h-${kind}`
      const id = await make({ code }, bob)
      const body = [
        { title: 'own', code: `h0-${kind}` },
        { title: 'x', code },
      ]
      expect(plain(await upsert(body))).toEqual(taken('rows[1]: '))
      expect(plain(await ask('POST', at('tickets'), { by: ada, body }))).toEqual(taken('rows[1]: '))
      expect(plain(await upsert({ title: 'x', code, owner_id: bob.id }))).toEqual(
        invalid({ owner_id: ['An access rule sets this field. Omit it.'] }),
      )
      expect(await stored(id)).toMatchObject({ title: 'mine', owner_id: bob.id })
    })

    it('creates or changes each record by the rules of this action, in the order of the body', async () => {
      const code = (n: number) => `u${n}-${kind}`
      const id = await make({ code: code(1), votes: 4 })
      const body = [
        { code: code(2), title: 'new' },
        { code: code(1), title: 'changed' },
        { code: code(3), title: 'newer', votes: 7 },
      ]
      const { status, body: answer } = await upsert(body)
      const shown = { owner_id: ada.id, state: 'open' }
      const [first, , third] = answer.data
      expect({ status, body: answer }).toEqual({
        status: 201,
        body: {
          data: [
            { id: first.id, title: 'new', code: code(2), votes: 1, ...shown },
            { id, title: 'changed', code: code(1), votes: 4, ...shown },
            { id: third.id, title: 'newer', code: code(3), votes: 7, ...shown },
          ],
          created: true,
          created_count: 2,
          updated_count: 1,
        },
      })
      const again = await upsert({ code: code(1), notes: 'n' }, '&return=minimal')
      expect(plain(again)).toEqual({
        status: 200,
        body: { created: false, created_count: 0, updated_count: 1 },
      })
      const dry = await upsert({ code: code(1), title: 'dry' }, '&dry_run=true')
      expect([dry.status, dry.body.data.title]).toEqual([200, 'dry'])
      expect(await stored(id)).toMatchObject({ title: 'changed', notes: 'n' })
      const history = await ask('GET', `${at('tickets', id)}history/`, { by: shop.owner })
      expect(history.body.data.map((one: { operation: string }) => one.operation)).toEqual([
        'update',
        'update',
        'create',
      ])
    })

    it('changes nothing if the rules refuse one record, unless atomic=false', async () => {
      const code = (n: number) => `a${n}-${kind}`
      const id = await make({ code: code(1) })
      const theirs = await make({ code: code(2), state: 'public' }, bob)
      const own = { code: code(1), title: 'changed' }
      const body = [own, { code: code(3), title: 'x', owner_id: 0 }]
      expect(plain(await upsert(body))).toEqual(
        invalid({ owner_id: ['rows[1]: An access rule sets this field. Omit it.'] }),
      )
      // The guest may read the record by the rule "open", which hides its code: the code is taken.
      expect((await upsert([own, { code: code(2), title: 'x' }])).status).toBe(409)
      expect(await stored(id)).toMatchObject({ title: 'mine' })
      expect(await stored(theirs)).toMatchObject({ title: 'mine' })
      const parts = await upsert([{ code: code(4), title: 'new' }, ...body], '&atomic=false')
      expect([parts.status, parts.body.created_count, parts.body.updated_count]).toEqual([207, 1, 1])
      expect(parts.body.failed).toEqual([
        {
          index: 2,
          status: 400,
          error: 'Validation failed',
          details: { owner_id: ['An access rule sets this field. Omit it.'] },
          code: 'validation_failed',
        },
      ])
      expect(await stored(id)).toMatchObject({ title: 'changed' })
    })
  })

  describe('who sends references', () => {
    it('gets 400 for a reference to a record that it may not read, as for a missing one', async () => {
      const [own, theirs] = [await make({}), await make({}, bob)]
      const reply = (ticket_id: number | null) => ({ by: ada, body: { text: 'r', ticket_id } })
      for (const key of [theirs, 999_999])
        expect(plain(await ask('POST', at('replies'), reply(key)))).toEqual(noRecord)
      const made = await ask('POST', at('replies'), reply(own))
      const { id } = made.body.data
      expect(plain(made)).toEqual({ status: 201, body: { data: { id, text: 'r', ticket_id: own } } })
      for (const key of [theirs, 999_999])
        expect(plain(await ask('PATCH', at('replies', id), { by: ada, body: { ticket_id: key } }))).toEqual(
          noRecord,
        )
      // A reference that does not change is not checked again.
      const kept = await ask('PATCH', at('replies', id), { by: ada, body: { ticket_id: own, text: 's' } })
      expect(kept.status).toBe(200)
    })

    it('gets 400 for the current value of a hidden reference, because another answer would disclose it', async () => {
      const theirs = await make({}, bob)
      const { token } = shop.owner
      const made = await ask('POST', at('replies'), { by: bob, body: { text: 'r', ticket_id: theirs } })
      const path = at('replies').replace('/data/', '/access/')
      const blind = {
        name: 'blind',
        who: 'signed-in',
        can: ['read', 'update'],
        fields: { read: ['id', 'text'], write: ['text', 'ticket_id'] },
      }
      expect((await app.request('PUT', path, { token, body: { rules: [blind] } })).status).toBe(200)
      const change = (ticket_id: number) =>
        ask('PATCH', `${at('replies', made.body.data.id)}?dry_run=true`, { by: ada, body: { ticket_id } })
      for (const key of [theirs, 999_999]) expect(plain(await change(key))).toEqual(noRecord)
      expect((await change(await make({}))).status).toBe(200)
      await app.request('PUT', path, { token, body: { rules: rulesOf.replies } })
    })
  })

  describe('who deletes records', () => {
    it('gets 404 for a record that it may not read, and 403 or 401 if no rule allows the deletion', async () => {
      const [theirs, open] = [await make({}, bob), await make({ state: 'public' }, bob)]
      expect(plain(await ask('DELETE', at('tickets', theirs), { by: ada }))).toEqual(
        missing('tickets', theirs),
      )
      expect(plain(await ask('DELETE', at('tickets', open), { by: ada }))).toEqual(refused())
      expect((await ask('DELETE', at('tickets', open))).status).toBe(401)
      expect(plain(await ask('DELETE', `${at('tickets')}?ids=${open},${theirs}`, { by: ada }))).toEqual(
        refused(),
      )
      expect(await stored(open)).toMatchObject({ is_deleted: false })
    })

    it('deletes its records: softly, or for good with hard_delete=true', async () => {
      const state = `d-${kind}`
      const ids = [await make({ state }), await make({ state }), await make({ state }), await make({ state })]
      const theirs = await make({ state }, bob)
      const [one, two, three, four] = ids
      const shown = (id: unknown) => ({ id, title: 'mine', owner_id: ada.id, code: null, votes: 1, state })
      expect((await ask('DELETE', at('tickets', one), { by: ada })).status).toBe(204)
      expect((await ask('DELETE', at('tickets', one), { by: ada })).status).toBe(404)
      const returned = await ask('DELETE', `${at('tickets', two)}?return=records&hard_delete=true`, {
        by: ada,
      })
      expect(plain(returned)).toEqual({ status: 200, body: { data: shown(two) } })
      const some = await ask('DELETE', `${at('tickets')}?ids=${three},${theirs},${one}`, { by: ada })
      expect(plain(some)).toEqual({ status: 200, body: { deleted: 1, ids: [three] } })
      const filter = JSON.stringify({ state })
      const rest = await ask('DELETE', `${at('tickets')}?filter=${filter}&return=records`, { by: ada })
      expect(plain(rest)).toEqual({ status: 200, body: { deleted: 1, data: [shown(four)] } })
      const left = await ask('GET', `${at('tickets')}?state=${state}&include_deleted=true&ordering=id`, {
        by: shop.owner,
      })
      expect(
        left.body.data.map((row: { id: number; is_deleted: boolean }) => [row.id, row.is_deleted]),
      ).toEqual([
        [one, true],
        [three, true],
        [four, true],
        [theirs, false],
      ])
    })

    it('gets 403 for a record that others reference, and the error does not name them', async () => {
      const id = await make({})
      await ask('POST', at('replies'), { by: ada, body: { text: 'r', ticket_id: id } })
      expect(plain(await ask('DELETE', `${at('tickets', id)}?hard_delete=true`, { by: ada }))).toEqual({
        status: 403,
        body: {
          error: 'Cannot delete record',
          detail: 'Other records reference the record.',
          code: 'still_referenced',
        },
      })
    })
  })
})

describe('an upsert of a guest', () => {
  const upsert = (body: unknown, headers = {}) =>
    ask('POST', `${shop.data('tickets')}upsert/?unique_fields=code`, { by: ada, body, headers })
  const shown = { votes: 1, state: 'open' }
  const records = () => `${shop.schema}.shop_tickets`

  it('is executed once with an Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'upsert' }
    const body = { code: 'once', title: 'a', votes: 3 }
    const [first, second] = [await upsert(body, headers), await upsert(body, headers)]
    expect([first.status, first.body.created, plain(second)]).toEqual([201, true, plain(first)])
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect((await upsert({ ...body, title: 'b' }, headers)).status).toBe(409)
    const now = await ask('GET', `${shop.data('tickets')}?code=once`, { by: ada })
    expect(now.body.data).toEqual([first.body.data])
  })

  it('changes a record that another request creates at the same time', async () => {
    const { committed } = await commitWhenAwaited(
      app,
      `insert into ${records()} (title, code, owner_id, votes, state, is_deleted)
       values ('theirs', 'raced', ${ada.id}, 9, 'open', false)`,
    )
    const { status, body } = await upsert([
      { code: 'raced', title: 'mine' },
      { code: 'beside', title: 'new' },
    ])
    await committed
    const [one, two] = body.data
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        data: [
          { ...shown, id: one.id, title: 'mine', code: 'raced', owner_id: ada.id, votes: 9 },
          { ...shown, id: two.id, title: 'new', code: 'beside', owner_id: ada.id },
        ],
        created: true,
        created_count: 1,
        updated_count: 1,
      },
    })
  })

  it('keeps values that another request changes at the same time, and applies the rules to the changed record', async () => {
    const { body: made } = await upsert({ code: 'moved', title: 'mine' })
    const meanwhile = (change: string) =>
      commitWhenAwaited(app, `update ${records()} set ${change} where id = ${made.data.id}`)
    const changing = await meanwhile('votes = 77')
    const changed = await upsert({ code: 'moved', title: 'new' })
    expect([changed.status, changed.body.data]).toEqual([200, { ...made.data, title: 'new', votes: 77 }])
    await changing.committed
    const taking = await meanwhile(`owner_id = ${bob.id}`)
    expect((await upsert({ code: 'moved', title: 'newer' })).status).toBe(409)
    await taking.committed
    const left = await ask('GET', `${shop.data('tickets')}${made.data.id}/`, { by: shop.owner })
    expect(left.body.data).toMatchObject({ title: 'new', owner_id: bob.id })
  })

  it('fires one event for the creations and one for the changes, both by the guest', async () => {
    const owner = ownerOf(app, shop, '')
    app.env.EVENTS = heldQueue().binding
    const made = await owner.post('/apps/shop/functions/', { name: 'heard', ...noop })
    for (const event of ['RECORD_CREATE', 'RECORD_UPDATE'])
      await owner.post(`/cloud/events/${event}/subscribe/`, { function_id: made.body.id })
    await upsert({ code: 'told', title: 'a' })
    const { body } = await upsert([
      { code: 'told', title: 'b' },
      { code: 'untold', title: 'c' },
    ])
    const events = await app.sql<{ event: string; by: string; codes: string[] }>(
      `select event, user_id::text as by,
              array(select r ->> 'code' from json_array_elements(records::json) r) as codes
         from tenant._deliveries order by event, id`,
    )
    const by = String(ada.id)
    expect([body.created_count, body.updated_count, events]).toEqual([
      1,
      1,
      [
        { event: 'RECORD_CREATE', by, codes: ['told'] },
        { event: 'RECORD_CREATE', by, codes: ['untold'] },
        { event: 'RECORD_UPDATE', by, codes: ['told'] },
      ],
    ])
  })
})
