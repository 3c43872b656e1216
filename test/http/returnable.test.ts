/** Every resource of the published document takes back what was read, and every body names the members that it does not know. W5. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { JsonSchema } from '../../src/http/openapi/types.ts'
import { nearest } from '../../src/lib/nearest.ts'
import type { TestApp } from '../support/app.ts'
import { type DocumentedOperation, operations, schemaOf } from '../support/contract.ts'
import { itemsOf } from '../support/lists.ts'
import { stateOf } from '../support/state.ts'
import { ask, bodies, createWorld, present, type World } from '../support/world.ts'

let world: World
let app: TestApp
let token: string

beforeAll(async () => {
  world = await createWorld()
  app = world.app
  token = world.root.token
  for (const [path, body] of others) {
    const answer = await app.request('POST', `${world.shop.api}/${path}/`, { token, body })
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  }
})

/** More of some kinds: what their members hold differs. */
const others: [path: string, body: unknown][] = [
  ['secret-types', { name: 'Long_Name', sensitivity_level: 'public', schema: { type: 'object', required: ['a'] } }],
  ['tags', { name: 'red', color: '#F00' }],
  ['secrets', { secret_type: 'long-name', key: 'LONG', value: { a: [1, null] }, tags: ['red'] }],
  ['apps/shop/functions', { name: 'Proxy', execution_mode: 'proxy', webhook_url: 'https://hooks.example.com/', headers: { 'X-Key': 'v' } }],
  ['apps/shop/functions', { name: 'Code', code: 'export default () => 1', allowed_hosts: ['a.example'], filter_conditions: 'time.year > 2000' }],
  ['auth/social-apps', { provider: 'google', name: 'Google', client_id: 'a', secret: 'b', key: 'c', settings: { scope: ['openid'], icon: 'star' } }],
  ['apps/shop/datasources', { name: 'Papers', slug: 'papers', provider_type: 'jsonb', provider_config: { a: { b: 1 } } }],
  [
    'apps/shop/datasources/papers/datatables',
    {
      name: 'graph',
      description: 'A graph',
      json_schema: {
        fields: [
          { name: 'code', type: 'string', constraints: { maxLength: 5 } },
          { name: 'boss', type: 'string' },
        ],
        primaryKey: 'code',
        graph: { enabled: true, types: [{ name: 'knows', inverse: 'known' }] },
      },
    },
  ],
]

/** What of these a path can name in the place of what all tests ask for. */
const elsewhere: Record<string, string | number>[] = [
  {},
  { type: 'long-name', tag: 'red', secret: 'LONG', function: 'proxy', social_app: 2, datasource: 'papers', table: 'graph' },
  { function: 'code' },
]

const named = (all: readonly DocumentedOperation[]) => all.map((operation) => [`${operation.method} ${operation.path}`, operation] as const)
const reading = ({ path }: DocumentedOperation) => operations.find((operation) => operation.method === 'GET' && operation.path === path)
const changing = operations.filter((operation) => ['PUT', 'PATCH'].includes(operation.method))

/** When and by whom something was changed last: every change says so. */
const ofChange = new Set(['updated_at', 'modified_at', 'modified_by'])
const withoutChange = (body: object) => Object.fromEntries(Object.entries(body).filter(([name]) => !ofChange.has(name)))
/** What an operation takes of what was read: records are in an envelope, and many are changed at once. */
function resourceOf({ requestBody }: DocumentedOperation, body: Record<string, unknown>): object {
  const isOfMany = schemaOf(requestBody?.content['application/json']?.schema ?? {}).type === 'array'
  return isOfMany ? itemsOf(body) : Object.keys(body).join() === 'data' ? (body.data as object) : body
}

