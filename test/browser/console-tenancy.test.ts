/** The branding of a site, and its copies and archives, in the console. docs/guide/console.md. */
import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bookCount, type ConsoleStack, startConsole } from './console.ts'

/** A PNG of one pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

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

describe('the branding of a site', () => {
  it('an invalid colour gets the error of the API, and nothing is saved', async () => {
    const page = await stack.open('demo/settings/?part=looks')
    await page.getByLabel('Display name').fill('Harbour Library')
    await page.getByLabel('Color of buttons').fill('green')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('A color is required, for example #0f766e.').waitFor()
    // The browser reports the 400.
    stack.browser.complaints()
    expect(await stack.service.client.request('GET', '/api/cloud/sites/demo/')).toMatchObject({
      branding: { name: null, color: null, logo: null },
    })
  })

  it('name, colour and logo are previewed before they are saved, and then appear on the sign-in page', async () => {
    const page = await stack.open('demo/settings/?part=looks')
    await page.getByLabel('Display name').fill('Harbour Library')
    await page.getByLabel('Color of buttons').fill('#0f766e')
    await page
      .getByLabel('File with the logo')
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') })
    const preview = page.getByRole('img', { name: 'The sign-in page of Harbour Library' })
    await preview.locator('img[src^="data:image/png"]').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The branding is saved.').waitFor()
    await preview.locator('img[src*="logo"]').waitFor()
    const other = await stack.browser.open()
    await other.goto('/sites/demo/accounts/login/?auto_redirect=false')
    await other.getByText('Harbour Library', { exact: true }).waitFor()
    await other.context().close()
  })

  it('a user without a second factor cannot require one of others', async () => {
    const page = await stack.open('demo/settings/')
    await page.getByLabel('Everyone who works here needs a second factor').check({ force: true })
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .getByRole('alert')
      .getByText(/second factor/)
      .waitFor()
    stack.browser.complaints()
  })
})

describe('copies and archives', () => {
  it('a slug that is taken gets an error at its field; then the copy is made, with its progress', async () => {
    const page = await stack.open('demo/settings/?part=transfers')
    const form = page.getByRole('region', { name: 'Copy this site' })
    await form.getByLabel('Slug of the new site').fill('demo')
    await form.getByRole('button', { name: 'Copy' }).click()
    await form.getByText(/already|taken/).waitFor()
    stack.browser.complaints()
    await form.getByLabel('Slug of the new site').fill('branch')
    await form.getByRole('button', { name: 'Copy' }).click()
    const progress = page.getByRole('region', { name: 'Progress' })
    await progress.getByText(/^Completed\./).waitFor()
    await progress.getByText(`Records: ${bookCount + 2},`).waitFor()
    await progress.getByRole('link', { name: 'Open branch' }).click()
    await page.getByRole('region', { name: 'Books' }).getByRole('link', { name: 'books' }).waitFor()
  })

  it('an archive is downloaded, and creates another site', async () => {
    const page = await stack.open('demo/settings/?part=transfers')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByRole('button', { name: 'Download the archive' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('demo.zip')
    const archive = readFileSync(await file.path())
    expect(archive.subarray(0, 2).toString()).toBe('PK')
    const form = page.getByRole('region', { name: 'Create a site from an archive' })
    // A button opens the file field of the archive.
    await form
      .locator('input[type=file]')
      .setInputFiles({ name: 'demo.zip', mimeType: 'application/zip', buffer: archive })
    await form.getByLabel('Slug of the new site').fill('second')
    await form.getByRole('button', { name: 'Import' }).click()
    const progress = page.getByRole('region', { name: 'Progress' })
    await progress.getByRole('heading', { name: 'Import: second' }).waitFor()
    await progress.getByText(/^Completed\./).waitFor()
    const { total } = await stack.service.client.request<{ total: number }>(
      'GET',
      '/sites/second/api/apps/books/datatables/books/data/?_count=true',
    )
    expect(total).toBe(bookCount)
  })

  it('a file that is not an archive gets an error, and leaves no site behind', async () => {
    const page = await stack.open('demo/settings/?part=transfers')
    const form = page.getByRole('region', { name: 'Create a site from an archive' })
    await form
      .locator('input[type=file]')
      .setInputFiles({ name: 'demo.zip', mimeType: 'application/zip', buffer: Buffer.from('no archive') })
    await form.getByLabel('Slug of the new site').fill('third')
    await form.getByRole('button', { name: 'Import' }).click()
    await form
      .getByRole('alert')
      .getByText(/zip file/)
      .waitFor()
    // The browser reports the 422.
    stack.browser.complaints()
    await expect(stack.service.client.request('GET', '/sites/third/api/apps/')).rejects.toThrow(/404/)
  })
})
