/** The login page in a real browser: without scripts, on a phone, by keyboard and for screen readers. S6. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { admin, type Service, startService } from '../support/service.ts'
import { type OpenBrowser, openBrowser, phone } from './browser.ts'
import { proveAccount } from './prove-account.ts'

let service: Service
let browser: OpenBrowser

const open = (options?: BrowserContextOptions) => browser.open(options)
const shoot = (page: Page, name: string) => browser.shoot(page, name)
const addApp = (body: Record<string, unknown>) =>
  service.client.request<{ data: { id: number } }>('POST', '/api/auth/social-apps/', body)
const certified = (provider_id: string, name: string, settings: Record<string, unknown> = {}) => ({
  provider: 'openid_connect',
  provider_id,
  name,
  client_id: 'tessera',
  secret: 'certified-secret',
  settings: { server_url: `${service.provider.issuer}/.well-known/openid-configuration`, ...settings },
})

/** Signs in and consents on the provider's own pages. */
async function passProvider(page: Page, login: string): Promise<void> {
  await page.fill('input[name=login]', login)
  await page.fill('input[name=password]', 'any')
  await page.click('button[type=submit]')
  await page.click('button[type=submit]')
}

const sessionOf = async (page: Page) =>
  (await page.context().cookies()).find(({ name }) => name === 'sessionid')

beforeAll(async () => {
  service = await startService(['harbour', 'auto'])
  browser = await openBrowser(service.origin)
})

afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

afterEach(() => {
  expect(browser.complaints()).toEqual([])
})

