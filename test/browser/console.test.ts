/**
 * The console in a real browser: signing in, its frame, and the records of a table. docs/guide/console.md.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { scaled } from '../support/scaled.ts'
import { admin } from '../support/service.ts'
import { until } from '../support/until.ts'
import { bookCount, type ConsoleStack, startConsole } from './console.ts'

let stack: ConsoleStack

beforeAll(async () => {
  stack = await startConsole()
})

afterAll(async () => {
  await stack?.stop()
})

afterEach(() => {
  expect(stack.browser.complaints()).toEqual([])
})

const firstLoadMax = 250 * 1024

describe('the files of the console', () => {
  it('the first load has at most 250 KiB, compressed', () => {
    const folder = join(import.meta.dirname, '..', '..', 'src', 'operation', 'assets', 'console')
    const document = readFileSync(join(folder, 'index.html'), 'utf8')
    const files = readdirSync(join(folder, '_')).filter((name) => document.includes(`/console/_/${name}`))
    expect(files.length).toBeGreaterThanOrEqual(2)
    const sizes = files.map((name) => gzipSync(readFileSync(join(folder, '_', name)), { level: 9 }).length)
    expect(sizes.reduce((sum, size) => sum + size, gzipSync(document).length)).toBeLessThanOrEqual(
      firstLoadMax,
    )
  })

  it('the policy allows nothing inline, and each response has a nonce of its own', async () => {
    const [first, second] = await Promise.all(
      ['/console/', '/console/demo/'].map(async (path) => fetch(`${stack.service.origin}${path}`)),
    )
    const policies = [first, second].map((answer) => answer?.headers.get('content-security-policy') ?? '')
    expect(policies[0]).toMatch(/script-src 'self' 'nonce-[\w+/]{24}';/)
    expect(policies[0]).not.toContain('unsafe')
    expect(policies[0]).not.toBe(policies[1])
    expect(first?.headers.get('cache-control')).toBe('no-store')
    const nonce = /nonce-([\w+/]{24})/.exec(policies[0] ?? '')?.[1]
    const html = await first?.text()
    expect(html).toContain(`nonce="${nonce}"`)
    const [script = ''] = /\/console\/_\/[^"]+\.js/.exec(html ?? '') ?? []
    const file = await fetch(`${stack.service.origin}${script}`)
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect((await fetch(`${stack.service.origin}/console/_/none.js`)).status).toBe(404)
  })

  it('the licenses of the packages that it contains are served with it', async () => {
    const answer = await fetch(`${stack.service.origin}/console/_/licenses`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=UTF-8'])
    const text = await answer.text()
    for (const name of ['react', '@mantine/core', 'elkjs']) expect(text).toContain(`## ${name} - `)
  })
})

describe('signing in', () => {
  it('an anonymous visitor is sent to the sign-in page, and back', async () => {
    const page = await stack.browser.open({ locale: 'en-GB' })
    await page.goto('/console/demo/')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('User name or e-mail').fill(admin.email)
    await page.getByLabel('Password').fill(admin.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Apps and tables' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/demo/')
    // The browser reports the 401 of the first request.
    stack.browser.complaints()
  })
})

describe('the frame', () => {
  it('sites link to apps and tables, and tables to records', async () => {
    const page = await stack.open('')
    await page.getByRole('region', { name: 'Harbour Street' }).getByRole('link', { name: 'Demo' }).click()
    await page.getByRole('region', { name: 'Books' }).getByRole('link', { name: 'books' }).click()
    await page.getByRole('grid', { name: 'Records of books' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/demo/data/books/books/')
  })

  it('the command palette finds a table by its name, with the keyboard alone', async () => {
    const page = await stack.open('demo/')
    await page.getByRole('heading', { name: 'Apps and tables' }).waitFor()
    await page.keyboard.press('Control+k')
    const field = page.getByRole('textbox', { name: 'Find a site, an app, a table or a page' })
    await field.fill('autho')
    await page.getByRole('dialog').getByText('authors').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('grid', { name: 'Records of authors' }).waitFor()
  })

  it('German can be chosen in the account menu, and is remembered', async () => {
    const page = await stack.open('demo/')
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Deutsch' }).click()
    await page.getByRole('heading', { name: 'Apps und Tabellen' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Apps und Tabellen' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
  })

  it('the title of the document names the page and the site, in the language of the user', async () => {
    const page = await stack.open('')
    const hasTitle = (title: string) =>
      until(
        async () => (await page.title()) === title,
        () => title,
        scaled(10_000),
      )
    await hasTitle('Sites · Tessera')
    await page.goto('/console/demo/')
    await page.getByRole('link', { name: 'People' }).click()
    await hasTitle('People · demo · Tessera')
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Deutsch' }).click()
    await hasTitle('Personen · demo · Tessera')
    await page.goBack()
    await hasTitle('Apps und Tabellen · demo · Tessera')
    await page.goto('/console/demo/data/books/books/1/')
    await hasTitle('books 1 · books · demo · Tessera')
    await page.goto('/console/demo/nowhere/')
    await hasTitle('Diese Seite gibt es nicht · demo · Tessera')
  })

  it('dark mode can be chosen in the account menu, and is remembered', async () => {
    const page = await stack.open('demo/')
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Dark' }).click()
    await page.reload()
    await page.getByRole('heading', { name: 'Apps and tables' }).waitFor()
    expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark')
  })

  it('a key skips the navigation, and the navigation opens on a phone', async () => {
    const page = await stack.open('demo/', { viewport: { width: 375, height: 700 } })
    await page.getByRole('main').getByRole('link').first().waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true)
    await page.getByRole('button', { name: 'Open the navigation' }).click()
    await page.getByRole('navigation').getByRole('link', { name: 'Secrets' }).click()
    await page.getByRole('heading', { name: 'Secrets', level: 1 }).waitFor()
  })

  it('a user who has signed out sees no more data', async () => {
    const page = await stack.open('demo/data/books/books/', { ownSession: true })
    await page.getByRole('grid', { name: 'Records of books' }).waitFor()
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.goto('/console/demo/data/books/books/')
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    // The browser reports the 401.
    stack.browser.complaints()
  })
})

describe('the records of a table', () => {
  it('can be reached by keyboard to the last one, page by page', async () => {
    const page = await stack.open('demo/data/books/books/')
    const grid = page.getByRole('grid', { name: 'Records of books' })
    await grid.getByText('Volume 1', { exact: true }).focus()
    const last = grid.getByText(`Volume ${bookCount}`, { exact: true })
    // A key moves only within the records that have arrived.
    await until(
      async () => {
        await page.keyboard.press('PageDown')
        return last.isVisible()
      },
      () => 'the last record is not shown',
    )
    await page.getByText(`${bookCount} records`).waitFor()
  })
})
