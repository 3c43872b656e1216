/** The pages of the console that manage a site: functions, secrets, access rules, people and settings. */
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

const inApp = '/sites/demo/api/apps/books/'

describe('functions', () => {
  it('a function is created, changed, run, and restored to its first version', async () => {
    const page = await stack.open('demo/functions/')
    const form = page.getByRole('region', { name: 'New function' })
    await form.getByRole('combobox', { name: 'App' }).click()
    await page.getByRole('option', { name: 'Books' }).click()
    await form.getByLabel('Name').fill('Greet readers')
    await form.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Greet readers' }).waitFor()

    const code = page.getByRole('textbox', { name: 'Code' })
    await code.fill(
      'export default async (params) => { console.log("to", params.name); return params.name.length }',
    )
    await code.press('Control+s')
    await page.getByText('The function is saved.').waitFor()
    await page.getByLabel('Parameters, as JSON').fill('[1]')
    await page.getByText('These parameters are not a JSON object.').waitFor()
    expect(await page.getByRole('button', { name: 'Run', exact: true }).isDisabled()).toBe(true)
    await page.getByLabel('Parameters, as JSON').fill('{"name": "Ada"}')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('info: to Ada').waitFor()
    expect(await page.getByRole('status').getByText('3', { exact: true }).count()).toBe(1)

    await page.getByRole('tab', { name: 'Versions' }).click()
    await page.getByRole('button', { name: 'Restore: Version 1' }).click()
    await page.getByText('The function is as in version 1 again.').waitFor()
    expect(await stack.service.client.request('GET', `${inApp}functions/greet-readers/`)).toMatchObject({
      code: expect.stringContaining("console.log('Hello', params)"),
    })
  })

  it('a failed run is shown with its error, and runs again', async () => {
    await stack.service.client.request('POST', `${inApp}functions/`, {
      name: 'Fails',
      code: 'export default async () => { throw new Error("no paper") }',
    })
    await stack.service.client.request('POST', `${inApp}functions/fails/execute/`, { params: {} })
    const page = await stack.open('demo/runs/?function=fails')
    await page
      .getByRole('row', { name: /Fails FAILURE/ })
      .getByRole('button', { name: /^Open run/ })
      .click()
    const details = page.getByRole('dialog')
    await details.getByText(/no paper/).waitFor()
    await details.getByRole('button', { name: 'Run again' }).click()
    await page.getByText('It runs again.').waitFor()
  })

  it('an error of the service appears at its field', async () => {
    const page = await stack.open('demo/functions/books/greet-readers/')
    await page.getByRole('tab', { name: 'Settings' }).click()
    const schedule = page.getByLabel('Schedule', { exact: true })
    await schedule.fill('every day')
    await page.getByRole('button', { name: 'Save' }).click()
    await schedule.and(page.locator('[aria-invalid=true]')).waitFor()
    const message = page.locator(`[id="${await schedule.getAttribute('aria-describedby')}"]`)
    expect(await message.textContent()).toMatch(/^A schedule has five fields/)
    // The browser reports the 400.
    stack.browser.complaints()
  })
})

describe('the code editor', () => {
  it('suggests the properties of the context and the tables of the app, and marks invalid JSON', async () => {
    const page = await stack.open('demo/functions/books/greet-readers/')
    const code = page.getByRole('textbox', { name: 'Code' })
    await code.fill('export default async (params, context) => ')
    await code.press('End')
    await code.pressSequentially('context.db.books.')
    await page.getByRole('option', { name: 'authors' }).waitFor()
    await page.getByRole('option', { name: 'books' }).click()
    expect(await code.textContent()).toContain('context.db.books.books')
    const params = page.getByRole('textbox', { name: 'Parameters, as JSON' })
    await params.fill('{"name": }')
    expect(await params.getAttribute('aria-invalid')).toBe('true')
    await page.getByText('These parameters are not a JSON object.').waitFor()
    // The editor redraws the line when it marks the error.
    await page.locator('.cm-lintRange-error', { hasText: '}' }).waitFor()
    expect(await stack.browser.violations(page)).toEqual([])
  })

  it('Tab leaves it, and an error of the service appears below it', async () => {
    const page = await stack.open('demo/functions/books/greet-readers/')
    const code = page.getByRole('textbox', { name: 'Code' })
    await code.fill('export default async () => {')
    await code.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Save')
    await page.keyboard.press('Enter')
    await page
      .getByRole('alert')
      .getByText(/line 1/)
      .waitFor()
    stack.browser.complaints()
  })
})

