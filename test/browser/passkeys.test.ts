/**
 * Passkeys in a real browser, with an authenticator that Chromium imitates: adding one, and signing in with
 * it.
 */
import type { CDPSession, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { admin, type Service, startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { type OpenBrowser, openBrowser } from './browser.ts'
import { proveAccount } from './prove-account.ts'
import { addDevice } from './virtual-device.ts'

let service: Service
let browser: OpenBrowser
let page: Page
let authenticator: CDPSession
let authenticatorId: string
const password = 'Another-horse-2'

/** Opens a page in a profile with an authenticator that verifies its user. */
async function openWithDevice(): Promise<void> {
  page = await browser.open()
  const device = await addDevice(page)
  authenticator = device.session
  authenticatorId = device.authenticatorId
}

async function enterPassword(next: string): Promise<void> {
  await page.goto(`/accounts/login/?next=${encodeURIComponent(next)}`)
  await page.getByLabel('User name or e-mail').fill(admin.email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const isSignedIn = async () => (await page.context().cookies()).some(({ name }) => name === 'sessionid')

beforeAll(async () => {
  service = await startService([])
  const { client } = service
  // A colour on which white text is illegible, and a logo of one pixel.
  const logo =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  await client.request('PATCH', '/api/cloud/sites/demo/', {
    sign_up: 'open',
    branding: { name: 'Harbour & Co', color: '#ffd400', logo },
  })
  const made = await client.request<{ id: number }>('POST', '/api/users/', {
    username: 'gita',
    email: 'gita@example.org',
    password,
  })
  await client.request('PUT', `/api/cloud/sites/demo/permissions/${made.id}/`, {
    permissions: ['access_site'],
  })
  await proveAccount(service, password)
  // Passkeys do not work at an IP address. This machine has a host name, too.
  browser = await openBrowser(service.origin.replace('127.0.0.1', 'localhost'))
  await openWithDevice()
})

afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

afterEach(() => {
  expect(browser.complaints()).toEqual([])
})

describe('a passkey', () => {
  it('is added on the page, which shows the recovery codes once', async () => {
    await enterPassword('/accounts/passkeys/')
    await page.getByText('You have no passkeys.').waitFor()
    await page.getByLabel('Name of the new passkey').fill('Laptop')
    await browser.shoot(page, 'passkeys')
    expect(await browser.violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('The passkey was added.').waitFor()
    await browser.shoot(page, 'passkey-added')
    expect(await page.locator('#codes li').count()).toBe(10)
    expect(await browser.violations(page)).toEqual([])
    const { credentials } = await authenticator.send('WebAuthn.getCredentials', { authenticatorId })
    expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: 'localhost', signCount: 1 }])
  })

  it('signs in without a name and a password', async () => {
    await page.getByRole('link', { name: 'Sign in again' }).click()
    await page.context().clearCookies()
    await page.goto('/accounts/login/?next=/accounts/passkeys/')
    expect(await browser.violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('Laptop (localhost)').waitFor()
    expect(await isSignedIn()).toBe(true)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('This device already has a passkey for this account.').waitFor()
  })

  it('is the second factor after a password, which alone is not enough', async () => {
    await page.context().clearCookies()
    await enterPassword('/accounts/passkeys/')
    await page.getByRole('heading', { name: 'One more step' }).waitFor()
    await browser.shoot(page, 'second-factor')
    expect([await isSignedIn(), await browser.violations(page)]).toEqual([false, []])
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('Laptop (localhost)').waitFor()
    expect(await isSignedIn()).toBe(true)
  })

  it('makes the browser trusted; then the password alone is enough until the trust is ended', async () => {
    await page.context().clearCookies()
    await enterPassword('/accounts/passkeys/')
    await page.getByLabel('Trust this browser for 30 days').check()
    await browser.shoot(page, 'trust-browser')
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('Laptop (localhost)').waitFor()
    await page.context().clearCookies({ name: 'sessionid' })
    await enterPassword('/accounts/me/')
    await page.getByRole('heading', { name: 'Trusted browsers' }).waitFor()
    await browser.shoot(page, 'trusted-browsers')
    expect(await browser.violations(page)).toEqual([])
    await page.getByRole('button', { name: /^Stop trusting/ }).click()
    await page.getByText('The browser is no longer trusted.').waitFor()
    await page.context().clearCookies({ name: 'sessionid' })
    await enterPassword('/accounts/me/')
    await page.getByRole('heading', { name: 'One more step' }).waitFor()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
  })

  it('of an owner lets the site require a second factor: users without one are sent to set one up', async () => {
    await page.goto('/accounts/passkeys/')
    const status = await page.evaluate(async () => {
      const token = await fetch('/api/auth/session/token/', { method: 'POST' })
      const { access } = (await token.json()) as { access: string }
      const change = await fetch('/api/cloud/sites/demo/', {
        method: 'PATCH',
        headers: { authorization: `Bearer ${access}`, 'content-type': 'application/json' },
        body: JSON.stringify({ requires_factor: true }),
      })
      return change.status
    })
    expect(status).toBe(200)
    const other = await browser.open()
    await other.goto('/sites/demo/accounts/login/')
    await other.getByLabel('User name or e-mail').fill('gita')
    await other.getByLabel('Password').fill(password)
    await other.getByRole('button', { name: 'Sign in', exact: true }).click()
    await other.getByText('This site requires a second factor.').waitFor()
    await browser.shoot(other, 'required-factor')
    expect(await browser.violations(other)).toEqual([])
    await other.context().close()
  })

  it('without user verification signs nobody in, and the page says so', async () => {
    await page.context().clearCookies()
    await authenticator.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await page.goto('/accounts/login/')
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('No passkey was used.').waitFor()
    expect(await isSignedIn()).toBe(false)
  })
})

describe('signing up', () => {
  const address = 'ines@example.com'
  const link = async () => {
    const letters = await (await fetch(`${service.origin}/_dev/mailbox/?to=${address}`)).text()
    return /\/sites\/demo\/accounts\/sign-up\/passkey\/\?token=[\w-]+/.exec(letters)?.[0]
  }

  it('with a passkey needs no password, and is completed with the link and the passkey', async () => {
    await openWithDevice()
    await page.goto('/sites/demo/accounts/sign-up/')
    await page.getByRole('button', { name: 'Sign up with a passkey' }).click()
    // The browser itself reports the empty fields.
    expect(await page.getByText('Check your e-mail').isVisible()).toBe(false)
    await page.getByLabel('First name').fill('Ines')
    await page.getByLabel('Last name').fill('Moura')
    await page.getByLabel('E-mail').fill(address)
    await browser.shoot(page, 'sign-up-passkey')
    expect(await browser.violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign up with a passkey' }).click()
    await page.getByText('Check your e-mail').waitFor()
    expect(await browser.violations(page)).toEqual([])
    await until(
      async () => (await link()) !== undefined,
      () => 'no letter with a link has come',
    )
    await page.goto((await link()) as string)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('Your account is ready.').waitFor()
    await browser.shoot(page, 'sign-up-finished')
    expect(await page.locator('#codes li').count()).toBe(10)
    expect(await browser.violations(page)).toEqual([])
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL(({ pathname }) => pathname === '/')
    await page.goto('/accounts/me/')
    await page.getByText(`Signed in as ${address}`).waitFor()
  })
})

describe.each(['light', 'dark'] as const)('the branding of a site in a %s scheme', (colorScheme) => {
  it('consists of its name, logo and colour, with legible texts', async () => {
    const plain = await browser.open({ colorScheme })
    await plain.goto('/sites/demo/accounts/login/')
    await plain.getByRole('heading', { name: 'Sign in to Harbour & Co' }).waitFor()
    const read = (expression: string) => plain.evaluate<unknown>(expression)
    expect(
      await read(`(({ color, backgroundColor }) => [color, backgroundColor])(
        getComputedStyle(document.querySelector('main form button')))`),
    ).toEqual(['rgb(0, 0, 0)', 'rgb(255, 212, 0)'])
    expect(await read(`document.querySelector('.brand img').naturalWidth`)).toBe(1)
    await browser.shoot(plain, `branding-${colorScheme}`)
    expect(await browser.violations(plain)).toEqual([])
    expect(Math.min(...(await browser.measure(plain)).contrasts)).toBeGreaterThanOrEqual(4.5)
    await plain.context().close()
  })
})

describe('the login page without scripts', () => {
  it('offers no passkey, and its form works', async () => {
    const plain = await browser.open({ javaScriptEnabled: false })
    await plain.goto('/accounts/login/')
    expect(await plain.getByRole('button', { name: 'Use a passkey' }).isVisible()).toBe(false)
    await plain.getByLabel('User name or e-mail').fill(admin.email)
    await plain.getByLabel('Password').fill(password)
    await plain.getByRole('button', { name: 'Sign in', exact: true }).click()
    await plain.getByLabel('Code').waitFor()
    await plain.context().close()
  })
})