describe('the login page without providers', () => {
  it('a password signs the user in', async () => {
    const page = await open()
    await page.goto('/accounts/login/?next=/?arrived')
    await shoot(page, 'login-password-only')
    await page.getByLabel('User name or e-mail').fill(admin.email)
    await page.getByLabel('Password').fill(admin.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/?arrived')
    expect(await sessionOf(page)).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
  })
})

describe('the login page with providers', () => {
  beforeAll(async () => {
    await addApp(certified('harbour', 'Harbour ID', { icon: 'slack' }))
    for (const [provider, name] of [
      ['google', 'Google'],
      ['github', 'GitHub'],
      ['microsoft', 'Microsoft'],
    ]) {
      await addApp({ provider, name, client_id: 'a', secret: 'b' })
    }
  })

  it('a provider signs the user in: button, login, consent, and back to the requested page', async () => {
    const page = await open()
    await page.goto('/accounts/login/?next=/?arrived')
    await shoot(page, 'login')
    await page.getByRole('link', { name: 'Continue with Harbour ID' }).click()
    await page.waitForURL(`${service.provider.issuer}/**`)
    await passProvider(page, 'grace')
    await page.waitForURL(`${service.origin}/?arrived`)
    expect(await sessionOf(page)).toBeDefined()
    const user = await service.client.request('GET', '/api/users/grace/')
    expect(user).toMatchObject({ email: 'grace@example.org', full_name: 'Grace Example' })
  })

  it('a signed-in user links a provider on the page, without scripts, and signs in with it', async () => {
    const [username, email, password] = ['linda', 'linda@example.org', 'First-horse-1']
    await service.client.request('POST', '/api/users/', { username, email, password })
    await proveAccount(service, password, email)
    const page = await open({ javaScriptEnabled: false })
    await page.goto('/accounts/login/?next=/accounts/me/')
    await page.getByLabel('User name or e-mail').fill(username)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('link', { name: 'Link a provider' }).click()
    await shoot(page, 'link')
    await page.getByRole('button', { name: 'Link Harbour ID' }).click()
    await page.waitForURL(`${service.provider.issuer}/**`)
    await passProvider(page, 'linked-elsewhere')
    await page.waitForURL('**/accounts/me/?done=linked')
    expect(await page.getByRole('status').textContent()).toBe('The provider is linked.')
    await page.context().clearCookies()
    await page.goto('/accounts/login/?next=/accounts/me/')
    await page.getByRole('link', { name: 'Continue with Harbour ID' }).click()
    await passProvider(page, 'linked-elsewhere')
    await page.waitForURL('**/accounts/me/')
    await page.getByText('Signed in as linda').waitFor()
  })

  it('signing in works without scripts', async () => {
    const page = await open({ javaScriptEnabled: false })
    await page.goto('/accounts/login/?next=/?arrived')
    await page.getByRole('link', { name: 'Continue with Harbour ID' }).click()
    await passProvider(page, 'ada')
    await page.waitForURL(`${service.origin}/?arrived`)
    expect(await sessionOf(page)).toBeDefined()
    await page.context().clearCookies()
    await page.goto('/accounts/login/')
    await page.getByLabel('User name or e-mail').fill(admin.email)
    await page.getByLabel('Password').fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await page.getByRole('alert').textContent()).toBe(
      'No active account was found with these credentials.',
    )
  })

  it('a wrong password shows an error, and the password field has the focus', async () => {
    const page = await open()
    await page.goto('/accounts/login/')
    await page.getByLabel('User name or e-mail').fill(admin.email)
    await page.getByLabel('Password').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await shoot(page, 'login-wrong-password')
    expect(await page.getByRole('alert').textContent()).toBe(
      'No active account was found with these credentials.',
    )
    expect(await page.getByLabel('User name or e-mail').inputValue()).toBe(admin.email)
    expect(await page.evaluate('document.activeElement.id')).toBe('password')
    await page.keyboard.type(admin.password)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${service.origin}/`)
  })

  it('the page can be used with the keyboard only, in reading order', async () => {
    const page = await open()
    await page.goto('/accounts/login/?next=/?arrived')
    expect(await page.evaluate('document.activeElement.id')).toBe('username')
    await page.keyboard.press('Shift+Tab')
    const order: string[] = []
    for (let step = 0; step < 4; step++) {
      order.push(await page.evaluate<string>("document.activeElement.querySelector('span')?.textContent"))
      await page.keyboard.press('Shift+Tab')
    }
    expect(order).toEqual(
      ['Microsoft', 'GitHub', 'Google', 'Harbour ID'].map((name) => `Continue with ${name}`),
    )
    await page.getByRole('link', { name: 'Continue with Harbour ID' }).focus()
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')
    expect(outline).toBe('solid')
    await shoot(page, 'login-focus')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${service.provider.issuer}/**`)
  })

  it('the page has the expected accessibility tree', async () => {
    const page = await open()
    await page.goto('/accounts/login/')
    expect(await page.locator('body').ariaSnapshot()).toBe(
      [
        '- main:',
        '  - heading "Sign in to Demo" [level=1]',
        '  - list:',
        ...['Harbour ID', 'Google', 'GitHub', 'Microsoft'].flatMap((name, index) => [
          '    - listitem:',
          `      - link "Continue with ${name}":`,
          `        - /url: /accounts/${['harbour', 'google', 'github', 'microsoft'][index]}/login/?next=%2F`,
        ]),
        '  - paragraph: or',
        '  - text: User name or e-mail',
        '  - textbox "User name or e-mail"',
        '  - text: Password',
        '  - textbox "Password"',
        '  - button "Sign in"',
        '  - paragraph:',
        '    - link "Forgot your password?":',
        '      - /url: /accounts/password/reset/',
      ].join('\n'),
    )
    expect(await page.title()).toBe('Sign in – Demo')
    expect(await page.evaluate('document.documentElement.lang')).toBe('en')
  })

  it.each(['light', 'dark'] as const)(
    'the page fits a phone in %s mode, with targets of 44 px and sufficient contrast',
    async (colorScheme) => {
      const page = await open({ ...phone, colorScheme })
      await page.goto('/accounts/login/')
      await shoot(page, `login-phone-${colorScheme}`)
      const seen = await browser.measure(page)
      expect(seen.overflow).toBeLessThanOrEqual(0)
      expect(Math.min(...seen.heights)).toBeGreaterThanOrEqual(44)
      expect(Math.min(...seen.contrasts)).toBeGreaterThanOrEqual(4.5)
    },
  )

  it('a sign-in that is cancelled or returns twice ends on an error page', async () => {
    const page = await open()
    await page.goto('/accounts/harbour/login/')
    await page.getByText('[ Cancel ]').click()
    await page.getByRole('alert').waitFor()
    await shoot(page, 'cancelled')
    expect(await page.getByRole('alert').textContent()).toBe(
      'The sign-in was cancelled or rejected by the provider.',
    )
    await page.reload()
    expect(await page.getByRole('alert').textContent()).toContain('Start again')
    await page.getByRole('link', { name: 'Go to the sign-in page' }).click()
    await page.getByRole('heading', { name: 'Sign in to Demo' }).waitFor()
  })

  it('a page of another host cannot sign a user in', async () => {
    const page = await open()
    await page.goto(`${service.provider.issuer}/.well-known/openid-configuration`)
    await page.setContent(`<form method="post" action="${service.origin}/accounts/login/">
      <input name="username" value="${admin.email}">
      <input name="password" value="${admin.password}"><button>go</button></form>`)
    await page.getByRole('button').click()
    await page.getByRole('alert').waitFor()
    expect(await sessionOf(page)).toBeUndefined()
  })

  it('auto_redirect redirects to the provider at once, unless the URL prevents it', async () => {
    await addApp(certified('auto', 'Auto', { auto_redirect: true }))
    const page = await open()
    await page.goto('/accounts/login/?next=/?arrived')
    await page.waitForURL(`${service.provider.issuer}/**`)
    await passProvider(page, 'hopper')
    await page.waitForURL(`${service.origin}/?arrived`)
    await page.goto('/accounts/login/?auto_redirect=false')
    expect(await page.getByRole('link', { name: 'Continue with Auto' }).isVisible()).toBe(true)
  })
})
