/** Functions in the console: calling a server, changing and running code, schedules and conditions. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../dev/free-port.ts'
import { type Received, startWebhookServer, type WebhookServer } from '../support/webhook-server.ts'
import { type ConsoleStack, startConsole } from './console.ts'

let stack: ConsoleStack
/** A server that keeps the requests that it gets. */
let recorder: WebhookServer

beforeAll(async () => {
  stack = await startConsole()
  recorder = await startWebhookServer()
})

afterAll(async () => {
  await recorder?.close()
  await stack?.stop()
})

afterEach(() => {
  expect(stack.browser.complaints()).toEqual([])
})

const functions = '/sites/demo/api/apps/books/functions/'

const receivedAt = async (path: string): Promise<Received[]> =>
  (await fetch(`${recorder.url}/received${path}`)).json()

/** Fills in the form for a function that calls a server. */
async function fillForm(page: Page, name: string, address: string) {
  const form = page.getByRole('region', { name: 'New function' })
  await form.getByRole('combobox', { name: 'App' }).click()
  await page.getByRole('option', { name: 'Books' }).click()
  await form.getByRole('combobox', { name: 'What runs' }).click()
  await page.getByRole('option', { name: 'your own server' }).click()
  await form.getByLabel('Name').fill(name)
  const field = form.getByLabel('Address of the server')
  await field.fill(address)
  await form.getByRole('button', { name: 'Create' }).click()
  return field
}

/** Creates a function that calls an address. Returns its signing secret; the page then shows the function. */
async function make(page: Page, name: string, address: string): Promise<string> {
  await fillForm(page, name, address)
  const dialog = page.getByRole('dialog', { name: 'The signing secret' })
  const secret = (await dialog.getByRole('group', { name: 'Signing secret' }).textContent()) ?? ''
  expect(await stack.browser.violations(page)).toEqual([])
  await stack.browser.shoot(page, 'journeys/signing-secret')
  await dialog.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
  return secret
}

/** Runs the function of the page. Returns the result that the page shows. */
async function run(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const outcome = page.getByRole('region', { name: 'Run it now' }).getByRole('status')
  await outcome.waitFor()
  return (await outcome.locator('pre').textContent()) ?? ''
}

it('an address that the service may not call gets an error at its field, and no function is created', async () => {
  const page = await stack.open('demo/functions/')
  const field = await fillForm(page, 'Nowhere', 'nowhere')
  await page.getByText('The URL must have a public host, use https').waitFor()
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  await expect(stack.service.client.request('GET', `${functions}nowhere/`)).rejects.toThrow('404')
  // The browser reports the 400.
  stack.browser.complaints()
})

it('invalid headers get an error at their row; the values of headers are sent, and never shown', async () => {
  const page = await stack.open('demo/functions/')
  await make(page, 'Headers', `${recorder.url}/json/headers`)
  await page.getByRole('tab', { name: 'Call' }).click()
  await page.getByRole('button', { name: 'Add a header' }).click()
  const name = page.getByRole('textbox', { name: 'Name of header 1' })
  await name.fill('Webhook-Id')
  await page.getByRole('textbox', { name: 'Value of header 1' }).fill('x')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('This header is set by the service.').waitFor()
  expect(await name.getAttribute('aria-invalid')).toBe('true')
  stack.browser.complaints()
  await name.fill('X-Shop')
  await page.getByRole('textbox', { name: 'Value of header 1' }).fill('tidewater')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByPlaceholder('unchanged').waitFor()
  expect(await page.content()).not.toContain('tidewater')

  await page.getByRole('button', { name: 'Add a header' }).click()
  await page.getByRole('textbox', { name: 'Name of header 2' }).fill('X-Shop')
  await page.getByText('There is a header with this name already.').waitFor()
  await page.getByRole('textbox', { name: 'Name of header 2' }).fill('X-Till')
  await page.getByRole('textbox', { name: 'Value of header 2' }).fill('7')
  await page.getByLabel('Address of the server').fill(`${recorder.url}/json/tills`)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByPlaceholder('unchanged').nth(1).waitFor()
  expect(JSON.parse(await run(page))).toEqual({ path: '/json/tills', method: 'POST' })
  const [{ headers } = { headers: {} }] = await receivedAt('/json/tills')
  expect(headers).toMatchObject({ 'x-shop': 'tidewater', 'x-till': '7' })
})

