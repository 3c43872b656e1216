/**
 * The console: creating records and tables, importing files, and viewing records as somebody else.
 * docs/guide/console.md.
 */
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
  it('an error of the API appears at its field; then the record is created, and undone', async () => {
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
  })

  it('several records are selected, marked as deleted, restored, and deleted permanently', async () => {
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

    await grid.getByRole('checkbox', { name: 'Select all loaded records' }).check()
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
  })

  it('a record is copied and deleted on its page, which first names the records that reference it', async () => {
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
  })
})

/** Returns the part of a table's form for a field. */
const fieldOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Adds a field with a name and a type. */
async function addField(page: Page, name: string, type: string) {
  const before = await page.getByRole('button', { name: /^Move .* up$/ }).count()
  await page.getByRole('button', { name: 'Add a field' }).click()
  const added = fieldOf(page, `field_${before + 1}`)
  await added.getByLabel('Name').fill(name)
  await page.keyboard.press('Enter')
  await fieldOf(page, name).getByLabel('Type').selectOption(type)
}

const schemaOf = async (table: string) =>
  (
    await stack.service.client.request<{ json_schema: Record<string, unknown> }>(
      'GET',
      `${app}datatables/${table}/`,
    )
  ).json_schema

describe('the forms for the schema', () => {
  it('a table with a reference, an index and soft delete is created after its plan was shown', async () => {
    const page = await stack.open('demo/schema/books/?part=new')
    await page.getByLabel('Name of the table').fill('loans')
    await addField(page, 'reader', 'string')
    await addField(page, 'author_id', 'string')
    await addField(page, 'due', 'date')
    await fieldOf(page, 'reader').getByLabel('Required').check()
    await page.getByRole('button', { name: 'More of author_id' }).click()
    await page.getByLabel('References a record of').selectOption('authors')
    await page.getByLabel('When that record is deleted').selectOption({ label: 'delete this one, too' })
    await page.getByRole('button', { name: 'Add an index' }).click()
    await page.getByLabel('Its fields').and(page.locator('input')).click()
    await page.getByRole('option', { name: 'due' }).click()
    await page.keyboard.press('Escape')
    await addField(page, 'lent', 'date')
    await page.getByRole('button', { name: 'Add a range' }).click()
    const range = page.getByRole('region', { name: 'range_1' })
    await range.getByLabel('Beginning').selectOption('lent')
    await range.getByLabel('End').selectOption('due')
    await page.getByRole('button', { name: 'Add an exclusion' }).click()
    const exclusion = page.getByRole('region', { name: 'exclusion_1' })
    await exclusion.getByLabel('Fields with equal values').and(page.locator('input')).click()
    await exclusion.getByRole('option', { name: 'reader' }).click()
    await page.keyboard.press('Escape')
    await exclusion.getByLabel('The end belongs to the range').check()
    await exclusion.getByLabel('What a refused record is told').fill('One loan at a time.')
    await page.keyboard.press('Enter')
    await page.getByLabel('Deleted records').check()
    expect(await stack.browser.violations(page)).toEqual([])
    await stack.browser.shoot(page, 'console-new-table')
    await page.getByRole('button', { name: 'Show the plan' }).click()
    const plan = page.getByRole('dialog', { name: 'Steps' })
    await plan.getByText('Create table loans').waitFor()
    await plan.getByText('Nobody waits').first().waitFor()
    await stack.browser.shoot(page, 'console-plan')
    expect(await stack.browser.violations(page)).toEqual([])
    await plan.getByRole('button', { name: 'Apply the change' }).click()
    await page.getByRole('heading', { name: 'loans', exact: true }).waitFor()
    expect(await schemaOf('loans')).toMatchObject({
      primaryKey: ['id'],
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'reader', type: 'string', constraints: { required: true } },
        { name: 'author_id', type: 'integer' },
        { name: 'due', type: 'date' },
        { name: 'lent', type: 'date' },
        { name: 'is_deleted', type: 'boolean' },
      ],
      foreignKeys: [
        {
          fields: ['author_id'],
          reference: { resource: 'authors', fields: ['id'] },
          'x-actions': { onDelete: 'CASCADE' },
        },
      ],
      indexes: [{ name: 'index_1', fields: ['due'] }],
      ranges: { range_1: ['lent', 'due'] },
      exclusions: [
        {
          name: 'exclusion_1',
          elements: [
            { field: 'reader', op: '=' },
            { range: 'range_1', op: 'overlaps' },
          ],
          bounds: '[]',
          message: 'One loan at a time.',
        },
      ],
    })
  })

  it('a change shows the lost data and the locks, is applied, appears in the history, and is rolled back', async () => {
    await stack.service.client.request('POST', `${app}datatables/loans/data/`, {
      reader: 'Mia',
      due: '2026-12-01',
    })
    const page = await stack.open('demo/schema/books/loans/')
    await fieldOf(page, 'reader').getByLabel('Name').fill('borrower')
    await page.keyboard.press('Enter')
    await fieldOf(page, 'borrower').getByText('was reader').waitFor()
    await page.getByRole('button', { name: 'Remove due' }).click()
    await page.getByRole('button', { name: 'Show the plan' }).click()
    const plan = page.getByRole('dialog', { name: 'Steps' })
    await plan.getByText('Loses values').waitFor()
    await plan.getByText('Readers and writers of the table wait').first().waitFor()
    const make = plan.getByRole('button', { name: 'Apply the change' })
    expect(await make.isDisabled()).toBe(true)
    await plan.getByLabel('I understand that these values are lost').check()
    await stack.browser.shoot(page, 'console-plan-loss')
    expect(await stack.browser.violations(page)).toEqual([])
    await make.click()
    await page.getByText('The change was applied.').waitFor()
    expect(await rowsOf('loans')).toMatchObject([{ borrower: 'Mia' }])

    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByText('Drop field due').waitFor()
    await stack.browser.shoot(page, 'console-schema-history')
    await page.getByRole('button', { name: 'Roll back' }).click()
    const back = page.getByRole('dialog', { name: 'Roll back this change' })
    await back.getByText(/old values of "due" are lost/).waitFor()
    await back.getByLabel('I understand that these values are lost').check()
    await back.getByRole('button', { name: 'Apply the change' }).click()
    await page.getByText('The change was rolled back.').waitFor()
    expect(await rowsOf('loans')).toMatchObject([{ reader: 'Mia', due: null }])
  })

  it('records that break a change are named, and a change of somebody else is not overwritten', async () => {
    const page = await stack.open('demo/schema/books/loans/')
    await fieldOf(page, 'due').getByLabel('Required').check()
    await page.getByRole('button', { name: 'Show the plan' }).click()
    const plan = page.getByRole('dialog', { name: 'Steps' })
    await plan.getByRole('button', { name: 'Apply the change' }).click()
    await plan.getByRole('region', { name: 'Records that do not fit' }).getByText(/: 1$/).waitFor()
    await page.keyboard.press('Escape')
    await stack.service.client.request('PATCH', `${app}datatables/loans/`, {
      json_schema: { ...(await schemaOf('loans')), title: 'Loans' },
    })
    await page.getByRole('button', { name: 'Show the plan' }).click()
    await page.getByText(/Somebody else has changed the table in the meantime/).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Load again' }).click()
    await page.getByText('Nothing has been changed.').waitFor()
    stack.browser.complaints()
  })

  it('a table that others reference is deleted with them, and restored', async () => {
    const before = await rowsOf('shelves')
    const page = await stack.open('demo/schema/books/shelves/?part=delete')
    await page.getByRole('button', { name: 'Show the plan' }).click()
    const plan = page.getByRole('dialog', { name: 'Delete the table' })
    await plan.getByText('Will be deleted: shelves.').waitFor()
    await plan.getByRole('button', { name: 'Apply the change' }).click()
    await page.getByText('The table shelves was deleted.').waitFor()
    await page.getByRole('tab', { name: 'Deleted tables' }).click()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('The table shelves was restored.').waitFor()
    expect(await rowsOf('shelves')).toEqual(before)
  })

  it('an app is renamed, gets a datasource and a table of another app, is deleted, and restored', async () => {
    await stack.service.client.request('POST', '/sites/demo/api/apps/', { name: 'Spare' })
    const page = await stack.open('demo/schema/spare/?part=settings')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Spare parts')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Spare parts' }).waitFor()
    const datasources = page.getByRole('region', { name: 'Datasources' })
    await datasources.getByLabel('New datasource').fill('Documents')
    await datasources.getByRole('button', { name: 'Create' }).click()
    await datasources.getByText('Documents: a JSON document for each record').waitFor()
    await page.getByRole('tab', { name: 'Tables', exact: true }).click()
    const reference = page.getByRole('region', { name: 'Show a table of another app here' })
    await reference.getByLabel('App').selectOption('Books')
    await reference.getByLabel('Table').selectOption('authors')
    await reference.getByRole('button', { name: 'Create' }).click()
    await page.getByText('table of another app', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Name and description' }).click()
    await page.getByRole('button', { name: 'Delete the app' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the app' }).click()
    await page.getByText('The app Spare parts was deleted.').waitFor()
    await page.getByRole('region', { name: 'Spare parts' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('region', { name: 'Spare parts' }).getByText('authors').waitFor()
  })
})

const csv = (name: string, text: string, mimeType = 'text/csv') => ({
  name,
  mimeType,
  buffer: Buffer.from(text),
})

describe('the import of a file', () => {
  it('columns are mapped to fields; invalid rows are named by line before the valid ones are imported', async () => {
    await stack.service.client.request('POST', `${app}datatables/create_schema/?materialize=true`, {
      resources: [
        {
          name: 'maps',
          schema: {
            fields: [
              {
                name: 'code',
                type: 'string',
                title: 'Map Code',
                constraints: { required: true, unique: true },
              },
              { name: 'scale', type: 'number', constraints: { minimum: 0 } },
              { name: 'folded', type: 'boolean' },
              { name: 'note', type: 'string' },
            ],
          },
        },
      ],
    })
    const page = await stack.open('demo/data/books/maps/')
    await page.getByRole('link', { name: 'Import' }).click()
    await page.getByRole('heading', { name: 'Import into maps' }).waitFor()
    const text =
      'Map Code;Scale;folded;remark\nA-1;1,5;true;"two\nlines"\nA-2;-1;1;\n;2;false;x\nA-4;0,10000000000000000001;0;""\n' +
      'A-5;1.5;true;\nA-6;.5;true;\n'
    await page.locator('input[type=file]').setInputFiles(csv('maps.csv', text))
    await page.getByRole('region', { name: 'Columns and fields' }).getByText('6 rows').waitFor()
    expect(await page.getByLabel('Field for Map Code').inputValue()).toBe('code')
    expect(await page.getByLabel('Field for remark').inputValue()).toBe('')
    await page.getByLabel('Field for remark').selectOption('note')
    // The two last rows have another form, so the rows do not tell it.
    await page.getByLabel('How Scale is written').selectOption('1.234,5')
    await page.getByRole('button', { name: 'Check the file' }).click()
    await page.getByText('2 rows can be imported, 4 cannot.').waitFor()
    const wrong = page.getByRole('region', { name: 'Wrong rows' })
    expect(await wrong.getByRole('row').allTextContents()).toEqual([
      'ErrorsRowsLines',
      'scale: Ensure this value is greater than or equal to 0.14',
      expect.stringMatching(/^code: .*15$/),
      'column 2 (Scale): "1.5" is not a number with the decimal sign "," and "." between thousands.27, 8',
    ])
    expect(await rowsOf('maps')).toEqual([])
    await stack.browser.shoot(page, 'console-import')
    expect(await stack.browser.violations(page)).toEqual([])
    const button = page.getByRole('button', { name: 'Import 2 rows' })
    expect(await button.isDisabled()).toBe(true)
    await page.getByLabel('Skip the invalid rows').check()
    await button.click()
    await page.getByText('2 rows were imported. 4 rows were not.').waitFor()
    const answer = await stack.service.client.request<{ data: Record<string, unknown>[] }>(
      'GET',
      `${app}datatables/maps/data/?ordering=code&scale__gt=0.1`,
    )
    expect(answer.data).toMatchObject([
      { code: 'A-1', scale: 1.5, folded: true, note: 'two\nlines' },
      { code: 'A-4', folded: false, note: '' },
    ])
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save the invalid rows as a file' }).click()
    expect((await download).suggestedFilename()).toBe('maps-wrong.csv')
  })

  it('a check uses up no ids; texts that may be read in two ways must be decided first', async () => {
    await stack.service.client.request('POST', `${app}datatables/create_schema/?materialize=true`, {
      resources: [
        {
          name: 'trips',
          schema: {
            fields: [
              { name: 'id', type: 'integer' },
              { name: 'day', type: 'date' },
            ],
          },
        },
      ],
    })
    const page = await stack.open('demo/import/books/trips/')
    const bytes = Buffer.from('\ufeffday\n03/04/2026\n05/06/2026\n', 'utf16le')
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'trips.csv', mimeType: 'text/csv', buffer: bytes })
    await page.getByText('“03/04/2026” may be 2026-04-03 (DD/MM/YYYY) or 2026-03-04 (MM/DD/YYYY).').waitFor()
    expect(await page.getByRole('button', { name: 'Check the file' }).count()).toBe(0)
    await page.getByLabel('How day is written').selectOption('MM/DD/YYYY')
    for (let times = 0; times < 3; times++) {
      await page.getByRole('button', { name: 'Check the file' }).click()
      await page.getByText('All 2 rows can be imported.').waitFor()
    }
    await page.getByRole('button', { name: 'Import 2 rows' }).click()
    await page.getByText('2 rows were imported.').waitFor()
    expect(await rowsOf('trips')).toMatchObject([
      { id: 1, day: '2026-03-04' },
      { id: 2, day: '2026-05-06' },
    ])
  })

  it('JSON changes the records with the same code', async () => {
    const page = await stack.open('demo/import/books/maps/')
    const rows = [
      { code: 'A-1', note: 'new' },
      { code: 'A-9', note: 'more', scale: 2 },
    ]
    await page
      .locator('input[type=file]')
      .setInputFiles(csv('maps.json', JSON.stringify(rows), 'application/json'))
    await page.getByLabel('Rows for existing records').selectOption('code')
    await page.getByRole('button', { name: 'Check the file' }).click()
    await page.getByRole('button', { name: 'Import 2 rows' }).click()
    await page.getByText('2 rows were imported.').waitFor()
    const { data } = await stack.service.client.request<{ data: Record<string, unknown>[] }>(
      'GET',
      `${app}datatables/maps/data/?ordering=code`,
    )
    expect(data).toMatchObject([
      { code: 'A-1', note: 'new', scale: 1.5 },
      { code: 'A-4', note: '' },
      { code: 'A-9', note: 'more' },
    ])
  })

  it('a file that is not CSV gets an error with the line', async () => {
    const page = await stack.open('demo/import/books/maps/')
    await page.locator('input[type=file]').setInputFiles(csv('maps.csv', 'code,note\nA,"b\n'))
    await page.getByText(/The file cannot be read: .*line/i).waitFor()
  })
})

