/**
 * JSON values in the console: the editor of a field, in a grid, on the page of a record, and in a new record.
 */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type ConsoleStack, startConsole } from './console.ts'

const books = '/sites/demo/api/apps/books/datatables/books/data/'

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

const detailsOf = async (id: number) =>
  (await stack.service.client.request<{ data: { details: unknown } }>('GET', `${books}${id}/`)).data.details

/** Waits until the editor of the details has the focus, and returns it. */
async function focusedEditor(page: Page) {
  const editor = page
    .getByRole('dialog', { name: 'Change details' })
    .getByRole('textbox', { name: 'details' })
  await editor.and(page.locator(':focus')).waitFor()
  return editor
}

/** Opens the editor on the page of a record. */
async function open(page: Page) {
  await page.getByRole('button', { name: 'Change details' }).click()
  return focusedEditor(page)
}

it('invalid JSON is marked in the editor and not saved; Ctrl-Enter saves valid JSON', async () => {
  const page = await stack.open('demo/data/books/books/5/')
  const editor = await open(page)
  await editor.fill('{"shelf": }')
  await page.getByText('This is not JSON.').waitFor()
  await editor.and(page.locator('[aria-invalid=true]')).waitFor()
  // The mark is at the missing value.
  await editor.locator('.cm-lintRange-error', { hasText: '}' }).waitFor()
  expect(await stack.browser.violations(page)).toEqual([])
  await stack.browser.shoot(page, 'console-json-wrong')
  await editor.press('Control+Enter')
  await editor.press('Control+s')
  expect(await editor.textContent()).toBe('{"shelf": }')
  expect(await detailsOf(5)).toEqual({ shelf: 4 })

  // Typed over the selected text, because the policy blocks the browser's own way to replace it.
  await editor.press('Control+a')
  await editor.pressSequentially('7')
  expect(await editor.textContent()).toBe('7')
  await editor.and(page.locator('[aria-invalid=false]')).waitFor()
  await editor.fill('{"shelf": 9}')
  await editor.press('Control+Enter')
  await page
    .getByRole('row', { name: /^details/ })
    .getByText('"shelf": 9')
    .waitFor()
  await editor.waitFor({ state: 'detached' })
  expect(await detailsOf(5)).toEqual({ shelf: 9 })
})

it('Enter starts a line, Ctrl-S saves, and an empty text removes the value', async () => {
  const page = await stack.open('demo/data/books/books/6/')
  const editor = await open(page)
  await editor.fill('[1,]')
  await editor.press('ArrowLeft')
  await editor.press('Enter')
  await editor.pressSequentially('2')
  expect(await editor.locator('.cm-line').count()).toBeGreaterThan(1)
  await editor.press('Control+s')
  // A list is JSON, but not an object: the service returns an error, and the text stays.
  await page.getByText('An object is required.').waitFor()
  await editor.fill('')
  await editor.press('Control+s')
  await editor.waitFor({ state: 'detached' })
  await page
    .getByRole('row', { name: /^details/ })
    .getByText('(no value)')
    .waitFor()
  expect(await detailsOf(6)).toBeNull()
  stack.browser.complaints()
})

it('Escape restores the old value and gives the focus back to the grid', async () => {
  const page = await stack.open('demo/data/books/books/?ordering=id')
  const cell = page.getByRole('grid', { name: 'Records of books' }).getByRole('row').nth(7)
  await cell.getByRole('gridcell', { name: '{"shelf":6}' }).focus()
  await page.keyboard.press('Enter')
  const editor = await focusedEditor(page)
  await editor.fill('{"shelf": 1}')
  await editor.press('Control+a')
  await editor.press('Escape')
  await editor.waitFor({ state: 'detached' })
  await page.locator('[role=gridcell]:focus').waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.locator('[role=gridcell]:focus:not(:text("shelf"))').waitFor()
  expect(await detailsOf(7)).toEqual({ shelf: 6 })
})

it('the editor fits on a phone in dark mode', async () => {
  const page = await stack.open('demo/data/books/books/8/', {
    viewport: { width: 375, height: 800 },
    colorScheme: 'dark',
    locale: 'de-DE',
  })
  await page.getByRole('button', { name: 'details ändern' }).click()
  const editor = page.getByRole('dialog').getByRole('textbox', { name: 'details' })
  await editor.fill('{"shelf": 1, "room": "Lesesaal", "since": [2024, true, null]}')
  expect(await stack.browser.violations(page)).toEqual([])
  expect((await stack.browser.measure(page)).overflow).toBeLessThanOrEqual(0)
  const { x, width } = (await page.getByRole('dialog').boundingBox()) ?? { x: -1, width: 0 }
  expect(x).toBeGreaterThanOrEqual(0)
  expect(x + width).toBeLessThanOrEqual(375)
})

it('a new record accepts JSON, and marks errors in it', async () => {
  const page = await stack.open('demo/data/books/books/')
  await page.getByRole('button', { name: 'New record' }).click()
  const form = page.getByRole('dialog', { name: 'New record in books' })
  await form.getByLabel('title').fill('With details')
  const editor = form.getByRole('textbox', { name: 'details' })
  await editor.fill('{"shelf"')
  await form.getByText('This is not JSON.').waitFor()
  await editor.press('Control+Enter')
  await form.getByText('This is not JSON.').waitFor()
  expect(await stack.browser.violations(page)).toEqual([])
  await editor.fill('{"shelf": 12}')
  await editor.press('Control+Enter')
  await form.waitFor({ state: 'detached' })
  const { data } = await stack.service.client.request<{ data: unknown[] }>(
    'GET',
    `${books}?title=With details`,
  )
  expect(data).toMatchObject([{ details: { shelf: 12 } }])
})
