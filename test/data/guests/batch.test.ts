/**
 * What guests write to several tables in one request: batches, and records with related records inside them.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { requests } from '../../../src/data/write/requests.ts'
import { runWrite } from '../../../src/data/write/run.ts'
import { runBatch } from '../../../src/data/write/run-batch.ts'
import type { RequestContext } from '../../../src/kernel/context.ts'
import { startApp, type TestApp, type User } from '../../support/app.ts'
import { addDocuments, addTables, createShop, grant, type Shop } from '../../support/fixtures.ts'
import { guestContext } from '../../support/guests.ts'

let app: TestApp
let shop: Shop
let ada: User
let bob: User
let papers: (table: string) => string

const mine = { owner_id: { $: 'user.id' } }
const to = (fields: string, resource: string) => ({ fields, reference: { resource, fields: 'id' } })
const tables = [
  {
    name: 'vaults',
    schema: {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'code', type: 'string' },
      ],
      primaryKey: 'id',
    },
  },
  {
    name: 'projects',
    schema: {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'name', type: 'string', constraints: { required: true } },
        { name: 'code', type: 'string', constraints: { unique: true } },
        { name: 'secret', type: 'string', default: 'hidden by default' },
        { name: 'owner_id', type: 'integer' },
        { name: 'open', type: 'boolean' },
        { name: 'vault_id', type: 'integer' },
      ],
      primaryKey: 'id',
      foreignKeys: [to('vault_id', 'vaults')],
    },
  },
  {
    name: 'tasks',
    schema: {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'title', type: 'string' },
        { name: 'project_id', type: 'integer' },
        { name: 'vault_id', type: 'integer' },
        { name: 'is_deleted', type: 'boolean' },
      ],
      primaryKey: 'id',
      foreignKeys: [to('project_id', 'projects'), to('vault_id', 'vaults')],
    },
  },
  {
    name: 'notes',
    schema: {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'text', type: 'string' },
        { name: 'mark', type: 'string', default: 'unread' },
        { name: 'project_id', type: 'integer' },
        { name: 'about_id', type: 'integer' },
      ],
      primaryKey: 'id',
      foreignKeys: [to('project_id', 'projects'), to('about_id', 'notes')],
    },
  },
]

const rulesOf = {
  projects: [
    { name: 'open', who: 'anyone', can: ['read'], where: { open: true }, fields: ['id', 'name'] },
    {
      name: 'own',
      who: 'signed-in',
      can: ['read', 'create', 'update', 'delete'],
      where: mine,
      set: mine,
      fields: { read: ['id', 'name', 'code', 'owner_id'], write: ['name', 'code', 'secret', 'vault_id'] },
    },
  ],
  tasks: [
    {
      name: 'of own projects',
      who: 'signed-in',
      can: ['read', 'create', 'update', 'delete'],
      where: { 'project.owner_id': mine.owner_id },
      fields: ['id', 'title', 'project_id'],
    },
  ],
  notes: [{ name: 'send', who: 'anyone', can: ['create'], check: { text__null: false } }],
}

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'together')
  ada = await app.user('ada')
  bob = await app.user('bob')
  await addTables(app, shop, tables)
  papers = await addDocuments(app, shop, tables)
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
  return { status: answer.status, body: answer.body }
}

const invalid = (details: object) => ({
  status: 400,
  body: { error: 'Validation failed', details, code: 'validation_failed' },
})
const refused = (where = '') => ({
  status: 403,
  body: { error: 'Not allowed', detail: `${where}No access rule allows this.`, code: 'no_access_rule' },
})
const unauthenticated = (where = '') => ({
  status: 401,
  body: { detail: `${where}Authentication credentials were not provided.`, code: 'not_authenticated' },
})
const forbidden = (where = '') => ({
  status: 403,
  body: { detail: `${where}You do not have permission to perform this action.`, code: 'permission_denied' },
})
const missing = (table: string, id: unknown, where: string) => ({
  status: 404,
  body: {
    error: 'Record not found',
    detail: `${where}"${table}" has no record with the id "${id}".`,
    code: 'record_not_found',
  },
})

describe.each(['shop', 'papers'])('a guest in the app %s', (place) => {
  const at = (table: string, id?: unknown) =>
    `${place === 'shop' ? shop.data(table) : papers(table)}${id === undefined ? '' : `${id}/`}`
  const batch = (operations: unknown, by?: User, more = '') =>
    ask('POST', `${shop.api}/apps/${place}/batch/${more}`, { by, body: operations })
  const create = (table: string, data: object, as?: string) => ({
    op: 'create',
    table,
    data,
    ...(as === undefined ? {} : { as }),
  })
  /** Creates a record as the owner of the site. Returns its id. */
  const make = async (table: string, data: object) => {
    const { status, body } = await ask('POST', at(table), { by: shop.owner, body: data })
    expect(status).toBe(201)
    return body.data.id as number
  }
  const stored = async (table: string, id: unknown) =>
    (await ask('GET', at(table, id), { by: shop.owner })).body.data
  const count = async (table: string) =>
    (await ask('GET', `${at(table)}?limit=0`, { by: shop.owner })).body.total as number

  describe('in a batch', () => {
    it('cannot write to a table that no rule allows, and gets the same error as for a missing table', async () => {
      for (const table of ['vaults', 'none']) {
        const operations = [create('notes', { text: 'x' }), create(table, { code: 'x' })]
        expect(await batch(operations)).toEqual(unauthenticated('operations[1]: '))
        expect(await batch(operations, ada)).toEqual(forbidden('operations[1]: '))
      }
      const change = { op: 'update', table: 'notes', id: 1, data: { text: 'x' } }
      expect(await batch([change], ada)).toEqual(forbidden('operations[0]: '))
      expect(await batch([create('projects', { name: 'x' })])).toEqual(unauthenticated('operations[0]: '))
      const edge = { op: 'create_edge', table: 'projects', data: { from_id: 1, to_id: 1, type: 'x' } }
      expect(await batch([edge], ada)).toEqual(forbidden('operations[0]: '))
    })

    it('changes nothing if a rule refuses one operation: the others are undone', async () => {
      const id = await make('projects', { name: 'of bob', owner_id: bob.id, open: true })
      const before = await count('notes')
      const operations = [
        create('notes', { text: 'kept?' }),
        { op: 'update', table: 'projects', id, data: { name: 'taken' } },
      ]
      expect(await batch(operations, ada)).toEqual(refused('operations[1]: '))
      expect([await count('notes'), (await stored('projects', id)).name]).toEqual([before, 'of bob'])
      const filled = [create('notes', { text: 'x' }), create('projects', { name: 'x', owner_id: bob.id })]
      expect(await batch(filled, ada)).toEqual(
        invalid({ owner_id: ['operations[1]: An access rule sets this field. Omit it.'] }),
      )
      expect(await batch([create('notes', { text: null }), create('notes', { text: 'x' })])).toEqual(
        refused('operations[0]: '),
      )
      expect(await count('notes')).toBe(before)
    })

    it('gets the same error for a record that it may not read as for a missing one', async () => {
      const id = await make('projects', { name: 'of bob', owner_id: bob.id, code: `b-${place}` })
      for (const one of [id, 999_999]) {
        const change = { op: 'update', table: 'projects', id: one, data: { name: 'taken' } }
        const removal = { op: 'delete', table: 'projects', id: one, hard_delete: true }
        const note = create('notes', { text: 'x' })
        expect(await batch([note, change], ada)).toEqual(missing('projects', one, 'operations[1]: '))
        expect(await batch([note, removal], ada)).toEqual(missing('projects', one, 'operations[1]: '))
        const task = create('tasks', { project_id: one })
        expect(await batch([note, task], ada)).toEqual({
          status: 400,
          body: {
            error: 'Foreign key violation',
            detail: 'operations[1]: This project_id references no record that you may read.',
            field: 'project_id',
            code: 'reference_missing',
          },
        })
      }
      const upsert = { op: 'upsert', table: 'projects', unique_fields: ['code'] }
      expect((await batch([{ ...upsert, data: { code: `b-${place}`, name: 'x' } }], ada)).status).toBe(409)
      expect(await stored('projects', id)).toMatchObject({ name: 'of bob', owner_id: bob.id })
    })

    it('deletes several records, or none if one of them is not found', async () => {
      const ids: number[] = []
      for (const owner_id of [ada.id, ada.id, bob.id])
        ids.push(await make('projects', { name: 'x', owner_id }))
      const [one, two, theirs] = ids
      const removal = (id: unknown) => ({ op: 'delete', table: 'projects', id })
      expect(await batch([one, two, theirs].map(removal), ada)).toEqual(
        missing('projects', theirs, 'operations[2]: '),
      )
      expect(await batch([one, two, one].map(removal), ada)).toEqual(
        missing('projects', one, 'operations[2]: '),
      )
      expect(await batch([one, two].map(removal), ada)).toEqual({
        status: 200,
        body: { data: [one, two].map((id) => ({ status: 204, id })) },
      })
      expect((await ask('GET', at('projects', one), { by: shop.owner })).status).toBe(404)
    })

    it('cannot reference a field that it may not read', async () => {
      const first = create('projects', { name: 'x', secret: 'mine' }, 'p')
      const taking = (field: string) => [first, create('notes', { text: { $: `p.${field}` } })]
      const fields = 'Fields: id, name, code, owner_id.'
      for (const field of ['secret', 'vault_id', 'open'])
        expect(await batch(taking(field), ada)).toEqual(
          invalid({ text: [`operations[1]: "projects" has no field "${field}". ${fields}`] }),
        )
      // Of a record that the guest may not read, a reference may name the key and the fields that were sent.
      const note = create('notes', { text: 'x' }, 'n')
      expect(await batch([note, create('notes', { text: { $: 'n.mark' } })])).toEqual(
        invalid({ text: ['operations[1]: "notes" has no field "mark". Fields: id.'] }),
      )
    })

    it('cannot use a reference to connect a record that it may not read', async () => {
      const operations = [
        create('notes', { text: 'x' }, 'n'),
        create('notes', { text: 'y', about_id: { $: 'n.id' } }),
      ]
      expect(await batch(operations)).toEqual({
        status: 400,
        body: {
          error: 'Foreign key violation',
          detail: 'operations[1]: This about_id references no record that you may read.',
          field: 'about_id',
          code: 'reference_missing',
        },
      })
    })

    it('writes by the rules of each table, and gets the same fields as from single requests', async () => {
      const { status, body } = await batch(
        [
          create('projects', { name: 'new', secret: 's' }, 'p'),
          create('tasks', { title: 'first', project_id: { $: 'p.id' } }, 't'),
          create('tasks', { title: 'second', project_id: { $: 'p.id' } }),
          create('notes', { text: 'to nobody', project_id: { $: 'p.id' } }),
          { op: 'update', table: 'tasks', id: { $: 't.id' }, data: { title: 'changed' } },
          {
            op: 'upsert',
            table: 'projects',
            unique_fields: ['code'],
            data: { code: `c-${place}`, name: 'up' },
          },
          { op: 'delete', table: 'tasks', id: { $: 't.id' } },
        ],
        ada,
      )
      const data = (body.data as { data?: { id: number }; etag?: string }[]).map(({ etag: _, ...one }) => one)
      const [project, task, second, note, , upserted] = data.map(({ data: one }) => one?.id)
      expect({ status, data }).toEqual({
        status: 200,
        data: [
          { status: 201, data: { id: project, name: 'new', code: null, owner_id: ada.id } },
          { status: 201, data: { id: task, title: 'first', project_id: project } },
          { status: 201, data: { id: second, title: 'second', project_id: project } },
          { status: 201, data: { id: note, text: 'to nobody', project_id: project } },
          { status: 200, data: { id: task, title: 'changed', project_id: project } },
          { status: 201, data: { id: upserted, name: 'up', code: `c-${place}`, owner_id: ada.id } },
          { status: 204, id: task },
        ],
      })
      expect(await stored('projects', project)).toMatchObject({ secret: 's', owner_id: ada.id })
      expect(await stored('notes', note)).toMatchObject({ mark: 'unread' })
      expect((await ask('GET', at('tasks', task), { by: shop.owner })).status).toBe(404)
    })

    it('can use return=minimal, ETags, dry_run=true and an Idempotency-Key', async () => {
      const made = await batch([create('projects', { name: 'x' })], ada)
      const [{ data: project, etag }] = made.body.data
      const change = (if_match: string) => ({
        op: 'update',
        table: 'projects',
        id: project.id,
        data: { name: 'y' },
        if_match,
      })
      expect((await batch([change('"old"')], ada)).status).toBe(412)
      const before = await count('notes')
      const dry = await batch([change(etag), create('notes', { text: 'x' })], ada, '?dry_run=true')
      expect([dry.status, dry.body.dry_run, await count('notes')]).toEqual([200, true, before])
      const minimal = await batch([change(etag)], ada, '?return=minimal')
      expect([minimal.status, Object.keys(minimal.body.data[0]).sort(), minimal.body.data[0].id]).toEqual([
        200,
        ['etag', 'id', 'status'],
        project.id,
      ])
      const once = () =>
        ask('POST', `${shop.api}/apps/${place}/batch/`, {
          by: ada,
          body: [create('notes', { text: 'once' })],
          headers: { 'Idempotency-Key': `batch-${place}` },
        })
      expect(await once()).toEqual(await once())
      expect(await count('notes')).toBe(before + 1)
    })
  })

  describe('with related records inside a record', () => {
    const send = (table: string, body: unknown, by?: User, more = '') =>
      ask('POST', `${at(table)}${more}`, { by, body })

    it('gets "Unknown field" for a relationship to a table that it may not create in or reference', async () => {
      const fields = 'Unknown field. Fields: name, code, secret, owner_id, vault_id.'
      expect(await send('projects', { name: 'x', vault: { code: 'x' } }, ada)).toEqual(
        invalid({ vault: [fields] }),
      )
      expect(await send('projects', { name: 'x', none: { code: 'x' } }, ada)).toEqual(
        invalid({ none: [fields] }),
      )
      const inside = { name: 'x', tasks: [{ title: 'x', vault: { code: 'x' } }] }
      expect(await send('projects', inside, ada)).toEqual(
        invalid({ 'tasks[0].vault': ['Unknown field. Fields: title, project_id.'] }),
      )
      // Guests cannot read notes, so no record of theirs can reference one.
      const note = { text: 'x', about: { text: 'y' } }
      expect((await send('notes', note)).body.details).toEqual({
        about: ['Unknown field. Fields: text, mark, project_id, about_id.'],
      })
    })

    it('creates nothing if a rule refuses one record', async () => {
      const [projects, tasks] = [await count('projects'), await count('tasks')]
      const body = { name: 'x', notes: [{ text: 'a' }, { text: null }] }
      expect(await send('projects', body, ada)).toEqual(refused('notes[1]: '))
      const filled = { title: 'x', project: { name: 'y', owner_id: bob.id } }
      expect(await send('tasks', filled, ada)).toEqual(
        invalid({ 'project.owner_id': ['An access rule sets this field. Omit it.'] }),
      )
      expect([await count('projects'), await count('tasks')]).toEqual([projects, tasks])
    })

    it('creates each record by the rules of its table, and gets the fields that it may read', async () => {
      const body = [
        { name: 'one', tasks: [{ title: 'a' }, { title: 'b' }], notes: [{ text: 'n' }] },
        { name: 'two', secret: 's' },
      ]
      const { status, body: answer } = await send('projects', body, ada)
      const [one, two] = answer.data as { id: number }[]
      expect({ status, data: answer.data }).toEqual({
        status: 201,
        data: [
          { id: one?.id, name: 'one', code: null, owner_id: ada.id },
          { id: two?.id, name: 'two', code: null, owner_id: ada.id },
        ],
      })
      const found = await ask('GET', `${at('tasks')}?project_id=${one?.id}&ordering=id`, { by: ada })
      expect(found.body.data.map(({ title }: { title: string }) => title)).toEqual(['a', 'b'])
      const task = await send('tasks', { title: 'c', project: { name: 'three' } }, ada, '?populate=project')
      const { id, project } = task.body.data
      expect(task).toEqual({
        status: 201,
        body: {
          data: {
            id,
            title: 'c',
            project_id: project.id,
            project: { id: project.id, name: 'three', code: null, owner_id: ada.id },
          },
        },
      })
    })

    it('gets with populate only what it may read', async () => {
      const refusalOf = async (name: string) => {
        const { status, body } = await send('projects', { name: 'x' }, ada, `?populate=${name}`)
        return { status, text: JSON.stringify(body).replaceAll(name, '…') }
      }
      const refusal = await refusalOf('vault')
      expect(refusal).toEqual(await refusalOf('nothing'))
      expect(refusal.status).toBe(400)
      expect((await send('notes', { text: 'x' }, undefined, '?populate=project')).status).toBe(400)
      const vault_id = await make('vaults', { code: 'hidden' })
      const { status } = await send('projects', { name: 'x', vault_id }, ada)
      expect(status).toBe(400)
    })
  })
})