describe('viewing as somebody else', () => {
  it('a member sees a table as a guest and as another user, read-only, until one click ends it', async () => {
    const { id } = await stack.service.client.request<{ id: number }>('POST', '/api/users/', {
      username: 'reader',
      email: 'reader@example.org',
      password: 'First-horse-1',
    })
    await stack.service.client.request('PUT', `/api/cloud/sites/demo/permissions/${id}/`, {
      permissions: ['view_site'],
    })
    await stack.service.client.request('PUT', `${app}datatables/authors/access/`, {
      rules: [
        {
          name: 'public',
          who: 'anyone',
          can: ['read'],
          where: { name__startswith: 'Ada' },
          fields: ['id', 'name'],
        },
        { name: 'second', who: 'user', can: ['read'], where: { id: 2 }, fields: ['id', 'name'] },
      ],
    })
    const page = await stack.open('demo/data/books/authors/')
    await gridOf(page, 'authors').getByText('Emil Sand').waitFor()
    await page.getByRole('button', { name: 'See as' }).click()
    const dialog = page.getByRole('dialog', { name: 'See as' })
    expect(await stack.browser.violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'See authors' }).click()
    await page.getByText('You see what a guest without an account sees').waitFor()
    await gridOf(page, 'authors').getByText('Ada Berg').waitFor()
    await page.getByText('1 record', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'New record' }).count()).toBe(0)
    expect(await page.getByRole('checkbox').count()).toBe(0)
    await gridOf(page, 'authors').getByText('Ada Berg').dblclick()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await stack.browser.shoot(page, 'console-as-guest')
    expect(await stack.browser.violations(page)).toEqual([])
    await gridOf(page, 'authors').getByRole('link', { name: '1' }).click()
    await page.getByRole('heading', { name: 'authors 1' }).waitFor()
    await page.getByText('You see what a guest without an account sees').waitFor()
    expect(await page.getByRole('button', { name: 'Change name' }).count()).toBe(0)
    await page.getByRole('button', { name: 'See as yourself again' }).click()
    await page.getByRole('button', { name: 'Change name' }).waitFor()

    await page.goto('/console/demo/access/?app=books&table=authors')
    const form = page.getByRole('region', { name: 'See as' })
    await form.getByLabel('See the table as').selectOption('reader')
    await form.getByRole('button', { name: 'See authors' }).click()
    await page.getByText('You see what reader sees').waitFor()
    await page.getByText('2 records', { exact: true }).waitFor()
    await gridOf(page, 'authors').getByText('Emil Sand').waitFor()
    expect(new URL(page.url()).searchParams.get('as')).toBe(String(id))
  })

  it('an unknown user gets the error of the service, and a table without rules is closed to guests', async () => {
    const page = await stack.open('demo/data/books/books/?as=999999')
    await page.getByText('You see what the person 999999 sees').waitFor()
    await page
      .getByRole('alert')
      .getByText(/X-View-As/)
      .waitFor()
    await page.goto('/console/demo/data/books/books/?as=anyone')
    await page.getByRole('alert').getByText('Authentication credentials were not provided.').waitFor()
    await page.getByRole('button', { name: 'See as yourself again' }).click()
    await gridOf(page, 'books').getByText('Volume 1', { exact: true }).waitFor()
    stack.browser.complaints()
  })
})

describe('the picture of the schema', () => {
  it('tables are boxes with arrows between them, can be found by name, and link to their schema', async () => {
    const page = await stack.open('demo/picture/books/')
    const picture = page.getByRole('region', { name: 'Picture of the tables of books' })
    await picture.getByRole('link', { name: 'books', exact: true }).waitFor()
    await picture.getByText('→ author_id').first().waitFor()
    expect(await picture.locator('.react-flow__edge').count()).toBeGreaterThanOrEqual(1)
    await page.waitForTimeout(600)
    await stack.browser.shoot(page, 'console-picture')
    expect(await stack.browser.violations(page)).toEqual([])
    const boxes = await picture
      .locator('.react-flow__node')
      .evaluateAll((nodes) =>
        nodes.map((node) => (node as unknown as { style: { transform: string } }).style.transform),
      )
    expect(new Set(boxes).size).toBe(boxes.length)
    await page.getByLabel('Find a table or a field').fill('lent_at')
    await page.getByText('1 table found').waitFor()
    await page.getByText('References as a list').click()
    await page.getByText('books.author_id → authors').waitFor()
    await picture.getByRole('link', { name: 'books', exact: true }).click()
    await page.getByRole('heading', { name: 'books', exact: true }).waitFor()
  })
})
