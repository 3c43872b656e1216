/** Passkeys in a real browser, with an authenticator that Chromium imitates: adding one, and signing in with it. */
import type { CDPSession, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { admin, type Service, startService } from '../support/service.ts'
import { type OpenBrowser, openBrowser } from './browser.ts'
import { proveAccount } from './prove-account.ts'

let service: Service
let browser: OpenBrowser
let page: Page
let authenticator: CDPSession
let authenticatorId: string
const password = 'Another-horse-2'

/** A page in a profile that has a device with a lock. */
async function openWithDevice(): Promise<void> {
  page = await browser.open()
  authenticator = await page.context().newCDPSession(page)
  await authenticator.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const
  const added = await authenticator.send('WebAuthn.addVirtualAuthenticator', { options })
  authenticatorId = added.authenticatorId
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
  await proveAccount(service, password)
  // An address is no host of passkeys. This machine has a name, too.
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
    await page.getByText('This device has one already.').waitFor()
  })

  it('is the second factor after a password, which alone signs nobody in', async () => {
    await page.context().clearCookies()
    await enterPassword('/accounts/passkeys/')
    await page.getByRole('heading', { name: 'One more step' }).waitFor()
    await browser.shoot(page, 'second-factor')
    expect([await isSignedIn(), await browser.violations(page)]).toEqual([false, []])
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('Laptop (localhost)').waitFor()
    expect(await isSignedIn()).toBe(true)
  })

  it('of a device that does not know the person signs nobody in, and the page says so', async () => {
    await page.context().clearCookies()
    await authenticator.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await page.goto('/accounts/login/')
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('No passkey was used.').waitFor()
    expect(await isSignedIn()).toBe(false)
  })
})

describe('without scripts', () => {
  it('the page offers no passkey, and its form works', async () => {
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
