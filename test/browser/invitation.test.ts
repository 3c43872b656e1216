/** An invitation from the e-mail to the account, in a real browser. Spec: Invitation; I6, I7. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Service, startService } from '../support/service.ts'
import { type OpenBrowser, openBrowser, phone } from './browser.ts'

let service: Service
let browser: OpenBrowser

beforeAll(async () => {
  service = await startService([])
  browser = await openBrowser(service.origin)
})

afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

afterEach(() => {
  expect(browser.complaints()).toEqual([])
})

/** Invites an address. Returns the link in the e-mail once it has arrived, within 30 s. */
async function linkFor(invitee_identifier: string): Promise<string> {
  const invitation_config = {
    group: ['Staff'],
    site: [{ slug: 'demo', permissions: ['access_site', 'change_site'] }],
  }
  await service.client.request('POST', '/api/cloud/organizations/harbour-street/invitations/', {
    invitee_identifier,
    invitation_config,
  })
  const deadline = Date.now() + 30_000
  while (Date.now() < deadline) {
    const { results } = await service.client.request<{ results: { text: string }[] }>(
      'GET',
      `/_dev/mailbox/?to=${invitee_identifier}`,
    )
    const link = /https?:\S+/.exec(results[0]?.text ?? '')?.[0]
    if (link) return link
    await new Promise((again) => setTimeout(again, 100))
  }
  throw new Error('no e-mail arrived')
}

const password = 'Correct-horse-1'

describe('an invitation', () => {
  it('leads from the e-mail to the form, an account and a session', async () => {
    await linkFor('ada@example.net')
    const page = await browser.open()
    await page.goto('/_dev/mailbox/')
    await browser.shoot(page, 'mailbox')
    await page.getByRole('link', { name: '/invitations/' }).first().click()
    await page.getByRole('heading', { name: 'Join Harbour Street' }).waitFor()
    await browser.shoot(page, 'invitation')
    await page.getByLabel('First name').fill('Ada')
    await page.getByLabel('Last name').fill('Byron')
    await page.getByLabel('Password').fill('weak')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await browser.shoot(page, 'invitation-weak-password')
    expect(await page.getByRole('alert').textContent()).toContain(
      'A password must have at least 8 characters.',
    )
    expect(await page.getByLabel('First name').inputValue()).toBe('Ada')
    expect(await page.evaluate('document.activeElement.id')).toBe('password')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Welcome to Harbour Street' }).waitFor()
    await browser.shoot(page, 'invitation-accepted')
    await page.getByRole('link', { name: 'Sign in to demo' }).click()
    await page.getByLabel('User name or e-mail').fill('ada@example.net')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL((url) => !url.pathname.includes('login'))
    expect((await page.context().cookies()).map(({ name }) => name)).toContain('sessionid')
  })

  it('works without scripts, and a used link says so', async () => {
    const link = await linkFor('grace@example.net')
    const page = await browser.open({ javaScriptEnabled: false })
    await page.goto(link)
    await page.getByLabel('First name').fill('Grace')
    await page.getByLabel('Last name').fill('Hopper')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Accept invitation' }).click()
    expect(await page.getByRole('status').textContent()).toContain('You are now a member')
    await page.goto(link)
    await browser.shoot(page, 'invitation-used')
    expect(await page.getByRole('alert').textContent()).toContain('already been accepted')
  })

  it('has the expected accessibility tree', async () => {
    const page = await browser.open()
    await page.goto(await linkFor('reader@example.net'))
    expect(await page.locator('body').ariaSnapshot()).toBe(
      [
        '- main:',
        '  - heading "Join Harbour Street" [level=1]',
        '  - paragraph: admin (admin@example.com) has invited you to join Harbour Street ' +
          'as reader@example.net.',
        '  - list:',
        '    - listitem: You will join the group Staff.',
        '    - listitem: On the site demo you can view apps, tables and records; ' +
          'add, change and delete records.',
        '  - text: First name',
        '  - textbox "First name"',
        '  - text: Last name',
        '  - textbox "Last name"',
        '  - text: Password',
        '  - textbox "Password"',
        '  - paragraph: Use at least 8 characters, with an uppercase letter, a lowercase letter and a digit.',
        '  - button "Accept invitation"',
      ].join('\n'),
    )
    expect(await page.title()).toBe('Join Harbour Street')
  })

  it.each(['light', 'dark'] as const)(
    'fits a phone in %s mode, with targets of 44 px and sufficient contrast',
    async (colorScheme) => {
      const page = await browser.open({ ...phone, colorScheme })
      await page.goto(await linkFor(`phone-${colorScheme}@example.net`))
      await browser.shoot(page, `invitation-phone-${colorScheme}`)
      const seen = await browser.measure(page)
      expect(seen.overflow).toBeLessThanOrEqual(0)
      expect(Math.min(...seen.heights)).toBeGreaterThanOrEqual(44)
      expect(Math.min(...seen.contrasts)).toBeGreaterThanOrEqual(4.5)
    },
  )
})