describe('the events of a function', () => {
  it('a function that subscribes to an event runs after a change, and the list shows the run without a reload', async () => {
    await stack.service.client.request('POST', `${inApp}functions/`, {
      name: 'Notices',
      code: 'export default async (params) => { console.log("noticed", params.event) }',
    })
    const page = await stack.open('demo/functions/books/notices/?part=settings')
    await page.getByRole('combobox', { name: 'Event', exact: true }).fill('RECORD_CREATE')
    await page.getByRole('option', { name: 'RECORD_CREATE', exact: true }).click()
    await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
    const subscribed = page.getByRole('button', { name: 'Unsubscribe: RECORD_CREATE' })
    await subscribed.waitFor()
    await stack.service.client.request('POST', `${inApp}datatables/authors/data/`, { name: 'Noor Vos' })
    await page.goto('/console/demo/runs/?function=notices')
    await page.getByRole('row', { name: /Notices SUCCESS/ }).waitFor()
    await page.goto('/console/demo/functions/books/notices/?part=settings')
    await subscribed.click()
    await page.getByText('No event runs the function yet.').waitFor()
  })
})

describe('secrets', () => {
  it('a secret is created; its value stays hidden until it is requested, and its history contains no value', async () => {
    const page = await stack.open('demo/secrets/')
    await page.getByRole('button', { name: 'New secret' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Key').fill('PRINTER')
    await form.getByRole('combobox', { name: 'Type' }).click()
    await page.getByRole('option').first().click()
    await form.getByLabel('Value, as a JSON object').fill('{"value": "hunter-2"}')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The secret PRINTER is saved.').waitFor()
    await form.waitFor({ state: 'detached' })
    expect(await page.getByText('hunter-2').count()).toBe(0)
    await page.getByRole('button', { name: 'Show the value of PRINTER' }).click()
    await page.getByText(/hunter-2/).waitFor()
    await page.getByRole('button', { name: 'Hide the value' }).click()
    await page.getByText(/hunter-2/).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'History of PRINTER' }).click()
    await page
      .getByRole('dialog')
      .getByText(/created/)
      .waitFor()
    expect(await page.getByText('hunter-2').count()).toBe(0)
  })
})