/** Runs the two files that the page shows, unchanged. Returns the address of the server. */
async function startReceiver(page: Page, secret: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-receiver-'))
  for (const [file, title] of [
    ['verify.mjs', /^verify\.mjs/],
    ['server.mjs', /^server\.mjs/],
  ] as const) {
    const text = await page.getByRole('group', { name: title }).textContent()
    await writeFile(join(folder, file), text ?? '')
  }
  const port = await freePort()
  const server: ChildProcess = spawn(process.execPath, [join(folder, 'server.mjs')], {
    env: { ...process.env, PORT: String(port), SIGNING_SECRET: secret },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  onTestFinished(async () => {
    server.kill('SIGKILL')
    await rm(folder, { recursive: true })
  })
  const address = `http://127.0.0.1:${port}/`
  await expect.poll(() => fetch(address).then(({ status }) => status, String), { timeout: 20_000 }).toBe(401)
  return address
}

it('the receiver code of the page accepts a call of the service, and rejects another body, id, time or secret', async () => {
  const page = await stack.open('demo/functions/')
  const secret = await make(page, 'Notify', `${recorder.url}/json/notify`)
  expect(secret).toMatch(/^whsec_/)
  await page.getByRole('tab', { name: 'Check the signature', selected: true }).waitFor()
  expect(await stack.browser.violations(page)).toEqual([])
  const receiver = await startReceiver(page, secret)
  const stranger = await startReceiver(page, `whsec_${btoa('another secret')}`)

  await page.getByRole('tab', { name: 'Call' }).click()
  expect(JSON.parse(await run(page))).toEqual({ path: '/json/notify', method: 'POST' })
  const [call] = await receivedAt('/json/notify')
  const { body = '', headers = {} } = call ?? {}
  const signed = Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('webhook-')))
  const send = async (address: string, changed: object = {}, text = body): Promise<[number, string]> => {
    const answer = await fetch(address, { method: 'POST', headers: { ...signed, ...changed }, body: text })
    return [answer.status, await answer.text()]
  }
  const wrong = [401, 'The signature is wrong.']
  expect(await send(receiver, {}, body.replace('EXECUTE', 'EXECUTED'))).toEqual(wrong)
  expect(await send(receiver, { 'webhook-id': `${headers['webhook-id']}0` })).toEqual(wrong)
  expect(
    await send(receiver, { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }),
  ).toEqual(wrong)
  expect(await send(receiver, { 'webhook-timestamp': '1700000000' })).toEqual([401, 'The call is too old.'])
  expect(await send(receiver, { 'webhook-signature': '' })).toEqual(wrong)
  expect(await send(stranger)).toEqual(wrong)
  const other = `v1,${btoa('another signature')} ${headers['webhook-signature']}`
  expect(await send(receiver, { 'webhook-signature': other })).toEqual([200, '{"received":"EXECUTE"}'])
  expect(await send(receiver)).toEqual([200, '{"received":"EXECUTE"}'])

  await page.getByLabel('Address of the server').fill(receiver)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The function is saved.').waitFor()
  await page.reload()
  expect(JSON.parse(await run(page))).toEqual({ received: 'EXECUTE' })
})

