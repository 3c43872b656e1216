/**
 * The records of a table in the console: selecting, changing, pasting and exporting them.
 * docs/guide/console.md.
 */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bookCount, type ConsoleStack, startConsole } from './console.ts'

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

const bookOf = async (id: number) =>
  (await stack.service.client.request<{ data: Record<string, unknown> }>('GET', `${books}${id}/`)).data

const gridOf = (page: Page) => page.getByRole('grid', { name: 'Records of books' })
const cellOf = (page: Page, text: string) => gridOf(page).getByRole('gridcell', { name: text, exact: true })

/** Opens the editor of a cell with the keyboard. */
async function edit(page: Page, text: string, field: string) {
  await cellOf(page, text).first().focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: `Change ${field}` })
  return dialog.getByLabel(field).and(page.locator('input, textarea, select'))
}

describe('selecting records', () => {
  it('a filter, an order and a search are set by clicks, kept in the URL, and copied as a request', async () => {
    const page = await stack.open('demo/data/books/books/')
    await page.getByRole('button', { name: 'Add filter' }).click()
    const form = page.getByRole('dialog', { name: 'Add filter' })
    await form.getByLabel('Field').selectOption('pages')
    await form.getByLabel('Condition').selectOption({ label: 'is at least' })
    await form.getByLabel('Value').fill('340')
    await form.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('10 records').waitFor()
    await gridOf(page).getByRole('button', { name: 'pages' }).click()
    await gridOf(page).getByRole('button', { name: 'pages ↑' }).click()
    await gridOf(page)
      .getByRole('button', { name: 'title' })
      .click({ modifiers: ['Shift'] })
    await gridOf(page)
      .getByRole('columnheader', { name: 'title' })
      .and(page.locator('[aria-sort=ascending]'))
      .waitFor()
    const address = new URL(page.url())
    expect(address.searchParams.get('ordering')).toBe('-pages,title')
    expect(JSON.parse(address.searchParams.get('filters') ?? '')).toEqual({ pages__gte: 340 })
    await page.getByRole('button', { name: 'As address and code' }).click()
    const shown = await page.getByRole('group', { name: 'Address of the API' }).textContent()
    expect(new URL(shown ?? '').search).toBe('?pages__gte=340&ordering=-pages%2Ctitle')
    expect(await page.getByRole('group', { name: 'Code of the client' }).textContent()).toContain(
      'pages__gte: 340',
    )
  })

  it('a search highlights the words that it found', async () => {
    const page = await stack.open('demo/data/books/books/?search=77')
    await gridOf(page).locator('mark', { hasText: '77' }).waitFor()
    await page.getByText('1 record', { exact: true }).waitFor()
  })

  it('a URL with an invalid filter shows the error of the API', async () => {
    const page = await stack.open('demo/data/books/books/?filters={"pages__gt":"many"}')
    await page.getByRole('alert').getByText('is not a value of "pages"').waitFor()
    stack.browser.complaints()
  })

  it('columns can be hidden, moved and pinned, and this browser remembers them', async () => {
    const page = await stack.open('demo/data/books/books/')
    await page.getByRole('button', { name: 'Columns' }).click()
    const dialog = page.getByRole('dialog', { name: 'Columns' })
    await dialog.getByLabel('details', { exact: true }).uncheck()
    await dialog.getByLabel('Pin title').check()
    await dialog.getByRole('button', { name: 'Move condition before' }).click()
    await page.keyboard.press('Escape')
    await page.reload()
    await gridOf(page).waitFor()
    const titles = await gridOf(page).getByRole('columnheader').allTextContents()
    expect(titles).toEqual(['title', 'id', 'author_id', 'condition', 'pages', 'lent_at'])
  })

  it('records are counted only on request', async () => {
    const page = await stack.open('demo/data/books/books/')
    await page.getByText('100 records read, more follow').waitFor()
    await page.getByRole('button', { name: 'Count', exact: true }).click()
    await page.getByText(`${bookCount} match`).waitFor()
  })
})

