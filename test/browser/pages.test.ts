/** The start page, documentation, API reference and sign-in on narrow and wide screens, light and dark. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, secretBytes } from '../../dev/examples/totp.ts'
import { scaled } from '../support/scaled.ts'
import { admin, type Service, startService } from '../support/service.ts'
import { type OpenBrowser, openBrowser, phone, screens } from './browser.ts'
import { proveAccount } from './prove-account.ts'

let service: Service
let browser: OpenBrowser
const password = 'Another-horse-2'

const field = (name: string, type: string, constraints = {}) => ({ name, type, constraints })

beforeAll(async () => {
  service = await startService(['harbour'])
  browser = await openBrowser(service.origin)
  const api = '/sites/demo/api/apps/'
  await service.client.request('POST', api, { name: 'store' })
  await service.client.request('POST', `${api}store/datatables/create_schema/?materialize=true`, {
    resources: [
      {
        name: 'products',
        schema: {
          fields: [
            field('id', 'integer'),
            field('name', 'string', { required: true }),
            field('price', 'number', { minimum: 0 }),
          ],
          primaryKey: 'id',
        },
      },
    ],
  })
  await service.client.request('POST', `${api}store/datatables/products/data/`, [
    { name: 'Torque wrench', price: 40 },
    { name: 'Spade', price: 18.5 },
  ])
  await proveAccount(service, password)
})

afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

afterEach(() => {
  expect(browser.complaints()).toEqual([])
})

async function signIn(page: Page, next = '/'): Promise<void> {
  await page.goto(`/accounts/login/?next=${encodeURIComponent(next)}`)
  await page.getByLabel('User name or e-mail').fill(admin.email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${service.origin}${next}`)
}

const signedOut: readonly [name: string, path: string][] = [
  ['start', '/'],
  ['docs', '/docs/'],
  ['guide', '/docs/guide/queries/'],
  ['search', '/docs/search?q=upsert'],
  ['reference', '/api/docs/'],
  ['operation', '/api/docs/createRecord/'],
  ['sign-in', '/accounts/login/'],
  ['refused', '/api/docs/apps/store/'],
]
const signedIn: readonly [name: string, path: string][] = [
  ['account', '/'],
  ['second-factors', '/accounts/second-factor/'],
  ['account', '/accounts/me/'],
  ['link', '/accounts/link/'],
  ['passkeys', '/accounts/passkeys/'],
  ['reference-signed-in', '/api/docs/'],
  ['app', '/api/docs/apps/store/'],
  ['list', '/api/docs/apps/store/listRecords_products/'],
]

describe.each(screens)('at %s', (screen, options) => {
  const expectFine = async (page: Page, name: string) => {
    await browser.shoot(page, `${name}-${screen}`)
    expect((await browser.measure(page)).overflow).toBeLessThanOrEqual(0)
    expect(await browser.violations(page)).toEqual([])
  }

  it.each(signedOut)('%s fits the screen, and axe finds no violation', async (name, path) => {
    const page = await browser.open(options)
    await page.goto(path)
    await expectFine(page, name)
    await page.context().close()
  })

  it('pages for signed-in users fit the screen, and axe finds no violation', async () => {
    const page = await browser.open(options)
    await signIn(page)
    for (const [name, path] of signedIn) {
      await page.goto(path)
      await expectFine(page, name)
    }
    for (const details of await page.locator('details').all()) {
      if ((await details.getAttribute('open')) === null) await details.locator('> summary').click()
    }
    await expectFine(page, 'list-unfolded')
    await page.context().close()
  })
})

/**
 * The time in ms from the start of the page until its first content is painted, which may be later than the
 * call.
 */
const firstContentfulPaint = `new Promise((resolve) =>
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntriesByName('first-contentful-paint')) resolve(startTime)
  }).observe({ type: 'paint', buffered: true }))`

