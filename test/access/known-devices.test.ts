/** Wrong passwords from elsewhere do not lock the owner out of a browser that has signed in before. A7. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, startApp, type TestApp } from '../support/app.ts'

let app: TestApp
const password = 'Correct-horse-1'

beforeAll(async () => {
  app = await startApp({ RATE_LIMIT_SCALE: '1' })
  await createSite(app, 'acme')
})

/** Signs in on the page. Each attempt comes from another IP address unless `ip` is given. */
let addresses = 0
const onPage = (username: string, secret: string, cookie = '', ip = `203.0.113.${++addresses}`) =>
  app.request('POST', '/sites/acme/accounts/login/', {
    body: new URLSearchParams({ username, password: secret }).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'http://localhost',
      'cf-connecting-ip': ip,
      ...(cookie ? { cookie } : {}),
    },
  })
const deviceOf = (headers: Headers) =>
  headers
    .getSetCookie()
    .find((one) => one.startsWith('deviceid='))
    ?.split(';')[0] as string

describe('an account with too many wrong passwords from other browsers', () => {
  it('returns 429 to other callers, and to a browser with the cookie of another account', async () => {
    await app.user('ada', { password })
    await app.user('mallory', { password })
    const other = deviceOf((await onPage('mallory', password)).headers)
    for (let times = 0; times < 10; times++) await onPage('ada', 'Wrong-horse-1')
    expect((await onPage('ada', password)).status).toBe(429)
    expect((await onPage('ada', password, other)).status).toBe(429)
    expect((await onPage('ada', password, 'deviceid=x.y.z')).status).toBe(429)
  })

  it('lets a browser sign in that has signed in before, and the browser keeps its cookie', async () => {
    await app.user('bo', { password })
    const first = await onPage('bo', password)
    const device = deviceOf(first.headers)
    expect(first.headers.getSetCookie().at(-1)).toMatch(
      /^deviceid=[\w.-]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    for (let times = 0; times < 11; times++) await onPage('bo', 'Wrong-horse-1')
    expect((await onPage('bo', password)).status).toBe(429)
    const again = await onPage('bo', password, device)
    expect([again.status, deviceOf(again.headers)]).toEqual([303, device])
  })

  it('returns 429 to that browser after ten wrong passwords of its own; its cookie is no credential', async () => {
    await app.user('cleo', { password })
    const device = deviceOf((await onPage('cleo', password)).headers)
    for (let times = 0; times < 10; times++)
      expect((await onPage('cleo', 'Wrong-horse-1', device)).status).toBe(401)
    expect((await onPage('cleo', password, device)).status).toBe(429)
    const token = device.replace('deviceid=', '')
    expect((await app.request('GET', '/api/users/me/', { token })).status).toBe(401)
    const asSession = { cookie: `sessionid=${token}`, origin: 'http://localhost' }
    expect((await app.request('POST', '/api/auth/session/token/', { headers: asSession })).status).toBe(401)
  })
})
