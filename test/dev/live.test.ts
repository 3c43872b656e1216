/** Live lists: streams of a list that stays true. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient, type Live, type LiveList } from '../../client/src/index.ts'
import { follow } from '../support/follower.ts'
import { admin, type Service, startService } from '../support/service.ts'

let service: Service
let authorization: string
const things = '/api/apps/shop/datatables/things/data/'
const others = '/api/apps/shop/datatables/others/data/'
const notes = '/api/apps/shop/datatables/notes/data/'

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
  authorization = (await headersOf({ username: admin.email, password: admin.password })).authorization
})
afterAll(() => service?.stop())

async function headersOf(credentials: { username: string; password: string }) {
  const signedIn = await fetch(at('/api/auth/jwt/token/'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  })
  return { authorization: `Bearer ${((await signedIn.json()) as { access: string }).access}` }
}

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
      page: 1,
      page_size: 20,
      meta: { offset: 0, limit: 20, count: 3, has_more: false, total_is: 'exact' },
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

describe('a followed list', () => {
  it('shows guests what their rules show, each person what is theirs', async () => {
    await write('POST', others, [
      { id: 1, name: 'Of the admin', owner: 1 },
      { id: 2, name: 'Of another', owner: 2 },
    ])
    await expect(follow(at(others))).rejects.toThrow(/401/)
    const board = await follow(at(notes))
    expect((await board.next('list')).data.data).toEqual([])
    await board.next('ready')
    const seen = board.events.length
    await write('POST', others, { id: 3, name: 'Hidden', owner: 2 })
    await write('POST', notes, { id: 1, name: 'Open' })
    expect((await board.next('change', seen)).data.entered).toEqual([
      { at: 0, record: { id: 1, name: 'Open', owner: null, price: null } },
    ])
    expect(board.events.slice(seen)).toHaveLength(1)
    board.close()
  })

  it('ends for a guest whose rule is taken away, and goes on for members', async () => {
    const board = await follow(at(notes))
    const member = await asMember(notes)
    await Promise.all([board.next('ready'), member.next('ready')])
    await write('PUT', '/api/apps/shop/access/', { rules: [] })
    expect((await board.next('end')).data).toEqual({ code: 'not_authenticated' })
    await board.ended
    const seen = member.events.length
    await write('POST', notes, { id: 2, name: 'Later' })
    expect((await member.next('change', seen)).data.entered).toHaveLength(1)
    expect(member.events.map(({ event }) => event)).not.toContain('end')
    member.close()
  })

  it('is a list anew where its answer has no keys', async () => {
    const totals = await asMember(`${things}?_aggregate=count(*),sum(price)`)
    expect((await totals.next('list')).data.aggregates).toEqual({ count: 2, sum_price: 12.6 })
    await totals.next('ready')
    const seen = totals.events.length
    await write('POST', things, { id: 9, name: 'Bolt', price: 1 })
    expect((await totals.next('list', seen)).data.aggregates).toEqual({ count: 3, sum_price: 13.6 })
    totals.close()
    const one = await asMember(`${things}9/`)
    expect((await one.next('list')).data.data.name).toBe('Bolt')
    await write('DELETE', `${things}9/`)
    expect((await one.next('end')).data).toEqual({ code: 'record_not_found' })
  })

  it('sends what was missed to those who come back', async () => {
    const first = await asMember(`${things}?ordering=id`)
    const stays = await asMember(`${things}?ordering=id`)
    const { id = '' } = await first.next('ready')
    await stays.next('ready')
    first.close()
    await write('POST', things, { id: 20, name: 'Glue', price: 3 })
    await stays.next('change')
    const again = await follow(at(`${things}?ordering=id`), {
      headers: { authorization, 'last-event-id': id },
    })
    await again.next('ready')
    expect(again.events.map(({ event }) => event)).toEqual(['change', 'ready'])
    expect(again.events[0]?.data).toEqual(stays.events.find(({ event }) => event === 'change')?.data)
    const lost = await follow(at(`${things}?ordering=id`), {
      headers: { authorization, 'last-event-id': 'unknown-7' },
    })
    await lost.next('ready')
    expect(lost.events.map(({ event }) => event)).toEqual(['list', 'ready'])
    for (const one of [stays, again, lost]) one.close()
  })

  it('is asked for once, however many follow it, and not for other tables', async () => {
    const followers = await Promise.all(Array.from({ length: 40 }, () => asMember(`${notes}?ordering=name`)))
    await Promise.all(followers.map((one) => one.next('ready')))
    await new Promise((done) => setTimeout(done, 1_500))
    await write('POST', things, { id: 30, name: 'Elsewhere' })
    await write('POST', notes, { id: 30, name: 'Aaa' })
    await Promise.all(followers.map((one) => one.next('change')))
    for (const { events } of followers)
      expect(events.map(({ event }) => event)).toEqual(['list', 'ready', 'change'])
    for (const one of followers) one.close()
  })
})

describe('a person who follows', () => {
  const username = 'paula'

  async function newPerson(): Promise<{ id: number; headers: Record<string, string> }> {
    await write('POST', '/api/users/', {
      username,
      email: `${username}@example.com`,
      password: 'Paula-live-1',
    })
    const { id } = await service.client.request<{ id: number }>('GET', `/api/users/${username}/`)
    await write('PUT', `/api/cloud/sites/demo/permissions/${id}/`, { permissions: ['access_site'] })
    return { id, headers: await headersOf({ username, password: 'Paula-live-1' }) }
  }

  it('gets no more once a right is lost, and others go on', async () => {
    const { id, headers } = await newPerson()
    const [paula, member] = [await follow(at(notes), { headers }), await asMember(notes)]
    await Promise.all([paula.next('ready'), member.next('ready')])
    await write('PUT', `/api/cloud/sites/demo/permissions/${id}/`, { permissions: [] })
    expect((await paula.next('end')).data).toEqual({ code: 'forbidden' })
    await write('POST', notes, { id: 77, name: 'For members' })
    await member.next('change')
    await paula.ended
    expect(JSON.stringify(paula.events)).not.toContain('For members')
    member.close()
  })
})

describe('people who share a list', () => {
  const rule = (where?: object) => ({
    rules: [
      { name: 'board', tables: ['others'], who: 'signed-in', can: ['read'], ...(where ? { where } : {}) },
    ],
  })

  it('no longer do once a rule compares with the person', async () => {
    await write('PUT', '/api/apps/shop/access/', rule())
    const [one, two] = await Promise.all(
      ['quinn', 'rosa'].map(async (username) => {
        const password = 'Sharing-live-1'
        await write('POST', '/api/users/', { username, email: `${username}@example.com`, password })
        const headers = await headersOf({ username, password })
        return { headers, board: await follow(at(others), { headers }) }
      }),
    )
    if (!one || !two) throw new Error('Both follow.')
    const ids = await Promise.all([one.board.next('ready'), two.board.next('ready')])
    expect(ids[0].id).toBe(ids[1].id)
    await write('PUT', '/api/apps/shop/access/', rule({ owner: { $: 'user.id' } }))
    for (const { board } of [one, two]) expect((await board.next('end')).data).toEqual({ code: 'renew' })
    const again = await follow(at(others), { headers: one.headers })
    expect((await again.next('list')).data.data).toEqual([])
    again.close()
  })
})

describe('live lists of the client', () => {
  type Tables = Record<string, { live(options?: object): Live<LiveList<Record<string, unknown>>> }>
  const clientFor = (token: string) =>
    createClient({ url: service.origin, auth: { token } }).app('shop') as unknown as Tables

  it('are whole lists, whose records stay the same objects, in one stream', async () => {
    const app = clientFor(authorization.slice('Bearer '.length))
    const seen: (readonly Record<string, unknown>[])[] = []
    let heard = 0
    const end = app.others?.live().subscribe(() => heard++)
    for await (const { data } of app.notes?.live({ ordering: ['id'], where: { id__gte: 100 } }) ?? []) {
      seen.push(data)
      if (seen.length === 1)
        await write('POST', notes, [
          { id: 100, name: 'A' },
          { id: 101, name: 'B' },
        ])
      if (seen.length === 2) await write('PATCH', `${notes}101/`, { name: 'C' })
      if (seen.length === 3) break
    }
    end?.()
    expect(heard).toBeGreaterThan(0)
    expect(seen.map((data) => data.map(({ name }) => name))).toEqual([[], ['A', 'B'], ['A', 'C']])
    expect(seen[2]?.[0]).toBe(seen[1]?.[0])
  })

  it('of several tables share one stream', async () => {
    let streams = 0
    const counting = (request: Request) => {
      if (request.url.endsWith('/api/live/')) streams++
      return fetch(request)
    }
    const token = authorization.slice('Bearer '.length)
    const db = createClient({ url: service.origin, auth: { token }, fetch: counting })
    const app = db.app('shop') as unknown as Tables
    const lists = [app.notes?.live(), app.others?.live(), db.live(things, { _aggregate: 'count(*)' })]
    const ends = await Promise.all(
      lists.map(
        (list) =>
          new Promise<(() => void) | undefined>((heard) => {
            const end: (() => void) | undefined = list?.subscribe(() => heard(end))
          }),
      ),
    )
    expect(streams).toBe(1)
    for (const end of ends) end?.()
  })

  it('end with an error where they may not be read', async () => {
    const app = clientFor(authorization.slice('Bearer '.length))
    const read = async () => {
      for await (const _ of app.nothing?.live() ?? []) throw new Error('There is no such table.')
    }
    await expect(read()).rejects.toMatchObject({ name: 'LiveEnded', code: 'not_found' })
  })
})

describe('POST /api/live/', () => {
  const headers = () => ({ authorization })

  it('refuses a list without a name, and names with line ends', async () => {
    for (const [lists, message] of [
      [{}, 'name at least one list'],
      [{ 'a\nevent: end': notes }, '400'],
    ] as const)
      await expect(follow(at('/api/live/'), { headers: headers(), body: { lists } })).rejects.toThrow(message)
  })

  it('carries several lists, and ends those that are refused', async () => {
    const lists = {
      few: `${things}?limit=1`,
      bad: `${things}../../../../../../api/users/`,
      none: '/api/apps/shop/datatables/none/data/',
      notes: { path: notes },
    }
    const stream = await follow(at('/api/live/'), { headers: headers(), body: { lists } })
    const first = await stream.next('ready')
    await stream.next('ready', stream.events.indexOf(first) + 1)
    expect(stream.events.filter(({ event }) => event === 'end').map(({ data }) => data)).toEqual([
      { list: 'bad', code: 'not_supported' },
      { list: 'none', code: 'not_found' },
    ])
    const seen = stream.events.length
    await write('POST', notes, { id: 40, name: 'Both' })
    expect((await stream.next('change', seen)).data.list).toBe('notes')
    stream.close()
  })
})
