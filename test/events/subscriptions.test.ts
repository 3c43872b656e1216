/** The catalog of events, subscriptions, and the subscribers of an app. Spec: Events; E1, E7. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createEventful, type Eventful, eventfulShop, noop } from '../support/events.ts'
import { grant } from '../support/fixtures.ts'

let one: Eventful
let two: Eventful
let id: number

const moment = expect.stringMatching(/Z$/)
const names = [
  'PRE_USER_CREATE',
  'POST_USER_CREATE',
  'POST_USER_UPDATE',
  'POST_USER_DELETE',
  'RECORD_CREATE',
  'RECORD_UPDATE',
  'RECORD_DELETE',
]

beforeAll(async () => {
  one = await createEventful('one')
  two = await eventfulShop(one.app, 'two', one.queue)
  id = await one.listener('Listener', [])
})

describe('GET /api/cloud/events/', () => {
  it('returns 401 without credentials, 403 without access to the site, and 404 without a tenant', async () => {
    const stranger = await one.app.user('stranger')
    expect((await one.app.request('GET', `${one.shop.api}/cloud/events/`)).status).toBe(401)
    const rejected = await one.app.request('GET', `${one.shop.api}/cloud/events/`, { token: stranger.token })
    expect([rejected.status, rejected.body]).toEqual([
      403,
      { detail: 'You do not have permission to perform this action.', code: 'permission_denied' },
    ])
    expect((await one.app.request('GET', '/api/cloud/events/', { token: stranger.token })).status).toBe(404)
  })

  it('returns the seven names to a user with access to the site and to an API key', async () => {
    const member = await one.app.user('member')
    await grant(one.app, one.shop, member, ['access_site'])
    const answer = await one.app.request('GET', `${one.shop.api}/cloud/events/`, { token: member.token })
    expect([answer.status, answer.body]).toEqual([
      200,
      { success: true, message: expect.any(String), data: { events: names } },
    ])
    const { body } = await one.app.request('POST', `${one.shop.api}/api-keys/`, {
      token: member.token,
      body: { name: 'ci' },
    })
    const headers = { authorization: `Api-Key ${body.key}` }
    expect((await one.app.request('GET', `${one.shop.api}/cloud/events/`, { headers })).body).toEqual(
      answer.body,
    )
  })
})

describe('subscribe and unsubscribe', () => {
  it('needs manage_site for PRE_USER_CREATE, and access_site for other events', async () => {
    const member = await one.app.user('subscriber')
    const send = (action: string, event = 'PRE_USER_CREATE') =>
      one.app.request('POST', `${one.shop.api}/cloud/events/${event}/${action}/`, {
        token: member.token,
        body: { function_id: id },
      })
    const refused = {
      status: 403,
      body: { detail: 'You do not have permission to perform this action.', code: 'permission_denied' },
    }
    await grant(one.app, one.shop, member, ['access_site', 'change_site'])
    expect(await send('subscribe')).toMatchObject(refused)
    expect((await one.subscribe('PRE_USER_CREATE', id)).status).toBe(201)
    expect(await send('unsubscribe')).toMatchObject(refused)
    expect((await send('subscribe', 'POST_USER_CREATE')).status).toBe(201)
    expect((await send('unsubscribe', 'POST_USER_CREATE')).status).toBe(200)
    await grant(one.app, one.shop, member, ['access_site', 'manage_site'])
    expect((await send('unsubscribe')).status).toBe(200)
  })

  it('returns 400 with the valid names for an unknown event, and 403 without access', async () => {
    const stranger = await one.app.user('stranger-2')
    const message = `Invalid event type "SUNRISE". Valid events are: ${names.join(', ')}.`
    for (const rejected of [
      await one.subscribe('SUNRISE', id),
      await one.unsubscribe('SUNRISE', id),
      await one.owner.get('/apps/shop/events/SUNRISE/'),
    ]) {
      expect([rejected.status, rejected.body]).toEqual([
        400,
        { success: false, message, code: 'validation_failed' },
      ])
    }
    const path = `${one.shop.api}/cloud/events/SUNRISE/subscribe/`
    expect(
      (await one.app.request('POST', path, { token: stranger.token, body: { function_id: id } })).status,
    ).toBe(403)
  })

  it('returns 400 for an unknown function and for a function of another site', async () => {
    const rejected = await one.subscribe('RECORD_CREATE', 999_999)
    expect([rejected.status, rejected.body]).toEqual([
      400,
      { success: false, message: 'A function with the id 999999 does not exist.', code: 'validation_failed' },
    ])
    const foreign = await two.listener('other', [])
    await two.listener('another', [])
    const own = await two.listener('third', [])
    expect([own, foreign].filter((candidate) => candidate !== id)).not.toEqual([])
    expect((await one.subscribe('RECORD_CREATE', own)).body).toEqual({
      success: false,
      message: `A function with the id ${own} does not exist.`,
      code: 'validation_failed',
    })
    expect((await one.unsubscribe('RECORD_CREATE', own)).body).toEqual({
      success: false,
      message: `A function with the id ${own} does not exist.`,
      code: 'validation_failed',
    })
  })

  it('returns 400 without function_id', async () => {
    const rejected = await one.owner.post('/cloud/events/RECORD_CREATE/subscribe/', {})
    expect([rejected.status, rejected.body]).toEqual([400, { function_id: ['This field is required.'] }])
  })

  it('returns 404 for a function that is not subscribed', async () => {
    const rejected = await one.unsubscribe('RECORD_CREATE', id)
    expect([rejected.status, rejected.body]).toEqual([
      404,
      {
        success: false,
        message: `The function ${id} is not subscribed to the event "RECORD_CREATE".`,
        code: 'not_found',
      },
    ])
  })

  it('returns 201 with the subscriber, 400 for a duplicate, and 200 with {} for unsubscribing', async () => {
    const created = await one.subscribe('RECORD_CREATE', id)
    expect([created.status, created.body]).toEqual([
      201,
      {
        success: true,
        message: 'The function has been subscribed to the event.',
        data: {
          id: expect.any(Number),
          event: 'RECORD_CREATE',
          function: id,
          function_name: 'Listener',
          function_slug: 'listener',
          app_name: 'shop',
          app_slug: 'shop',
          tables: null,
          created_at: moment,
          updated_at: moment,
        },
      },
    ])
    const twice = await one.subscribe('RECORD_CREATE', id)
    expect([twice.status, twice.body]).toEqual([
      400,
      {
        success: false,
        message: `The function ${id} is already subscribed to the event "RECORD_CREATE".`,
        code: 'already_exists',
      },
    ])
    const shown = await one.owner.get('/apps/shop/events/RECORD_CREATE/')
    const app = { id: expect.any(Number), name: 'shop', slug: 'shop' }
    expect([shown.status, shown.body]).toEqual([
      200,
      {
        success: true,
        message: 'Subscribers retrieved successfully.',
        data: {
          event: 'RECORD_CREATE',
          app,
          total_subscribers: 1,
          subscribers: [
            {
              subscriber_id: created.body.data.id,
              event: 'RECORD_CREATE',
              function_id: id,
              function_name: 'Listener',
              function_slug: 'listener',
              app_id: shown.body.data.app.id,
              app_name: 'shop',
              app_slug: 'shop',
              tables: null,
              created_at: moment,
              filter_conditions: '',
            },
          ],
        },
      },
    ])
    const gone = await one.unsubscribe('RECORD_CREATE', id)
    expect([gone.status, gone.body]).toEqual([
      200,
      { success: true, message: 'The function has been unsubscribed from the event.', data: {} },
    ])
    expect((await one.owner.get('/apps/shop/events/RECORD_CREATE/')).body.data).toEqual({
      event: 'RECORD_CREATE',
      app,
      total_subscribers: 0,
      subscribers: [],
    })
    expect((await one.owner.get('/apps/none/events/RECORD_CREATE/')).status).toBe(404)
  })

  it('fires no event', async () => {
    const quiet = await one.listener('quiet', [])
    for (const event of names) {
      expect((await one.subscribe(event, quiet)).status).toBe(201)
      expect((await one.unsubscribe(event, quiet)).status).toBe(200)
    }
    expect(one.queue.waiting).toEqual([])
    expect(await one.app.sql(`select * from tenant._deliveries`)).toEqual([])
    expect(await one.runs('quiet')).toEqual([])
  })

  it('lets one of 16 concurrent subscriptions of a function succeed', async () => {
    const raced = await one.listener('raced', [], noop)
    const answers = await Promise.all(Array.from({ length: 16 }, () => one.subscribe('RECORD_UPDATE', raced)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(15).fill(400)])
  })
})
