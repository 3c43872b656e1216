/** The documentation in a real browser: on a phone and on a wide screen, light and dark, and its search. */
import type { BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { newSigningKeys } from '../../dev/signing-keys.ts'
import { type RunningWorker, startWorker } from '../../dev/worker.ts'
import { type OpenBrowser, openBrowser, phone } from './browser.ts'

let worker: RunningWorker
let browser: OpenBrowser

beforeAll(async () => {
  worker = await startWorker({
    host: '127.0.0.1',
    port: 0,
    quiet: true,
    bindings: {
      DATABASE_URL: 'postgresql://nobody:nothing@127.0.0.1:9/nowhere',
      SIGNING_KEYS: await newSigningKeys(),
    },
  })
  browser = await openBrowser(worker.url.origin)
})

afterAll(async () => {
  await browser?.close()
  await worker?.stop()
})

afterEach(() => {
  expect(browser.complaints()).toEqual([])
})

const screens: [name: string, options: BrowserContextOptions][] = [
  ['phone', phone],
  ['phone-dark', { ...phone, colorScheme: 'dark' }],
  ['wide', {}],
  ['wide-dark', { colorScheme: 'dark' }],
]

describe.each(screens)('on a screen: %s', (name, options) => {
  it.each(['', 'guide/queries/', 'operate/configuration/', 'architecture/'])(
    'the page docs/%s fits the screen and has sufficient contrast',
    async (path) => {
      const page = await browser.open(options)
      await page.goto(`/docs/${path}`)
      await browser.shoot(page, `docs-${path.replaceAll('/', '-')}${name}`)
      const { overflow, contrasts } = await browser.measure(page)
      expect(overflow).toBeLessThanOrEqual(0)
      expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(4.5)
      await page.context().close()
    },
  )
})

describe('the search of the documentation', () => {
  it('finds a section, also without scripts', async () => {
    const page = await browser.open({ javaScriptEnabled: false })
    await page.goto('/docs/')
    await page.getByLabel('Search').fill('upsert')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('link', { name: 'Writes: Upsert' }).click()
    await page.waitForURL('**/docs/guide/writes/#upsert')
    await browser.shoot(page, 'docs-search')
  })
})