describe('an existing secret', () => {
  it('gets another value without showing the old one, and is deleted after a confirmation', async () => {
    const page = await stack.open('demo/secrets/')
    await page.getByRole('button', { name: 'Change PRINTER' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Value, as a JSON object').fill('{"value": "other"}')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The secret PRINTER is saved.').waitFor()
    expect(await stack.service.client.request('GET', '/sites/demo/api/secrets/PRINTER/')).toMatchObject({
      value: { value: 'other' },
    })
    page.on('dialog', (question) => void question.accept())
    await page.getByRole('button', { name: 'Delete PRINTER' }).click()
    await page.getByText('The secret PRINTER was deleted.').waitFor()
    await page.getByText('No secrets here yet').waitFor()
  })
})

describe('access rules', () => {
  it('a rule for all tables of an app is added from a preset, and removed', async () => {
    const { client } = stack.service
    const page = await stack.open('demo/access/?app=books&table=books')
    const rules = page.getByRole('region', { name: 'Rules for all tables or several' })
    await rules.getByText('This app has no rules for several tables.').waitFor()
    await rules.getByLabel('Name').fill('clerk')
    await rules.getByRole('button', { name: 'Add a rule' }).click()
    await rules.getByText('All tables: Whoever has the role clerk may read every record.').waitFor()
    expect(await stack.browser.violations(page)).toEqual([])
    const path = '/sites/demo/api/apps/books/access/'
    expect(await client.request('GET', path)).toMatchObject({
      rules: [{ name: 'reader role clerk', who: 'role:clerk', can: ['read'], tables: '*' }],
    })
    await rules.getByRole('button', { name: 'Remove the rule reader role clerk' }).click()
    await rules.getByText('This app has no rules for several tables.').waitFor()
    expect(await client.request('GET', path)).toMatchObject({ rules: [] })
  })

  it('a rule is written, appears in the matrix as a sentence, and explains the permissions', async () => {
    const page = await stack.open('demo/access/?app=books&table=books')
    await page.getByText('This table has no rules: nobody but members may see it.').waitFor()
    const rules = {
      rules: [
        {
          name: 'shelf',
          who: 'anyone',
          can: ['read'],
          where: { condition: 'new' },
          fields: ['id', 'title'],
        },
      ],
    }
    await page.getByLabel('The rules as JSON').fill(JSON.stringify(rules))
    await page.getByRole('button', { name: 'Check without saving' }).click()
    await page.getByText('These rules can be saved.').waitFor()
    await page.getByText('This table has no rules: nobody but members may see it.').waitFor()
    await page.getByRole('button', { name: 'Save the rules' }).click()
    await page.getByText(/may read records where condition = "new"\./).waitFor()
    await page.getByRole('region', { name: 'Who may do what' }).getByText('some records (shelf)').waitFor()

    const question = page.getByRole('region', { name: /^Why may somebody/ })
    await question.getByLabel('To the record with this key').fill('2')
    await question.getByRole('button', { name: 'Explain' }).click()
    await question.getByText('Not allowed').waitFor()
    await question.getByText('condition = "new": the record has "good", compared with –').waitFor()
  })

  it('a rule is made with clicks, and takes effect only when the rules are saved', async () => {
    const page = await stack.open('demo/access/?app=books&table=authors')
    const form = page.getByRole('region', { name: 'Add a rule' })
    await form.getByRole('combobox', { name: 'Who' }).click()
    await page.getByRole('option', { name: 'a group, by name' }).click()
    await form.getByLabel('Name').fill('Readers')
    await form.getByRole('combobox', { name: 'Fields' }).click()
    await page.getByRole('option', { name: 'name', exact: true }).click()
    await page.keyboard.press('Escape')
    await form.getByRole('button', { name: 'Add filter' }).click()
    const filter = page.getByRole('dialog', { name: 'Add filter' })
    await filter.getByLabel('Field').selectOption('name')
    await filter.getByLabel('Condition').selectOption('istartswith')
    await filter.getByLabel('Value').fill('A')
    await filter.getByRole('button', { name: 'Apply' }).click()
    await form.getByRole('button', { name: 'Add to the rules below' }).click()
    const path = `${inApp}datatables/authors/access/`
    expect(await stack.service.client.request('GET', path)).toEqual({ rules: [] })
    await page.getByRole('button', { name: 'Save the rules' }).click()
    await page.getByText(/The group Readers may read records where name__istartswith = "A"\./).waitFor()
    const rule = { name: 'group-read', who: 'group:Readers', can: ['read'], fields: ['id', 'name'] }
    expect(await stack.service.client.request('GET', path)).toEqual({
      rules: [{ ...rule, where: { name__istartswith: 'A' } }],
    })
  })

  it('rules that somebody else has changed in the meantime are not overwritten', async () => {
    const page = await stack.open('demo/access/?app=books&table=authors')
    const field = page.getByLabel('The rules as JSON')
    await field.waitFor()
    await stack.service.client.request('PUT', `${inApp}datatables/authors/access/`, {
      rules: [{ name: 'all', who: 'anyone', can: ['read'] }],
    })
    await field.fill('{"rules": []}')
    await page.getByRole('button', { name: 'Save the rules' }).click()
    await page
      .getByText('Somebody else has changed the table in the meantime. Load the rules again.')
      .waitFor()
    await page.getByRole('button', { name: 'Load again' }).click()
    await page.getByText(/Everybody, without signing in, may read every record\./).waitFor()
    // The browser reports the 412.
    stack.browser.complaints()
  })
})

describe('people', () => {
  it('a person is invited, and the invitation is cancelled', async () => {
    const page = await stack.open('demo/people/')
    await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill('reader@example.org')
    await page.getByRole('button', { name: 'Send the invitation' }).click()
    await page.getByText('An invitation was sent to reader@example.org.').waitFor()
    await page
      .getByRole('button', {
        name: 'Cancel the invitation of reader@example.org',
      })
      .click()
    await page.getByText('The invitation is cancelled.').waitFor()
  })

  it('an accepted invitation is not among the open ones', async () => {
    const { client, origin } = stack.service
    const invite = (email: string) =>
      client.request<{ uuid: string }>('POST', '/api/cloud/organizations/harbour-street/invitations/', {
        invitee_identifier: email,
      })
    const { uuid } = await invite('joined@example.org')
    await invite('waiting@example.org')
    const accepted = await fetch(`${origin}/api/cloud/invitations/${uuid}/accept/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ password: 'Correct-horse-1', first_name: 'Jo', last_name: 'Ined' }),
    })
    expect(accepted.status).toBe(200)
    const page = await stack.open('demo/people/')
    const open = page.getByRole('region', { name: 'Open invitations' })
    await open.getByText('waiting@example.org', { exact: true }).waitFor()
    expect(await open.getByText('joined@example.org').count()).toBe(0)
  })
})

describe('permissions', () => {
  it('a user gets one permission in the site, and no other', async () => {
    const { id } = await stack.service.client.request<{ id: number }>('GET', '/api/users/me/')
    const page = await stack.open('demo/people/')
    await page.getByRole('button', { name: /^Permissions of admin/ }).click()
    await page.getByLabel(/^change_site/).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The permissions and roles are saved.').waitFor()
    const { permissions } = await stack.service.client.request<{ permissions: string[] }>(
      'GET',
      `/api/cloud/sites/demo/permissions/${id}/`,
    )
    expect(permissions).toContain('change_site')
  })
})

describe('the roles of a site', () => {
  it('a role is added and given to a member; while somebody has it, it is not removed', async () => {
    const { client } = stack.service
    const { id } = await client.request<{ id: number }>('GET', '/api/users/me/')
    const page = await stack.open('demo/people/')
    const roles = page.getByRole('region', { name: 'Roles in this site' })
    await roles.getByText('This site has no roles.').waitFor()
    await roles.getByLabel('Name for rules').fill('clerk')
    await roles.getByLabel('Name for people').fill('Lending desk')
    await roles.getByRole('button', { name: 'Add the role' }).click()
    await roles.getByText('clerk – Lending desk').waitFor()
    await page.getByRole('button', { name: /^Permissions of admin/ }).click()
    const dialog = page.getByRole('dialog', { name: /^Permissions of admin/ })
    await dialog.getByLabel('Lending desk').check()
    expect(await stack.browser.violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The permissions and roles are saved.').waitFor()
    expect(await client.request('GET', `/api/cloud/sites/demo/permissions/${id}/`)).toMatchObject({
      roles: ['clerk'],
    })
    await roles.getByRole('button', { name: 'Remove the role clerk' }).click()
    await roles.getByRole('alert').getByText('"clerk" is used by').waitFor()
    // The browser reports the 409.
    stack.browser.complaints()
    await roles.getByText('clerk – Lending desk').waitFor()
  })
})

describe('the settings of the site', () => {
  it('settings are saved, a domain shows the DNS record that proves it, and the audit log names the user', async () => {
    const page = await stack.open('demo/settings/')
    await page.getByRole('combobox', { name: 'Who may sign up with a password' }).click()
    await page.getByRole('option', { name: 'invited people' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The settings are saved.').waitFor()
    await page.getByRole('tab', { name: 'Domains' }).click()
    await page.getByRole('textbox', { name: 'Domain' }).fill('books.example.org')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByText(/_tessera\.books\.example\.org TXT "/).waitFor()
    await page.getByRole('tab', { name: 'Audit log' }).click()
    await page.getByRole('row', { name: /domain created.*books\.example\.org/ }).waitFor()
  })
})
