/** Live lists: streams of a list that stays true. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signIn } from '../../dev/client.ts'
import { follow } from '../support/follower.ts'
import { admin, type Service, startService } from '../support/service.ts'

let service: Service
let authorization: string
const things = '/api/apps/shop/datatables/things/data/'
const others = '/api/apps/shop/datatables/others/data/'

beforeAll(async () => {
  service = await startService([])
  const { client } = service
  await client.request('POST', '/api/apps/', { name: 'shop' })
  const fields = [
    { name: 'id', type: 'integer' },
    { name: 'name', type: 'string' },
    { name: 'owner', type: 'integer' },
    { name: 'price', type: 'number' },
  ]
  await client.request('POST', '/api/apps/shop/datatables/create_schema/?materialize=true', {
    resources: ['things', 'others', 'notes'].map((name) => ({ name, schema: { fields, primaryKey: 'id' } })),
  })
  await client.request('PUT', '/api/apps/shop/access/', {
    rules: [
      { name: 'board', tables: ['notes'], who: 'anyone', can: ['read'] },
      {
        name: 'own',
        tables: ['others'],
        who: 'signed-in',
        can: ['read'],
        where: { owner: { $: 'user.id' } },
      },
    ],
  })
  const signedIn = await fetch(`${service.origin}/api/auth/jwt/token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: admin.email, password: admin.password }),
  })
  authorization = `Bearer ${((await signedIn.json()) as { access: string }).access}`
})
afterAll(() => service?.stop())

const at = (path: string) => `${service.origin}${path}`
const asMember = (path: string) => follow(at(path), { headers: { authorization } })
const write = (method: string, path: string, body?: unknown) => service.client.request(method, path, body)

describe('a list with Accept: text/event-stream', () => {
  it('is refused as the list is', async () => {
    await expect(follow(at(things))).rejects.toThrow(/^Error: 401 |^401 /)
    await expect(asMember(`${things}?price__gt=cheap`)).rejects.toThrow(/^Error: 400|^400 .*price__gt/)
    await expect(asMember('/api/apps/shop/datatables/none/data/')).rejects.toThrow(/404/)
  })

  it('sends the list first, and then what changes', async () => {
    await write('POST', things, [
      { id: 1, name: 'Saw', price: 12.5 },
      { id: 3, name: 'Axe', price: 1 },
    ])
    const follower = await asMember(`${things}?fields=id,name,price&ordering=id`)
    const list = await follower.next('list')
    expect(list.data.data).toEqual([
      { id: 1, name: 'Saw', price: 12.5 },
      { id: 3, name: 'Axe', price: 1 },
    ])
    await follower.next('ready')
    let seen = follower.events.length
    await write('POST', things, { id: 2, name: 'Nail', price: 0.1 })
    expect((await follower.next('change', seen)).data).toEqual({
      entered: [{ at: 1, record: { id: 2, name: 'Nail', price: 0.1 } }],
      left: [],
      changed: [],
      total: 3,
    })
    seen = follower.events.length
    await write('PATCH', `${things}1/`, { name: 'Big saw' })
    await write('DELETE', `${things}3/`)
    await follower.next('change', seen)
    await new Promise((done) => setTimeout(done, 700))
    expect(follower.records()).toEqual([
      { id: 1, name: 'Big saw', price: 12.5 },
      { id: 2, name: 'Nail', price: 0.1 },
    ])
    follower.close()
  })
})