it('unsaved code is saved before it runs, so that the shown code is the code that runs', async () => {
  await stack.service.client.request('POST', functions, {
    name: 'Draft',
    code: 'export default async () => 1',
  })
  const page = await stack.open('demo/functions/books/draft/')
  await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
  await page.getByRole('textbox', { name: 'Code' }).fill('export default async ( => 2')
  await page.getByRole('button', { name: 'Save and run' }).click()
  await page.getByRole('alert').getByText(/code:/).waitFor()
  await page
    .getByRole('textbox', { name: 'Code' })
    .fill('export default async () => { console.log("second"); return 22 }')
  await page.getByRole('button', { name: 'Save and run' }).click()
  await page.getByText('info: second').waitFor()
  await page.getByRole('status').getByText('22', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
  // The browser reports the 400.
  stack.browser.complaints()
})

it('a schedule is described in words, with its next runs, before it is saved', async () => {
  await stack.service.client.request('POST', functions, {
    name: 'Sweep',
    code: 'export default async () => 1',
  })
  const page = await stack.open('demo/functions/books/sweep/?part=settings')
  await page.getByText('Empty: the function does not run by itself.').waitFor()
  await page.getByLabel('Schedule', { exact: true }).fill('0 9 * *')
  await page.getByText('A schedule has five fields').waitFor()
  await page.getByLabel('Schedule', { exact: true }).fill('0 9 * * mon')
  await page.getByLabel('Time zone of the schedule').fill('Europe/Berlin')
  await page.getByText(/^At 09:00, on Monday\. Next runs: /).waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The function is saved.').waitFor()
  expect(await stack.service.client.request('GET', `${functions}sweep/`)).toMatchObject({
    schedule: '0 9 * * mon',
    schedule_zone: 'Europe/Berlin',
  })
})

it('refused variables are marked in their row, and the next run gets the saved ones', async () => {
  await stack.service.client.request('POST', functions, {
    name: 'Price',
    code: 'export default async (_, { variables }) => variables',
    variables: { CURRENCY: 'EUR' },
  })
  const page = await stack.open('demo/functions/books/price/?part=settings')
  await page.getByRole('textbox', { name: 'Value of variable 1' }).fill('USD')
  await page.getByRole('button', { name: 'Add a variable' }).click()
  const name = page.getByRole('textbox', { name: 'Name of variable 2' })
  await name.fill('CURRENCY')
  await page.getByText('There is a variable with this name already.').waitFor()
  expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await name.fill('1A')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('A name consists of up to 64 letters').waitFor()
  expect(await name.getAttribute('aria-invalid')).toBe('true')
  expect(await stack.browser.violations(page)).toEqual([])
  // The browser reports the 400.
  stack.browser.complaints()
  await name.fill('NOTE')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The function is saved.').waitFor()
  await page.goto('/console/demo/functions/books/price/')
  expect(JSON.parse(await run(page))).toEqual({ CURRENCY: 'USD', NOTE: '' })
  await page.goto('/console/demo/functions/books/price/?part=settings')
  await page.getByRole('button', { name: 'Remove the variable NOTE' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The function is saved.').waitFor()
  expect(await stack.service.client.request('GET', `${functions}price/`)).toMatchObject({
    variables: { CURRENCY: 'USD' },
  })
})

it('a skipped run says that the condition of the function was false', async () => {
  const { client } = stack.service
  const made = await client.request<{ id: number }>('POST', functions, {
    name: 'Thick books',
    code: 'export default async () => 1',
  })
  await client.request('POST', '/sites/demo/api/cloud/events/RECORD_UPDATE/subscribe/', {
    function_id: made.id,
  })
  const page = await stack.open('demo/functions/books/thick-books/?part=settings')
  await page.getByLabel('Only if').fill('event.data.pages >')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^This is not a valid condition: /).waitFor()
  await page.getByLabel('Only if').fill('event.data.pages > 10000.0')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The function is saved.').waitFor()
  await client.request('PATCH', '/sites/demo/api/apps/books/datatables/books/data/9/', { pages: 99 })
  await page.goto('/console/demo/runs/?function=thick-books')
  await page.getByRole('row', { name: /Thick books SKIPPED/ }).waitFor()
  await page.getByRole('button', { name: /^Open run/ }).click()
  await page.getByText('The condition of the function ("Only if") is false for this event.').waitFor()
  // The browser reports the 400.
  stack.browser.complaints()
})
