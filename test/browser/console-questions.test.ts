/** Questions and dashboards in the console, which the service stores for the site. docs/guide/console.md. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleStack, startConsole } from './console.ts'

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

const ask = (question: string) => stack.open(`demo/questions/?app=books&table=books${question}`)
const saved = (page: Page) => page.getByRole('region', { name: 'Saved questions' })

/** Saves the question of the page with a name. */
async function save(page: Page, name: string) {
  await page.getByLabel('Name of this question').fill(name)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await saved(page).getByRole('link', { name }).waitFor()
}

describe('questions', () => {
  it('a name that is taken gets the error of the API, and the question stays', async () => {
    const page = await ask('&by=condition')
    await save(page, 'Taken')
    await page.goto('/console/demo/questions/?app=books&table=books&measure=max&of=pages')
    await page.getByLabel('Name of this question').fill('Taken')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('alert').getByText('A question with the name "Taken" already exists.').waitFor()
    await page.getByRole('status').getByText('349').waitFor()
    // The browser reports the 400.
    stack.browser.complaints()
  })

  it('a question about some records by month is made with clicks, and its chart runs from left to right', async () => {
    const { client } = stack.service
    const books = '/sites/demo/api/apps/books/datatables/books/data/'
    for (const [id, month] of [1, 2, 4].entries())
      await client.request('PATCH', `${books}${id + 1}/`, { lent_at: `2026-0${month}-10T12:00:00Z` })
    const page = await ask('')
    await page.getByRole('combobox', { name: 'For each' }).click()
    await page.getByRole('option', { name: 'lent_at' }).click()
    await page.getByRole('button', { name: 'Add filter' }).click()
    const form = page.getByRole('dialog', { name: 'Add filter' })
    await form.getByLabel('Field').selectOption('lent_at')
    await form.getByLabel('Condition').selectOption('null')
    await form.getByLabel('Value').selectOption('false')
    await form.getByRole('button', { name: 'Apply' }).click()
    // The answer without the filter has a row for the other records.
    await page.getByRole('cell', { name: '(none)' }).waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: 'Apr 2026' }).waitFor()
    expect(await page.getByRole('row').allTextContents()).toEqual([
      'lent_atValue',
      'Jan 20261',
      'Feb 20261',
      'Apr 20261',
    ])
    expect(await page.getByRole('img', { name: 'Chart: books' }).locator('[data-group]').count()).toBe(3)
  })

  it('other members of the site find the question, and concurrent changes of two people are not lost', async () => {
    const first = await ask('&measure=avg&of=pages')
    await save(first, 'Pages')
    const second = await stack.open('demo/questions/')
    await saved(second).getByRole('link', { name: 'Pages' }).click()
    await second.getByText('224.5').waitFor()

    await first.getByRole('combobox', { name: 'What' }).click()
    await first.getByRole('option', { name: 'the largest' }).click()
    await first.getByRole('button', { name: 'Save the changes' }).click()
    await first.getByText('The question "Pages" was saved for the site.').last().waitFor()

    await second.getByRole('combobox', { name: 'What' }).click()
    await second.getByRole('option', { name: 'the smallest' }).click()
    await second.getByRole('button', { name: 'Save the changes' }).click()
    await second.getByRole('alert').getByText('somebody has changed it').waitFor()
    await second.getByRole('button', { name: 'Show the present one' }).click()
    await second.getByRole('status').getByText('349').waitFor()
    // The browser reports the 412.
    stack.browser.complaints()
  })

  it('a question is deleted for everybody after a confirmation', async () => {
    const page = await ask('')
    await save(page, 'Short-lived')
    page.on('dialog', (dialog) => void dialog.accept())
    await page.getByRole('button', { name: 'Delete the question' }).click()
    await saved(page).getByRole('link', { name: 'Short-lived' }).waitFor({ state: 'detached' })
    await page.getByLabel('Name of this question').waitFor()
  })
})

describe('dashboards', () => {
  it('the URL of a deleted dashboard says that it does not exist', async () => {
    await stack.service.client.request('POST', '/sites/demo/api/dashboards/', { name: 'There' })
    const page = await stack.open('demo/dashboards/?id=4711')
    await page.getByRole('heading', { name: 'This dashboard does not exist' }).waitFor()
  })

  it('a dashboard keeps several questions in order, is visible to everybody, and can be restored after a deletion', async () => {
    const page = await ask('&by=condition')
    await save(page, 'By condition')
    await page.goto('/console/demo/questions/?app=books&table=books&measure=avg&of=pages')
    await save(page, 'Pages on average')
    await page.getByRole('link', { name: 'Show several on one page: dashboards' }).click()
    await page.getByLabel('Name of the new dashboard').fill('Stock')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL(/\?id=/)
    for (const name of ['By condition', 'Pages on average']) {
      await page.getByRole('combobox', { name: 'Add a saved question' }).click()
      await page.getByRole('option', { name }).click()
      await page.getByRole('region', { name }).waitFor()
    }
    await page.getByRole('button', { name: 'Move Pages on average before' }).click()
    const titles = page.getByRole('heading', { level: 2 })
    await titles.first().getByText('Pages on average').waitFor()
    await stack.browser.shoot(page, 'console-dashboards')
    expect(await stack.browser.violations(page)).toEqual([])

    const other = await stack.open(page.url().split('/console/')[1] as string)
    await other.getByRole('region', { name: 'Pages on average' }).getByText('224.5').waitFor()
    expect(await other.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      'Pages on average',
      'By condition',
    ])
    await other.getByRole('button', { name: 'Delete the dashboard' }).click()
    await other.getByRole('button', { name: 'Undo' }).click()
    await other.getByRole('combobox', { name: 'Dashboard', exact: true }).click()
    await other.getByRole('option', { name: 'Stock' }).waitFor()
  })
})
