/**
 * Every page of the console: in both color schemes, on a wide screen and on a phone, in English and German.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type ConsoleStack, startConsole } from './console.ts'

const apps = '/sites/demo/api/apps/'
const books = `${apps}books/`

/** The URLs of each page, by its folder below console/src/pages. */
const addresses: Readonly<Record<string, readonly string[]>> = {
  sites: [''],
  site: ['demo/', 'demo/nowhere/'],
  data: ['demo/data/books/books/', 'demo/data/books/authors/?as=anyone'],
  record: ['demo/data/books/books/1/', 'demo/data/books/authors/1/?part=related'],
  schema: ['demo/schema/'],
  'schema-app': ['demo/schema/books/?part=new', 'demo/schema/books/?part=settings'],
  'schema-table': ['demo/schema/books/books/', 'demo/schema/books/books/?part=history'],
  import: ['demo/import/books/books/'],
  picture: ['demo/picture/books/'],
  graph: ['demo/graph/?app=staff&table=people', 'demo/graph/?app=staff&table=people&view=picture&whole=true'],
  questions: ['demo/questions/?app=books&table=books&measure=count&by=condition'],
  dashboards: ['demo/dashboards/', 'demo/dashboards/?id=4711'],
  access: ['demo/access/?app=books&table=authors'],
  people: ['demo/people/'],
  secrets: ['demo/secrets/'],
  functions: ['demo/functions/'],
  function: [
    'demo/functions/books/greet/',
    'demo/functions/books/greet/?part=settings',
    'demo/functions/books/notify/',
    'demo/functions/books/notify/?part=receiver',
  ],
  runs: ['demo/runs/'],
  'dead-letters': ['demo/dead-letters/'],
  use: ['demo/use/'],
  settings: ['general', 'looks', 'domains', 'transfers', 'audit'].map(
    (part) => `demo/settings/?part=${part}`,
  ),
  'service-tenants': ['_service/tenants/?organization=harbour-street'],
  'service-health': ['_service/health/'],
}

let stack: ConsoleStack

beforeAll(async () => {
  stack = await startConsole()
  const { client } = stack.service
  await client.request('PUT', `${books}datatables/authors/access/`, {
    rules: [{ name: 'public', who: 'anyone', can: ['read'], fields: ['id', 'name'] }],
  })
  const code = 'export default async ({ name }) => { console.log("Hello", name); return name.length }'
  await client.request('POST', `${books}functions/`, { name: 'Greet', code })
  await client.request('POST', `${books}functions/greet/execute/`, { params: { name: 'Ada' } })
  const notify = {
    ...{ name: 'Notify', execution_mode: 'proxy', webhook_url: 'https://hooks.example.com/' },
    headers: { 'X-Shop': 'tidewater' },
  }
  await client.request('POST', `${books}functions/`, notify)
  const asked = { app: 'books', table: 'books', measure: 'count', group_by: 'condition' }
  await client.request('POST', '/sites/demo/api/questions/', { name: 'By condition', ...asked })
  await client.request('POST', '/sites/demo/api/dashboards/', {
    name: 'Stock',
    questions: [{ name: 'By condition', ...asked }],
  })
  const broken = { name: 'Broken', execution_mode: 'system', system_function: 'fail' }
  await client.request('POST', `${books}functions/`, broken)
  await client.request('POST', `${books}functions/broken/execute/`, {})
  const { items } = await client.request<{ items: { slug: string }[] }>(
    'GET',
    '/sites/demo/api/secret-types/',
  )
  const secret = { key: 'PRINTER', secret_type: items[0]?.slug, value: { value: 'hunter-2' } }
  await client.request('POST', '/sites/demo/api/secrets/', secret)
  await client.request('POST', '/api/cloud/sites/demo/domains/', { domain: 'books.example.org' })
  await client.request('POST', apps, { name: 'Staff' })
  const schema = {
    primaryKey: 'id',
    fields: [
      { name: 'id', type: 'integer' },
      { name: 'name', type: 'string' },
    ],
    hierarchy: true,
    graph: { enabled: true, types: [{ name: 'manager', inverse: 'reports' }] },
  }
  await client.request('POST', `${apps}staff/datatables/create_schema/?materialize=true`, {
    resources: [{ name: 'people', schema }],
  })
  await client.request('POST', `${apps}staff/datatables/people/data/`, [{ name: 'Ada' }, { name: 'Bram' }])
  await client.request('POST', `${apps}staff/datatables/people/edges/`, [
    { from_id: 2, to_id: 1, type: 'manager' },
  ])
})

afterAll(async () => {
  await stack?.stop()
})

afterEach(() => {
  expect(stack.browser.complaints()).toEqual([])
})

it('this test covers every page of the console', () => {
  const pages = join(import.meta.dirname, '..', '..', 'console', 'src', 'pages')
  const found = readdirSync(pages).filter((name) => existsSync(join(pages, name, 'place.ts')))
  expect(Object.keys(addresses).sort()).toEqual(found.sort())
})

/** Waits until the page has its heading and its data. */
async function isShown(page: Page) {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
}

it('each page has a title of its own', async () => {
  const page = await stack.open('')
  const titles: string[] = []
  for (const [address = ''] of Object.values(addresses)) {
    await page.goto(`/console/${address}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const site = address.startsWith('demo/') ? ' · demo' : ''
    expect(await page.title()).toMatch(new RegExp(`^[^·]+( · books)?${site} · Tessera$`))
    titles.push(await page.title())
  }
  expect(new Set(titles).size).toBe(titles.length)
})

/**
 * Colors of a scheme change in a transition, which starts with the next frame. axe would see intermediate
 * colors.
 */
const colorsHaveChanged = `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))).then(() =>
  Promise.allSettled(
    document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished)))`

/** A wide screen in English, then a phone in German; both color schemes on each. */
const looks = [
  ['en-GB', 1280],
  ['de-DE', 375],
] as const

it.each(Object.values(addresses).flat())(
  '/console/%s breaks no accessibility rule and fits the screen',
  async (address) => {
    for (const [locale, width] of looks) {
      const page = await stack.open(address, { locale, viewport: { width, height: 800 } })
      await isShown(page)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.evaluate(colorsHaveChanged)
        const look = `${width} pixels, ${colorScheme}`
        expect(await stack.browser.violations(page), look).toEqual([])
        expect((await stack.browser.measure(page)).overflow, look).toBeLessThanOrEqual(0)
        await stack.browser.shoot(page, `pages/${address.replaceAll(/\W+/g, '-')}-${width}-${colorScheme}`)
      }
    }
  },
)
