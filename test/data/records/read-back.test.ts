/**
 * What was read can be written: related records and members that a query adds are ignored by every door that
 * changes records. W8. A table of doors × callers, in both providers.
 */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BothProviders, createInBothProviders, providers } from '../../support/both-providers.ts'

const resources = [
  {
    name: 'owners',
    schema: {
      primaryKey: 'id',
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'name', type: 'string' },
        { name: 'weight', type: 'number' },
      ],
      hierarchy: true,
    },
  },
  {
    name: 'pets',
    schema: {
      primaryKey: 'id',
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'owner_id', type: 'integer' },
        { name: 'mother', type: 'integer' },
      ],
      foreignKeys: [
        { fields: 'owner_id', reference: { resource: 'owners', fields: 'id' } },
        { fields: 'mother', reference: { resource: 'pets', fields: 'id' } },
      ],
    },
  },
]

let both: BothProviders

beforeAll(async () => {
  both = await createInBothProviders('reading-back', resources, [])
  for (const app of ['shop', 'papers'])
    for (const table of ['owners', 'pets']) {
      const rules = [{ name: 'all', who: 'anyone', can: ['read', 'create', 'update'] }]
      const { status } = await both.owner.put(`/apps/${app}/datatables/${table}/access/`, { rules })
      expect(status).toBe(200)
    }
})

const callers = ['member', 'guest'] as const
const call = (caller: (typeof callers)[number], method: string, path: string, body?: unknown) =>
  both.app.request(method, path, {
    ...(caller === 'member' ? { token: both.shop.owner.token } : {}),
    ...(body === undefined ? {} : { body }),
  })

type Record_ = Record<string, unknown>
type Door = [
  name: string,
  send: (data: string, record: Record_) => [method: string, path: string, body: unknown],
]
const doors: Door[] = [
  ['PATCH', (data, record) => ['PATCH', `${data}${record.id}/`, record]],
  ['PUT', (data, record) => ['PUT', `${data}${record.id}/`, record]],
  ['PATCH of an array', (data, record) => ['PATCH', data, [record]]],
  ['PATCH of an array with atomic=false', (data, record) => ['PATCH', `${data}?atomic=false`, [record]]],
  ['an upsert', (data, record) => ['POST', `${data}upsert/?unique_fields=id`, record]],
  ['an upsert of an array', (data, record) => ['POST', `${data}upsert/?unique_fields=id`, [record]]],
  [
    'a change in a batch',
    (data, { id, ...record }) => [
      'POST',
      data.replace(/datatables\/.*$/, 'batch/'),
      [{ op: 'update', table: /datatables\/([^/]+)/.exec(data)?.[1], id, data: record }],
    ],
  ],
]

describe.each(providers)('in %s', (provider) => {
  let data: string
  beforeEach(async () => {
    data = both.data[provider]('owners')
    for (const table of ['pets', 'owners'])
      await call('member', 'DELETE', `${both.data[provider](table)}?filter={"id__gte":0}`)
    await call('member', 'POST', data, '{"id": 1, "name": "Kim", "weight": 70.50}')
    await call('member', 'POST', both.data[provider]('pets'), [{ id: 1, owner_id: 1 }])
  })

  describe.each(callers)('a %s', (caller) => {
    it.each(doors)('%s takes a record as it was read, with one changed value', async (_, send) => {
      const read = await call(caller, 'GET', `${data}1/?populate=pets`)
      expect(Object.keys(read.body.data)).toEqual(['id', 'name', 'weight', 'pets'])
      const record = { ...read.body.data, _count: 3, _more: { pets: true }, _depth: 1, name: 'Robin' }
      const { status, body } = await call(caller, ...send(data, record))
      expect([status === 207 ? 200 : status, body.failed ?? []]).toEqual([200, []])
      const now = await call(caller, 'GET', `${data}1/?populate=pets`)
      expect(now.body.data).toEqual({ ...read.body.data, name: 'Robin' })
    })

    it.each(doors)('%s takes a node as a graph shows it, with one changed value', async (_, send) => {
      await call('member', 'POST', data, { id: 2, name: 'Lou' })
      const edges = data.replace(/data\/$/, 'edges/')
      const edge = { from_id: 2, to_id: 1, type: 'parent' }
      expect((await call('member', 'POST', edges, [edge])).status).toBe(201)
      const tree = await call('member', 'GET', `${data}?format=tree`)
      const list = await call('member', 'GET', `${data}?include=both&ordering=id`)
      const [node, listed] = [tree.body.data[0], list.body.data[0]]
      expect([node.children.length, listed.children.length, listed.parent]).toEqual([1, 1, []])
      for (const [read, name] of [
        [node, 'Robin'],
        [listed, 'Sam'],
      ] as const) {
        const { status, body } = await call(caller, ...send(data, { ...read, name }))
        expect([status === 207 ? 200 : status, body.failed ?? []]).toEqual([200, []])
        expect((await call(caller, 'GET', `${data}1/`)).body.data.name).toBe(name)
      }
    })

    it.each(doors)('%s takes a record that stands in the place of its key', async (_, send) => {
      const pets = both.data[provider]('pets')
      await call('member', 'POST', pets, { id: 2, mother: 1 })
      const read = await call(caller, 'GET', `${pets}2/?populate=mother,owner`)
      const mother = { id: 1, owner_id: 1, mother: null }
      expect(read.body.data).toEqual({ id: 2, owner_id: null, owner: null, mother })
      const { status, body } = await call(caller, ...send(pets, { ...read.body.data, owner_id: 1 }))
      expect([status === 207 ? 200 : status, body.failed ?? []]).toEqual([200, []])
      expect((await call(caller, 'GET', `${pets}2/`)).body.data).toEqual({ id: 2, owner_id: 1, mother: 1 })
      const lacking = await call(caller, ...send(pets, { id: 2, mother: { owner_id: 1 } }))
      expect([lacking.status === 207 ? 400 : lacking.status, JSON.stringify(lacking.body)]).toEqual([
        400,
        expect.stringContaining('A whole number is required.'),
      ])
    })

    it.each(doors)('%s refuses a member that is neither a field nor read', async (_, send) => {
      const { status, body } = await call(caller, ...send(data, { id: 1, nmae: 'Robin' }))
      expect([status === 207 ? 400 : status, JSON.stringify(body)]).toEqual([
        400,
        expect.stringContaining('Unknown field. Fields: '),
      ])
    })
  })
})
