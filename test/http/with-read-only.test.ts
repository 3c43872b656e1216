/**
 * Every resource of the API accepts a body that was read from it, and every body rejects unknown properties.
 * W5.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { nearest } from '../../src/kernel/lib/nearest.ts'
import type { TestApp } from '../support/app.ts'
import {
  changing,
  createOthers,
  isIgnored,
  type Members,
  membersOf,
  messagesOf,
  reading,
  resourceOf,
  withoutChange,
} from '../support/changing.ts'
import { type DocumentedOperation, operations } from '../support/contract.ts'
import { itemsOf } from '../support/lists.ts'
import { stateOf } from '../support/state.ts'
import { ask, bodies, createWorld, present, type World } from '../support/world.ts'

let world: World
let app: TestApp
let token: string
/** The id of an API key of the calling account. */
let key: number

beforeAll(async () => {
  world = await createWorld()
  app = world.app
  token = world.root.token
  key = await createOthers(world)
})

/** The path parameters of these resources, which replace those that all tests use. */
const elsewhere: Record<string, string | number>[] = [
  {},
  {
    type: 'long-name',
    tag: 'red',
    secret: 'LONG',
    function: 'proxy',
    social_app: 2,
    datasource: 'papers',
    table: 'graph',
  },
  { function: 'code' },
]

const named = (all: readonly DocumentedOperation[]) =>
  all.map((operation) => [`${operation.method} ${operation.path}`, operation] as const)

describe('a resource that was read', () => {
  it.each(named(changing.filter(reading)))(
    'can be sent back without changing anything: %s',
    async (_name, operation) => {
      const read = reading(operation) as DocumentedOperation
      const places = elsewhere.filter(
        (values, index) =>
          index === 0 || Object.keys(values).some((name) => operation.path.includes(`{${name}}`)),
      )
      for (const place of places) {
        const values: Record<string, string | number> = { ...present(world), key, ...place }
        // Only one of the tables has records.
        if (operation.path.includes('/data/')) values.table = 'makers'
        const before = await ask(world, read, { token, values })
        if (before.status === 404 && Object.keys(place).length > 0) continue
        const body = resourceOf(operation, before.body)
        const sent = await ask(world, operation, { token, values, body })
        expect([place, before.status, sent.status, sent.body]).toEqual([place, 200, 200, expect.anything()])
        const after = await ask(world, read, { token, values })
        expect(withoutChange(resourceOf(operation, after.body))).toEqual(withoutChange(body))
      }
    },
  )

  it('can be sent back after it was read in a list: members and edges', async () => {
    const members = '/api/cloud/organizations/one-org/members/'
    const [member] = itemsOf((await app.request('GET', members, { token })).body) as [
      { user: { id: number } },
    ]
    expect(await app.request('PATCH', `${members}${member.user.id}/`, { token, body: member })).toMatchObject(
      { status: 200, body: member },
    )

    const table = `${world.shop.api}/apps/shop/datatables/graph`
    await app.request('POST', `${table}/materialize/`, { token })
    await app.request('POST', `${table}/data/`, { token, body: [{ code: 'a' }, { code: 'b' }] })
    await app.request('POST', `${table}/edges/`, {
      token,
      body: [{ from_id: 'a', to_id: 'b', type: 'knows', metadata: { since: 1 } }],
    })
    const [edge] = itemsOf((await app.request('GET', `${table}/edges/`, { token })).body) as [{ id: string }]
    expect(await app.request('PATCH', `${table}/edges/${edge.id}/`, { token, body: edge })).toMatchObject({
      status: 200,
      body: { data: edge },
    })
  })

  it('can be sent back as a list or the answer that created it shows it, and creates others like it', async () => {
    const { api } = world.shop
    const send = async (method: string, path: string, body?: unknown) => {
      const answer = await app.request(method, path, { token, ...(body === undefined ? {} : { body }) })
      expect([method, path, answer.status < 300, answer.body]).toEqual([
        method,
        path,
        true,
        expect.anything(),
      ])
      return answer.body
    }
    const listed = async (path: string, name: string) =>
      itemsOf(await send('GET', path)).find((item) => (item as { name: string }).name === name) as object

    const newKey = await send('POST', `${api}/api-keys/`, { name: 'Sent' })
    await send('PATCH', `${api}/api-keys/${newKey.id}/`, newKey)
    const again = await send('POST', `${api}/api-keys/`, await listed(`${api}/api-keys/`, 'Sent'))
    expect([again.name, again.id === newKey.id]).toEqual(['Sent', false])

    const scimKeys = '/api/cloud/organizations/one-org/scim-keys/'
    await send('POST', scimKeys, await listed(scimKeys, 'Directory'))

    const socialApps = `${api}/auth/social-apps/`
    const google = await listed(socialApps, 'Google')
    await send('PATCH', `${socialApps}2/`, google)
    expect(await listed(socialApps, 'Google')).toEqual(google)

    const functions = `${api}/apps/shop/functions/`
    const proxy = { name: 'Sent', execution_mode: 'proxy', webhook_url: 'https://hooks.example.com/' }
    const created = await send('POST', functions, proxy)
    expect(created.signing_secret).toMatch(/^whsec_/)
    await send('PATCH', `${functions}sent/`, created)

    const event = 'RECORD_CREATE'
    await send('POST', `/sites/one/api/cloud/events/${event}/subscribe/`, { function_id: created.id })
    const { data } = await send('GET', `${api}/apps/shop/events/${event}/`)
    const [subscriber] = data.subscribers
    await send('POST', `/sites/one/api/cloud/events/${event}/unsubscribe/`, subscriber)
    const { data: subscription } = await send(
      'POST',
      `/sites/one/api/cloud/events/${event}/subscribe/`,
      subscriber,
    )
    await send('POST', `/sites/one/api/cloud/events/${event}/unsubscribe/`, {
      ...subscription,
      function_id: created.id,
    })

    const table = `${api}/apps/shop/datatables/graph`
    const [edge] = itemsOf(await send('GET', `${table}/edges/`)) as [{ id: string }]
    const made = await send('POST', `${table}/edges/`, [{ ...edge, from_id: 'b', to_id: 'a' }])
    expect(made.results).toEqual([
      { ...edge, id: expect.any(String), from_id: 'b', to_id: 'a', created_at: expect.any(String) },
    ])
    expect(made.results[0].id).not.toBe(edge.id)
    await send('POST', `${api}/apps/shop/batch/`, [
      { op: 'create_edge', table: 'graph', data: { ...edge, from_id: 'a', to_id: 'a' } },
    ])
  })

  it('exists for every PUT and PATCH, except that members, people and edges are read in lists, archives as a whole, and an acceptance has no body', () => {
    expect(changing.filter((operation) => !reading(operation)).map(({ path }) => path)).toEqual([
      '/api/users/me/permissions/{site}/',
      '/api/cloud/organizations/{organization}/members/{user}/',
      '/api/cloud/sites/{site}/people/{user}/',
      '/api/cloud/transfers/{transfer}/parts/{part}/',
      '/api/apps/{app}/datatables/{table}/edges/{edge}/',
    ])
  })
})

