/** Requests that enter their site and run their statements in one call (src/kernel/db/one-call.ts). */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { createShop, type Shop } from '../support/fixtures.ts'
import { roundTrips } from '../support/secrets.ts'

let app: TestApp
let shop: Shop

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'brief')
})

const limit = (ms: number | null) =>
  app.sql('update sites set statement_timeout_ms = $1 where slug = $2', [ms, shop.slug])

describe('a site with its own time limit', () => {
  it('is read in two round trips once, and then in one', async () => {
    const ask = () => app.request('GET', shop.data('makers'), { token: shop.owner.token })
    await ask()
    await limit(4_000)
    const first = await ask()
    const second = await ask()
    await limit(null)
    expect([first.status, roundTrips(first), second.status, roundTrips(second)]).toEqual([200, 2, 200, 1])
    expect(second.body).toEqual(first.body)
  })

  it('is written in one round trip', async () => {
    await limit(4_000)
    const path = shop.data('makers')
    const answer = await app.request('POST', path, { token: shop.owner.token, body: { name: 'One' } })
    await limit(null)
    expect([answer.status, roundTrips(answer)]).toEqual([201, 1])
  })
})

describe('a rejected call', () => {
  it('executes none of its statements', async () => {
    const stranger = await app.user('stranger')
    const body = { name: 'Not stored' }
    const answer = await app.request('POST', shop.data('makers'), { token: stranger.token, body })
    expect(answer.status).toBe(403)
    const { body: page } = await app.request('GET', shop.data('makers'), { token: shop.owner.token })
    expect(page.data).not.toContainEqual(expect.objectContaining({ name: 'Not stored' }))
  })
})