describe('changing records', () => {
  it('an error of the API appears beside the value, and the input is kept', async () => {
    const page = await stack.open('demo/data/books/books/')
    const input = await edit(page, '100', 'pages')
    await input.fill('0')
    await page.keyboard.press('Enter')
    await page.getByText('Ensure this value is greater than or equal to 1.').waitFor()
    expect(await input.inputValue()).toBe('0')
    expect(await stack.browser.violations(page)).toEqual([])
    expect((await bookOf(1)).pages).toBe(100)
    stack.browser.complaints()
  })

  it('a value is changed in its cell, and Ctrl-Z undoes the change', async () => {
    const page = await stack.open('demo/data/books/books/')
    const input = await edit(page, 'Volume 2', 'title')
    await input.fill('Another title')
    await page.keyboard.press('Enter')
    await cellOf(page, 'Another title').waitFor()
    expect((await bookOf(2)).title).toBe('Another title')
    await page.keyboard.press('Control+z')
    await cellOf(page, 'Volume 2').waitFor()
    expect((await bookOf(2)).title).toBe('Volume 2')
  })

  it('a number has the digits that the API has, in the grid, in its editor and on its page', async () => {
    const { client } = stack.service
    const tables = '/sites/demo/api/apps/books/datatables/'
    const fields = [
      { name: 'id', type: 'integer' },
      { name: 'price', type: 'number' },
      { name: 'sizes', type: 'array' },
    ]
    const prices = { name: 'prices', schema: { primaryKey: 'id', fields, history: true } }
    await client.request('POST', `${tables}create_schema/?materialize=true`, { resources: [prices] })
    // JavaScript writes neither number with these digits.
    const record = { price: JSON.rawJSON('49.90'), sizes: [JSON.rawJSON('1.0')] }
    await client.request('POST', `${tables}prices/data/`, record)
    const page = await stack.open('demo/data/books/prices/')
    const cell = (text: string) => page.getByRole('gridcell', { name: text, exact: true })
    await cell('[1.0]').waitFor()
    await cell('49.90').focus()
    await page.keyboard.press('Enter')
    const input = page.getByRole('dialog').getByLabel('price')
    expect(await input.inputValue()).toBe('49.90')
    await input.fill('59.90')
    await input.press('Enter')
    await cell('59.90').waitFor()
    expect(await client.read(`${tables}prices/data/1/`)).toMatch(/"price": ?59\.90\b/)
    await page.goto('/console/demo/data/books/prices/1/')
    await page.getByRole('cell', { name: '59.90', exact: true }).waitFor()
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByText('price: 59.90').waitFor()
    await page.getByRole('tab', { name: 'JSON' }).click()
    await page.getByText('"price": 59.90').waitFor()
  })

  it('a record that somebody else has changed in the meantime is overwritten only after a question', async () => {
    const page = await stack.open('demo/data/books/books/')
    const input = await edit(page, 'Volume 3', 'title')
    await input.fill('Mine')
    await stack.service.client.request('PATCH', `${books}3/`, { title: 'Theirs' })
    await page.keyboard.press('Enter')
    await page.getByText('The value is now: Theirs').waitFor()
    expect((await bookOf(3)).title).toBe('Theirs')
    await page.getByRole('button', { name: 'Save mine anyway' }).click()
    await cellOf(page, 'Mine').waitFor()
    expect((await bookOf(3)).title).toBe('Mine')
    stack.browser.complaints()
  })

  it('a reference is found by the name of its record, and a time is entered in the time zone of the browser', async () => {
    const page = await stack.open('demo/data/books/books/?ordering=id&filters={"id":4}', {
      timezoneId: 'Europe/Berlin',
    })
    await (await edit(page, '2', 'author_id')).fill('Ada')
    await page.getByRole('option', { name: '1 · Ada Berg' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await cellOf(page, '1').waitFor()
    await gridOf(page).getByRole('row').nth(1).getByRole('gridcell').nth(6).dblclick()
    await page.getByText('In the time zone Europe/Berlin.').waitFor()
    await page.getByRole('dialog').getByLabel('lent_at').fill('2026-07-01T12:00:00')
    await page.keyboard.press('Enter')
    await gridOf(page).getByText('2026-07-01T10:00:00').waitFor()
    expect(await bookOf(4)).toMatchObject({ author_id: 1, lent_at: '2026-07-01T10:00:00Z' })
  })

  it('cells of a spreadsheet are pasted after a preview, and the change can be undone', async () => {
    const page = await stack.open('demo/data/books/books/?ordering=id')
    await cellOf(page, 'Volume 11').focus()
    await page.evaluate(`{
      const data = new DataTransfer()
      data.setData('text/plain', 'First\\t2\\nSecond\\t1\\n')
      document.activeElement.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    }`)
    const dialog = page.getByRole('dialog', { name: 'Paste from a spreadsheet' })
    await dialog.getByText('4 values in 2 records').waitFor()
    expect(await stack.browser.violations(page)).toEqual([])
    expect((await bookOf(11)).title).toBe('Volume 11')
    await dialog.getByRole('button', { name: 'Save these values' }).click()
    await cellOf(page, 'Second').waitFor()
    expect(await bookOf(12)).toMatchObject({ title: 'Second', author_id: 1 })
    await page.keyboard.press('Control+z')
    await cellOf(page, 'Volume 12').waitFor()
    expect(await bookOf(12)).toMatchObject({ title: 'Volume 12', author_id: 2 })
  })

  it('all matching records are changed after a message with their number', async () => {
    const page = await stack.open('demo/data/books/books/?filters={"pages__gte":345}')
    await page.getByRole('button', { name: 'Change all that match' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change all that match' })
    await dialog.getByLabel('Field').selectOption('condition')
    await dialog.getByLabel('Value').selectOption('worn')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByText('5 records would change.').waitFor()
    expect(await stack.browser.violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Change 5 records' }).click()
    await page.getByText('5 records were changed.').waitFor()
    expect((await bookOf(bookCount)).condition).toBe('worn')
  })
})

describe('the export of records', () => {
  it.each([
    ['As CSV', 'books.csv', 'id,title,author_id,pages,condition,lent_at,details'],
    ['As JSON lines', 'books.ndjson', '{"id":'],
  ])('%s: contains all matching records and shows their number', async (form, name, beginning) => {
    const page = await stack.open('demo/data/books/books/?filters={"pages__lt":120}')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: form }).click()
    const file = await download
    await page.getByText('The file has 20 rows.').waitFor()
    expect(file.suggestedFilename()).toBe(name)
    const text = readFileSync(await file.path(), 'utf8')
    expect(text.startsWith(beginning)).toBe(true)
    expect(
      text
        .trimEnd()
        .split('\n')
        .filter((line) => /volume|mine/i.test(line)),
    ).toHaveLength(20)
  })
})

describe('the page of a record', () => {
  it('opens by keyboard, and shows the record, its related records, its history and its JSON', async () => {
    const page = await stack.open('demo/data/books/books/?ordering=id')
    await cellOf(page, '20').first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'books 20' }).waitFor()
    expect(await stack.browser.violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Change title' }).click()
    await page.getByRole('dialog').getByLabel('title').fill('Volume 20, revised')
    await page.keyboard.press('Enter')
    await page.getByRole('cell', { name: 'Volume 20, revised' }).waitFor()
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByText('Version 2: changed by admin').waitFor()
    expect(await stack.browser.violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('The version was restored.').waitFor()
    expect((await bookOf(20)).title).toBe('Volume 20')
    await page.getByRole('tab', { name: 'JSON' }).click()
    await page.getByText('"title": "Volume 20"').waitFor()
    expect(new URL(page.url()).searchParams.get('part')).toBe('json')
    await page.goto('/console/demo/data/books/authors/1/?part=related')
    await page
      .getByRole('region', { name: 'books by author_id' })
      .getByRole('link', { name: '1 · Volume 1', exact: true })
      .waitFor()
    expect(await stack.browser.violations(page)).toEqual([])
  })
})