describe('a property of a body', () => {
  const closed = operations.filter((operation) => membersOf(operation))

  it.each(named(closed))(
    'is rejected with 400 and a suggestion if it is unknown, and nothing changes: %s',
    async (_name, operation) => {
      const properties = membersOf(operation) as Members
      const writable = Object.keys(properties).filter((name) => !isIgnored(properties[name]))
      const before = await stateOf(app)
      const unknown = ['zzzzzzzz', ...writable.map((name) => `${name}x`)].filter(
        (name) => !(name in properties),
      )
      const body = {
        ...(bodies(world)[operation.operationId] as object),
        ...Object.fromEntries(unknown.map((name) => [name, 1])),
      }
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
    },
  )

  const returning = closed.filter((operation) => Object.values(membersOf(operation) ?? {}).some(isIgnored))

  it.each(named(returning))(
    'has no message about its form if it is read-only: %s',
    async (_name, operation) => {
      const properties = membersOf(operation) as Members
      const ignored = Object.keys(properties).filter((name) => isIgnored(properties[name]))
      // With an invalid property, so that nothing is created. Ignored properties have no messages.
      const body = { ...Object.fromEntries(ignored.map((name) => [name, { of: [name] }])), zzzzzzzz: 1 }
      const { status, body: answer } = await ask(world, operation, { token, body })
      expect(status).toBe(400)
      expect(Object.keys(messagesOf(answer) as object).filter((name) => ignored.includes(name))).toEqual([])
    },
  )
})
