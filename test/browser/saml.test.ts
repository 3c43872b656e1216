/**
 * Signing in by SAML in a real browser, with a provider made with `samlp` on another site than the service.
 * S6.
 */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  type SamlIdentityProvider,
  signer,
  startSamlIdentityProvider,
} from '../support/saml-identity-provider.ts'
import { type Service, startService } from '../support/service.ts'
import { type OpenBrowser, openBrowser } from './browser.ts'

let service: Service
let browser: OpenBrowser
let provider: SamlIdentityProvider

const audience = 'https://tessera.example.org/saml'

/** Creates an app of the provider. With `signs`, its requests are signed, and the provider requires it. */
async function addApp(
  name: string,
  binding: 'HTTP-Redirect' | 'HTTP-POST',
  { signs = false, idp_initiated = false } = {},
): Promise<void> {
  provider.register(name, {
    audience,
    consumer: `${service.origin}/accounts/saml/${name}/acs/`,
    mustSign: signs,
  })
  const saml = {
    metadata_url: provider.metadataUrl(name, binding),
    sign_requests: signs,
    idp_initiated,
    attributes: { subject: 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier' },
  }
  const { data } = await service.client.request<{ data: { is_configured: boolean } }>(
    'POST',
    '/api/auth/social-apps/',
    {
      provider: 'saml',
      provider_id: name,
      name,
      client_id: audience,
      ...(signs ? signer : { secret: 'unused' }),
      settings: { saml },
    },
  )
  expect(data.is_configured).toBe(true)
}

const sessionOf = async (page: Page) =>
  (await page.context().cookies()).find(({ name }) => name === 'sessionid')

/** Signs in on the provider's page. Without scripts, the page that posts the response has a button. */
async function passProvider(page: Page, name: string, scripts = true): Promise<void> {
  await page.waitForURL(`${provider.origin}/**`)
  await page.fill('input[name=user]', name)
  await page.getByRole('button', { name: 'Sign in at the provider' }).click()
  if (!scripts) await page.getByRole('button', { name: 'Submit' }).click()
}

beforeAll(async () => {
  provider = await startSamlIdentityProvider()
  service = await startService([])
  browser = await openBrowser(service.origin)
})

afterAll(async () => {
  await browser?.close()
  await service?.stop()
  await provider?.close()
})

afterEach(() => {
  expect(browser.complaints()).toEqual([])
})

describe('a SAML provider', () => {
  it.each([
    ['a redirect', 'redirect', 'HTTP-Redirect', false],
    ['a signed redirect', 'signed-redirect', 'HTTP-Redirect', true],
    ['a form', 'form', 'HTTP-POST', false],
    ['a signed form', 'signed-form', 'HTTP-POST', true],
  ] as const)(
    'signs the user in by %s, and redirects to the requested page',
    async (_what, name, binding, signs) => {
      await addApp(name, binding, { signs })
      const page = await browser.open()
      await page.goto('/accounts/login/?next=/?arrived')
      await page.getByRole('link', { name: `Continue with ${name}`, exact: true }).click()
      if (binding === 'HTTP-POST') {
        await browser.shoot(page, 'saml-request')
        await page.getByRole('button', { name: 'Continue' }).click()
      }
      await passProvider(page, name)
      await page.waitForURL(`${service.origin}/?arrived`)
      expect(await sessionOf(page)).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
      const user = await service.client.request('GET', `/api/users/${name}/`)
      expect(user).toMatchObject({ email: `${name}@corp.example`, last_name: 'Example' })
    },
  )

  it('signs the user in without scripts', async () => {
    await addApp('plain', 'HTTP-POST')
    const page = await browser.open({ javaScriptEnabled: false })
    await page.goto('/accounts/plain/login/?next=/?arrived')
    await page.getByRole('button', { name: 'Continue' }).click()
    await passProvider(page, 'plain', false)
    await page.waitForURL(`${service.origin}/?arrived`)
    expect(await sessionOf(page)).toBeDefined()
  })

  it('signs the user in from a tile on its own page, if the app allows it', async () => {
    await addApp('tile', 'HTTP-Redirect', { idp_initiated: true })
    const page = await browser.open()
    await page.goto(`${provider.origin}/tile/tile`)
    await page.waitForURL(`${service.origin}/?from-tile`)
    expect(await sessionOf(page)).toBeDefined()
    const other = await browser.open()
    await addApp('no-tile', 'HTTP-Redirect')
    await other.goto(`${provider.origin}/tile/no-tile`)
    await other.waitForURL(`${service.origin}/accounts/saml/no-tile/acs/`)
    expect(await other.getByRole('alert').textContent()).toBe(
      'The response of the provider was refused. ' +
        'It belongs to no sign-in, and the app does not allow sign-ins to start at the provider.',
    )
    expect(await sessionOf(other)).toBeUndefined()
  })
})