describe('what was read', () => {
  it.each(named(changing.filter(reading)))('can be sent back, and nothing changes: %s', async (_name, operation) => {
    const read = reading(operation) as DocumentedOperation
    const places = elsewhere.filter((values, index) => index === 0 || Object.keys(values).some((name) => operation.path.includes(`{${name}}`)))
    for (const place of places) {
      const values = { ...present(world), ...place }
      // Of the tables, one has records.
      if (operation.path.includes('/data/')) values.table = 'makers'
      const before = await ask(world, read, { token, values })
      if (before.status === 404 && Object.keys(place).length > 0) continue
      const body = resourceOf(operation, before.body)
      const sent = await ask(world, operation, { token, values, body })
      expect([place, before.status, sent.status, sent.body]).toEqual([place, 200, 200, expect.anything()])
      const after = await ask(world, read, { token, values })
      expect(withoutChange(resourceOf(operation, after.body))).toEqual(withoutChange(body))
    }
  })

  it('can be sent back where it was read in a list: members and edges', async () => {
    const members = '/api/cloud/organizations/one-org/members/'
    const [member] = itemsOf((await app.request('GET', members, { token })).body) as [{ user: { id: number } }]
    expect(await app.request('PATCH', `${members}${member.user.id}/`, { token, body: member })).toMatchObject({ status: 200, body: member })

    const table = `${world.shop.api}/apps/shop/datatables/graph`
    await app.request('POST', `${table}/materialize/`, { token })
    await app.request('POST', `${table}/data/`, { token, body: [{ code: 'a' }, { code: 'b' }] })
    await app.request('POST', `${table}/edges/`, { token, body: [{ from_id: 'a', to_id: 'b', type: 'knows', metadata: { since: 1 } }] })
    const [edge] = itemsOf((await app.request('GET', `${table}/edges/`, { token })).body) as [{ id: string }]
    expect(await app.request('PATCH', `${table}/edges/${edge.id}/`, { token, body: edge })).toMatchObject({ status: 200, body: { data: edge } })
  })

  it('is that of every resource with PUT or PATCH: only members and edges are read in their lists alone', () => {
    expect(changing.filter((operation) => !reading(operation)).map(({ path }) => path)).toEqual([
      '/api/cloud/organizations/{organization}/members/{user}/',
      '/api/apps/{app}/datatables/{table}/edges/{edge}/',
    ])
  })
})

type Members = Record<string, JsonSchema>

/** The members that a body takes, where it takes no others. */
function membersOf({ requestBody }: DocumentedOperation): Members | undefined {
  const { additionalProperties, properties } = schemaOf(requestBody?.content['application/json']?.schema ?? {})
  return additionalProperties === false ? (properties as Members) : undefined
}

/** Messages by member, in whichever dialect the operation has. */
const messagesOf = ({ details, detail = details, ...body }: Record<string, unknown>) => detail ?? body
const isIgnored = (member: JsonSchema | undefined) => member?.readOnly === true

describe('a member of a body', () => {
  const closed = operations.filter((operation) => membersOf(operation))

  it.each(named(closed))('that is not known is 400, which names the one that was meant, and nothing is changed: %s', async (_name, operation) => {
    const properties = membersOf(operation) as Members
    const writable = Object.keys(properties).filter((name) => !isIgnored(properties[name]))
    const before = await stateOf(app)
    const unknown = ['zzzzzzzz', ...writable.map((name) => `${name}x`)].filter((name) => !(name in properties))
    const body = { ...(bodies(world)[operation.operationId] as object), ...Object.fromEntries(unknown.map((name) => [name, 1])) }
    const refused = await ask(world, operation, { token, body })
    const expected = unknown.map((name) => {
      const meant = nearest(name, writable)
      return [name, [meant === undefined ? 'Unknown field.' : `Unknown field. Did you mean "${meant}"?`]]
    })
    expect([operation.operationId, refused.status, messagesOf(refused.body)]).toEqual([
      operation.operationId,
      400,
      expect.objectContaining(Object.fromEntries(expected)),
    ])
    expect(await stateOf(app)).toEqual(before)
  })

  const returning = closed.filter((operation) => Object.values(membersOf(operation) ?? {}).some(isIgnored))

  it.each(named(returning))('that is shown and cannot be written is ignored, whatever it says: %s', async (_name, operation) => {
    const properties = membersOf(operation) as Members
    const ignored = Object.keys(properties).filter((name) => isIgnored(properties[name]))
    // With what is refused, so that nothing is made: of what is ignored there is no word.
    const body = { ...Object.fromEntries(ignored.map((name) => [name, { of: [name] }])), zzzzzzzz: 1 }
    const { status, body: answer } = await ask(world, operation, { token, body })
    expect(status).toBe(400)
    expect(Object.keys(messagesOf(answer) as object).filter((name) => ignored.includes(name))).toEqual([])
  })
})