describe('the API reference', () => {
  it('shows its first content within two seconds', { retry: 4 }, async () => {
    const page = await browser.open()
    await page.goto('/api/docs/')
    await page.getByRole('heading', { level: 1, name: 'API reference' }).waitFor()
    const painted = await page.evaluate<number>(firstContentfulPaint)
    expect(painted).toBeLessThan(scaled(2_000))
  })

  it('links from the app of a site to a filter, which can be tried with the rights of the session', async () => {
    const page = await browser.open()
    await signIn(page, '/api/docs/')
    await page.locator('main').getByRole('link', { name: 'store', exact: true }).click()
    await page.locator('main').getByRole('link', { name: 'List records' }).click()
    await page.getByLabel('Field and operator 1').fill('price__lt')
    await page.getByLabel('Value 1', { exact: true }).fill('20')
    expect(await page.locator('#command').textContent()).toBe(
      `curl -H "Authorization: Bearer $TOKEN" '${service.origin}/api/apps/store/datatables/products/data/?price__lt=20'`,
    )
    await page.getByRole('button', { name: 'Send GET' }).click()
    const answer = page.locator('#answer')
    await answer.getByRole('heading', { name: /^200 OK in \d+ ms$/ }).waitFor()
    expect(await answer.textContent()).toContain('"Spade"')
    expect(await answer.textContent()).not.toContain('Torque wrench')
    await browser.shoot(page, 'tried-filter')
    expect(await browser.violations(page)).toEqual([])
  })

  it('creates a record from the body that it suggests', async () => {
    const page = await browser.open()
    await signIn(page, '/api/docs/apps/store/createRecord_products/')
    expect(JSON.parse(await page.getByLabel('Body').inputValue())).toEqual({ name: 'text' })
    await page.getByLabel('Body').fill('{"name": "Rake", "price": 12}')
    await page.getByRole('button', { name: 'Send POST' }).click()
    await page.getByRole('heading', { name: /^201 Created in/ }).waitFor()
  })

  it('says that the session has ended, and sends an anonymous visitor to the sign-in page and back', async () => {
    const page = await browser.open()
    await signIn(page, '/api/docs/apps/store/listRecords_products/')
    const other = await page.context().newPage()
    await other.goto('/')
    await other.getByRole('button', { name: 'Sign out' }).click()
    await other.getByRole('link', { name: 'Sign in' }).waitFor()
    await page.getByRole('button', { name: 'Send GET' }).click()
    await page.getByRole('heading', { name: 'Your session has ended.' }).waitFor()
    browser.complaints()
    await page.reload()
    await page.getByRole('heading', { name: 'Please sign in' }).waitFor()
    await page.getByRole('link', { name: 'Go to the sign-in page' }).click()
    await page.getByLabel('User name or e-mail').fill(admin.email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/api/docs/apps/store/listRecords_products/')
  })
})

describe('the start page', () => {
  it('names the account and its sites, and signs out, without scripts', async () => {
    const page = await browser.open({ javaScriptEnabled: false })
    await signIn(page)
    expect(await page.locator('main').textContent()).toContain(`Signed in as admin, ${admin.email}`)
    expect(await page.getByRole('link', { name: 'Demo' }).getAttribute('href')).toBe('/console/demo/')
    await page.locator('.sites .hint a').click()
    await page.waitForURL('**/sites/demo/api/docs/')
    await page.goto('/')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('sessionid')
  })
})

describe('the page of second factors', () => {
  it('turns an authenticator app on and off; each step fits a phone, and axe finds no violation', async () => {
    const page = await browser.open(phone)
    const expectFine = async (name: string) => {
      await browser.shoot(page, name)
      const { overflow, contrasts } = await browser.measure(page)
      expect([overflow, Math.min(...contrasts) >= 4.5]).toEqual([0, true])
      expect(await browser.violations(page)).toEqual([])
    }
    const turnOn = page.getByRole('button', { name: 'Turn on the app' })
    await signIn(page)
    await page.getByRole('link', { name: 'second factors' }).click()
    await page.getByRole('link', { name: 'Your second factors' }).click()
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    await expectFine('app-begun')
    const secret = secretBytes(((await page.locator('code').textContent()) ?? '').replaceAll(' ', ''))
    await page.getByLabel('Code that the app shows').fill('12345')
    await turnOn.click()
    await page.getByText('A code has six digits.').waitFor()
    await expectFine('app-wrong-code')
    await page.getByLabel('Code that the app shows').fill(codeOf(secret))
    await turnOn.click()
    await page.getByRole('heading', { name: 'The authenticator app is turned on' }).waitFor()
    expect(await page.locator('.codes li').count()).toBe(10)
    await expectFine('app-turned-on')
    await page.getByRole('link', { name: 'Your second factors' }).click()
    await page.getByText('You have 10 unused codes.').waitFor()
    await expectFine('app-present')
    await page.getByRole('button', { name: 'Turn off the authenticator app' }).click()
    await page.getByText('The app is turned off.').waitFor()
  })
})
