/** Shared by the journeys through the console: a service with records, and a signed-in user. */

import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { admin, type Service, startService } from '../support/service.ts'
import { type OpenBrowser, openBrowser } from './browser.ts'

/** The app that the journeys use: two tables, one of which references the other. */
const schema = {
  resources: [
    {
      name: 'authors',
      schema: {
        primaryKey: 'id',
        fields: [
          { name: 'id', type: 'integer' },
          { name: 'name', type: 'string', constraints: { required: true, unique: true } },
        ],
        search_fields: ['name'],
      },
    },
    {
      name: 'books',
      schema: {
        primaryKey: 'id',
        fields: [
          { name: 'id', type: 'integer' },
          { name: 'title', type: 'string', constraints: { required: true, maxLength: 80 } },
          { name: 'author_id', type: 'integer' },
          { name: 'pages', type: 'integer', constraints: { minimum: 1 } },
          { name: 'condition', type: 'string', constraints: { enum: ['new', 'good', 'worn'] } },
          { name: 'lent_at', type: 'datetime' },
          { name: 'details', type: 'object' },
        ],
        foreignKeys: [{ fields: 'author_id', reference: { resource: 'authors', fields: 'id' } }],
        search_fields: ['title'],
        history: true,
      },
    },
  ],
}

const nameLengthMax = 90

/** Returns a file name for a test, made of the words of its title. */
const fileNameOf = (title: string): string =>
  title
    .replaceAll(/[^a-z0-9]+/gi, '-')
    .replaceAll(/^-|-$/g, '')
    .toLowerCase()
    .slice(0, nameLengthMax)

/** The number of books: more than a page of the grid. */
export const bookCount = 250

/** A console in a browser. */
export interface ConsoleStack {
  service: Service
  browser: OpenBrowser
  /**
   * Opens a URL below /console/ in a new profile that is signed in. Most profiles share a session, because
   * checking a password is slow on purpose. A test that ends the session uses `ownSession`. After the test,
   * the page is saved as a screenshot with the name of the test, and a request to another host fails the
   * test.
   */
  open(address: string, options?: BrowserContextOptions & { ownSession?: boolean }): Promise<Page>
  stop(): Promise<void>
}

/** Starts a service with the console and an app with records. */
export async function startConsole(): Promise<ConsoleStack> {
  const service = await startService([])
  const apps = '/sites/demo/api/apps/'
  const { client } = service
  await client.request('POST', apps, { name: 'Books' })
  await client.request('POST', `${apps}books/datatables/create_schema/?materialize=true`, schema)
  await client.request('POST', `${apps}books/datatables/authors/data/`, [
    { name: 'Ada Berg' },
    { name: 'Emil Sand' },
  ])
  await client.request(
    'POST',
    `${apps}books/datatables/books/data/`,
    Array.from({ length: bookCount }, (_, index) => ({
      title: `Volume ${index + 1}`,
      author_id: (index % 2) + 1,
      pages: 100 + index,
      condition: ['new', 'good', 'worn'][index % 3],
      details: { shelf: index % 7 },
    })),
  )
  const browser = await openBrowser(service.origin)
  let pages = 0
  let session: Awaited<ReturnType<ReturnType<Page['context']>['cookies']>> | undefined
  return {
    service,
    browser,
    async open(address, { ownSession = false, ...options } = {}) {
      const page = await browser.open({ locale: 'en-GB', ...options })
      const context = page.context()
      const elsewhere: string[] = []
      context.on('request', (request) => {
        const url = request.url()
        if (!url.startsWith(service.origin) && !/^(data|blob):/.test(url)) elsewhere.push(url)
      })
      onTestFinished(async ({ task }) => {
        pages += 1
        await browser.shoot(page, `journeys/${fileNameOf(task.name)}-${pages}`)
        await context.close()
        expect(elsewhere).toEqual([])
      })
      if (session && !ownSession) await context.addCookies(session)
      else {
        await page.request.post('/api/auth/session/', {
          data: { username: admin.email, password: admin.password },
        })
        if (!ownSession) session = await context.cookies()
      }
      await page.goto(`/console/${address}`)
      return page
    },
    async stop() {
      await browser.close()
      await service.stop()
    },
  }
}
