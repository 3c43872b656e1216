/** Making records, tables and imports in the console, and seeing with other eyes. docs/guide/console.md. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleStack, startConsole } from './console.ts'

const app = '/sites/demo/api/apps/books/'

let stack: ConsoleStack

beforeAll(async () => {
  stack = await startConsole()
  const { client } = stack.service
  await client.request('POST', `${app}datatables/create_schema/?materialize=true`, {
    resources: [
      {
        name: 'shelves',
        schema: {
          primaryKey: 'id',
          fields: [
            { name: 'id', type: 'integer' },
            { name: 'label', type: 'string', constraints: { required: true, unique: true, maxLength: 20 } },
            { name: 'width', type: 'number', constraints: { minimum: 0 } },
            { name: 'is_deleted', type: 'boolean' },
          ],
        },
      },
    ],
  })
  const open = stack.open
  stack.open = async (...all) => {
    const page = await open(...all)
    page.setDefaultTimeout(8_000)
    return page
  }
})

afterAll(async () => {
  await stack?.stop()
})

afterEach(() => {
  expect(stack.browser.complaints()).toEqual([])
})

const rowsOf = async (table: string, query = '') =>
  (
    await stack.service.client.request<{ data: Record<string, unknown>[] }>(
      'GET',
      `${app}datatables/${table}/data/?ordering=id${query}`,
    )
  ).data

const gridOf = (page: Page, table: string) => page.getByRole('grid', { name: `Records of ${table}` })

describe('records', () => {
  it('a refusal stands at its field; then the record is created, and undone', async () => {
    const page = await stack.open('demo/data/books/shelves/')
    await page.getByText('This table has no records yet').waitFor()
    await page.getByRole('button', { name: 'New record' }).click()
    const form = page.getByRole('dialog', { name: 'New record in shelves' })
    expect(await form.getByLabel('label').getAttribute('required')).not.toBeNull()
    expect(await form.getByLabel('id', { exact: true }).count()).toBe(0)
    await form.getByLabel('width').fill('-1')
    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByText('Ensure this value is greater than or equal to 0.').waitFor()
    await form.getByText('This field is required.').waitFor()
    expect(await stack.browser.violations(page)).toEqual([])
    stack.browser.complaints()
    await stack.browser.shoot(page, 'console-new-record')
    await form.getByLabel('width').fill('1.5')
    await form.getByLabel('label').fill('North')
    await form.getByRole('button', { name: 'Create' }).click()
    await gridOf(page, 'shelves').getByText('North').waitFor()
    expect(await rowsOf('shelves')).toMatchObject([{ label: 'North', width: 1.5, is_deleted: false }])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('This table has no records yet').waitFor()
    expect(await rowsOf('shelves', '&include_deleted=true')).toEqual([])
    await page.context().close()
  })

  it('several records are selected, marked as deleted, brought back, and deleted for good', async () => {
    await stack.service.client.request('POST', `${app}datatables/shelves/data/`, [
      { label: 'East' },
      { label: 'South' },
      { label: 'West' },
    ])
    const page = await stack.open('demo/data/books/shelves/?ordering=id')
    const grid = gridOf(page, 'shelves')
    await grid.getByText('East').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.getByText('2 records selected').waitFor()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete 2 records' })
    await dialog.getByText('2 records would be marked as deleted.').waitFor()
    expect(await stack.browser.violations(page)).toEqual([])
    expect(await rowsOf('shelves')).toHaveLength(3)
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await grid.getByText('East').waitFor({ state: 'detached' })
    expect((await rowsOf('shelves')).map(({ label }) => label)).toEqual(['West'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await grid.getByText('South').waitFor()

    await grid.getByRole('checkbox', { name: 'Select all that were read' }).check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('This table has no records yet').waitFor()
    await page.getByRole('button', { name: 'Deleted ones too' }).click()
    await grid.getByText('East').waitFor()
    await stack.browser.shoot(page, 'console-deleted-records')
    expect(await stack.browser.violations(page)).toEqual([])
    await grid.getByRole('row').nth(1).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('1 record was restored.').waitFor()
    expect((await rowsOf('shelves')).map(({ label }) => label)).toEqual(['East'])
    await page.context().close()
  })

  it('a record is copied on its page, and deleted there; what references it is named first', async () => {
    const page = await stack.open('demo/data/books/authors/1/')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page
      .getByRole('dialog')
      .getByRole('alert')
      .getByText(/Cannot delete record/)
      .waitFor()
    expect(await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'New one like this' }).click()
    const form = page.getByRole('dialog', { name: 'New record in authors' })
    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByText(/already exists/).waitFor()
    await form.getByLabel('name').fill('Ivo Dube')
    await form.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: /^authors [3-9]/ }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByText('This cannot be undone.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await gridOf(page, 'authors').waitFor()
    expect(await rowsOf('authors')).toHaveLength(2)
    stack.browser.complaints()
    await page.context().close()
  })
})