describe('a batch of a guest', () => {
  it('is refused before its body is parsed if no rule of the app allows writing', async () => {
    const { owner, api } = shop
    const made = await ask('POST', `${api}/apps/`, { by: owner, body: { name: 'Closed' } })
    expect(made.status).toBe(201)
    for (const name of ['closed', 'none']) {
      const path = `${api}/apps/${name}/batch/`
      for (const body of ['{', [], [{ op: 'create', table: 'x', data: {} }]]) {
        expect(await ask('POST', path, { body })).toEqual(unauthenticated())
        expect(await ask('POST', path, { by: ada, body })).toEqual(forbidden())
      }
    }
  })

  it('is refused for members who hold access_site but not change_site', async () => {
    const reader = await app.user('reader')
    await grant(app, shop, reader, ['access_site'])
    const body = [{ op: 'create', table: 'notes', data: { text: 'x' } }]
    expect(await ask('POST', `${shop.api}/apps/shop/batch/`, { by: reader, body })).toEqual(forbidden())
  })

  it('takes one round trip when the tables are cached, and so does a record with related records', async () => {
    const spend = async (write: (ctx: RequestContext) => Promise<unknown>) => {
      const ctx = guestContext(app, shop, ada)
      ctx.permission = 'change_site'
      await write(ctx)
      return ctx.database.spent.roundTrips
    }
    const none = new URLSearchParams()
    const operations = [
      { op: 'create', table: 'projects', data: { name: 'x' }, as: 'p' },
      { op: 'create', table: 'tasks', data: { title: 'x', project_id: { $: 'p.id' } } },
    ]
    const asBatch = (ctx: RequestContext) => runBatch(ctx, 'shop', JSON.stringify(operations), none)
    const body = { text: '{"name": "x", "tasks": [{"title": "y"}]}', format: 'json' } as const
    const nested = (ctx: RequestContext) =>
      runWrite(ctx, { app: 'shop', table: 'projects' }, requests.create, { body, parameters: none })
    await spend(asBatch)
    expect([await spend(asBatch), await spend(nested)]).toEqual([1, 1])
  })
})
