/**
 * Dashboards, use, dead letters, tenants and the health of the service in the console. docs/guide/console.md.
 */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleStack, startConsole } from './console.ts'

const functions = '/sites/demo/api/apps/books/functions/'

let stack: ConsoleStack

beforeAll(async () => {
  stack = await startConsole()
  const { client } = stack.service
  const broken = { name: 'Broken', execution_mode: 'system', system_function: 'fail' }
  await client.request('POST', functions, broken)
  for (const _ of [1, 2, 3]) await client.request('POST', `${functions}broken/execute/`, {})
})

afterAll(async () => {
  await stack?.stop()
})

afterEach(() => {
  expect(stack.browser.complaints()).toEqual([])
})

async function open(address: string, options?: Parameters<ConsoleStack['open']>[1]): Promise<Page> {
  const page = await stack.open(address, options)
  page.setDefaultTimeout(10_000)
  return page
}

describe('use and limits', () => {
  it('a limit that the API refuses is not saved, and a valid one appears beside the use', async () => {
    const page = await open('demo/use/')
    const soft = page.getByLabel('Soft limit: Records, maximum in the month')
    const hard = page.getByLabel('Hard limit: Records, maximum in the month')
    await soft.fill('9000')
    await hard.fill('5000')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('The soft limit must be at most the hard one.').waitFor()
    await soft.fill('4000')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row', { name: /Records, maximum in the month \d+ 4,000 5,000/ }).waitFor()
    const limits = await stack.service.client.request('GET', '/api/cloud/sites/demo/limits/')
    expect(limits).toMatchObject({
      records: { soft: 4000, hard: 5000 },
      requests: { soft: null, hard: null },
    })
    stack.browser.complaints()
  })
})

describe('dead letters', () => {
  it('show their errors; one or all matching ones are replayed', async () => {
    const page = await open('demo/dead-letters/')
    await page.getByText('3 dead letters').waitFor()
    await page.getByText('The code threw an error. Correct the function, then replay it.').first().waitFor()
    await page.getByRole('combobox', { name: 'Reason' }).click()
    await page.getByRole('option', { name: 'timeout' }).click()
    await page.getByText('There are no dead letters').waitFor()
    expect(new URL(page.url()).searchParams.get('reason')).toBe('timeout')
    await page.goto('/console/demo/dead-letters/?function_slug=broken')
    await stack.service.client.request('PATCH', `${functions}broken/`, { system_function: 'noop' })
    await page
      .getByRole('button', { name: /^Replay run / })
      .first()
      .click()
    const dialog = page.getByRole('dialog', { name: 'Replay by filter' })
    await dialog.getByText('One dead letter matches.').waitFor()
    await dialog.getByRole('button', { name: 'Replay' }).click()
    await page.getByText('2 dead letters').waitFor()
    await page.getByRole('button', { name: 'Replay all that match …' }).click()
    await dialog.getByText('2 dead letters match.').waitFor()
    await dialog.getByRole('button', { name: 'Replay' }).click()
    await page.getByText('2 runs are queued again.').waitFor()
    await page.getByText('There are no dead letters').waitFor()
  })
})

describe('tenants', () => {
  it('are created, suspended, resumed, deleted with a period of grace, and restored', async () => {
    const page = await open('_service/tenants/')
    await page.getByLabel('Name of the new organization').fill('Tidewater')
    await page.getByRole('button', { name: 'Create an organization' }).click()
    await page.getByText('This organization has no site.').waitFor()
    await page.getByLabel('Name of the new site').fill('Quay')
    await page.getByLabel('Slug (optional)').fill('demo')
    await page.getByRole('button', { name: 'Create a site' }).click()
    await page.getByText('already').waitFor()
    await page.getByLabel('Slug (optional)').fill('')
    await page.getByRole('button', { name: 'Create a site' }).click()
    const row = page.getByRole('row', { name: /^Quay/ })
    await row.getByText('active').waitFor()
    await row.getByRole('button', { name: 'Suspend: Quay' }).click()
    await row.getByText('suspended').waitFor()
    await row.getByRole('button', { name: 'Resume: Quay' }).click()
    await row.getByText('active').waitFor()
    await row.getByRole('button', { name: 'Delete …: Quay' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete Quay' })
    expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Type quay to continue').fill('quay')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await row.getByText('Erased on').waitFor()
    await row.getByRole('button', { name: 'Restore: Quay' }).click()
    await row.getByText('active').waitFor()
    const { state } = await stack.service.client.request<{ state: string }>('GET', '/api/cloud/sites/quay/')
    expect(state).toBe('active')
    stack.browser.complaints()
  })
})

describe('the health of the service', () => {
  it('is linked from the list of sites, and shows what needs attention', async () => {
    const page = await open('')
    await page.getByRole('link', { name: 'Health of the service' }).click()
    const statements = page.getByRole('region', { name: 'Slowest round trips' })
    await statements.getByRole('row').nth(1).waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/_service/health/')
    const isolate = page.getByRole('region', { name: 'This isolate' })
    expect(Number(await isolate.getByText('Requests').locator('xpath=../dd').textContent())).toBeGreaterThan(
      5,
    )
    await page.getByRole('region', { name: 'Keys' }).getByText('current').waitFor()
  })
})
