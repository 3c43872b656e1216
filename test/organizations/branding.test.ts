/** The branding of a site: the accepted values, the files for browsers, and attacks. */
import { beforeAll, describe, expect, it } from 'vitest'
import { forgetBranding } from '../../src/kernel/page/branding.ts'
import { createSite, type Site, startApp, type TestApp } from '../support/app.ts'
import { lettersTo, sendAccountEmails } from '../support/letters.ts'
import { roundTrips } from '../support/secrets.ts'

let app: TestApp
let site: Site
let other: Site

const change = (branding: unknown, by = site.owner, slug = 'acme') =>
  app.request('PATCH', `/api/cloud/sites/${slug}/`, { token: by.token, body: { branding } })
const looks = async (branding: unknown) => (await change(branding)).body.branding
const open = (path: string, headers: Record<string, string> = {}) => app.request('GET', path, { headers })

const base64 = (bytes: readonly number[] | Uint8Array) => Buffer.from(bytes as Uint8Array).toString('base64')
const uint32 = (value: number) => [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255]
const ascii = (text: string) => [...Buffer.from(text, 'latin1')]
const png = (width = 2, height = 2, more = 0) => [
  ...ascii('\x89PNG\r\n\x1a\n'),
  ...uint32(13),
  ...ascii('IHDR'),
  ...uint32(width),
  ...uint32(height),
  ...ascii('\x08\x06\x00\x00\x00'),
  ...Array.from({ length: more }, () => 7),
]
const jpeg = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc0, 0, 11, 8, 0, 20, 0, 30, 1, 1, 0x11, 0]
const webpHead = (form: string, ...rest: number[]) => [
  ...[...ascii('RIFF'), 40, 0, 0, 0, ...ascii('WEBP'), ...ascii(form)],
  ...[10, 0, 0, 0, ...rest],
]
const webp = webpHead('VP8X', 0, 0, 0, 0, 29, 0, 0, 19, 0, 0)
const dataUrl = (bytes: readonly number[], type = 'image/png') => `data:${type};base64,${base64(bytes)}`

beforeAll(async () => {
  app = await startApp({
    EMAIL_TRANSPORT: 'mailbox',
    PUBLIC_URL: 'http://localhost',
    RATE_LIMIT_SCALE: '1000',
  })
  site = await createSite(app, 'acme')
  other = await createSite(app, 'other')
})

describe('a change of branding', () => {
  it('gets 403 without admin_site', async () => {
    expect((await change({ name: 'Mine' }, other.owner)).status).toBe(403)
  })

  it('gets 400 for an invalid colour, name or image, and changes nothing', async () => {
    const svg = `data:image/svg+xml;base64,${Buffer.from('<svg onload="alert(1)"/>').toString('base64')}`
    const notDataUrl = 'logo: A data: URL of a PNG, JPEG or WebP image in base64 is required.'
    for (const [branding, problem] of [
      [{ color: 'red' }, 'A color is required, for example #0f766e.'],
      [{ color: '#0f766e;}body{display:none' }, 'A color is required, for example #0f766e.'],
      [{ name: 'a\u202eb' }, 'A name must not contain control characters.'],
      [{ name: '' }, ''],
      [{ name: 'x'.repeat(61) }, ''],
      [{ logo: 'https://evil.test/logo.png' }, notDataUrl],
      [{ logo: 'javascript:alert(1)' }, notDataUrl],
      [{ logo: svg }, notDataUrl],
      [{ logo: 'data:image/png;base64,' }, notDataUrl],
      [{ logo: '/accounts/logo/../../evil/' }, notDataUrl],
      [{ logo: dataUrl(ascii('<svg/>')) }, 'logo: The image is not image/png.'],
      [{ logo: dataUrl(jpeg, 'image/png') }, 'logo: The image is not image/png.'],
      [{ logo: dataUrl(png(), 'image/webp') }, 'logo: The image is not image/webp.'],
      [{ logo: dataUrl(ascii('\x89PNG\r\n\x1a\n')) }, 'logo: The image is not image/png.'],
      [
        { logo: dataUrl(png(20_000, 20_000)) },
        'logo: The image has 20000 × 20000 pixels, and 2000 a side are possible.',
      ],
      [{ logo: dataUrl(png(0, 1)) }, 'logo: The image has 0 × 1 pixels, and 2000 a side are possible.'],
      [{ logo: dataUrl(png(2, 2, 100_000)) }, 'logo: The image has 100029 bytes, and 100000 are possible.'],
      [{ logo: dataUrl(png(2, 2, 200_000)) }, ''],
      [{ background: 'x' }, ''],
    ] as const) {
      const { status, text } = await change(branding)
      expect([status, text.includes(problem)], JSON.stringify(branding).slice(0, 80)).toEqual([400, true])
    }
    expect(await looks({})).toEqual({ name: null, logo: null, color: null })
  })

  it('changes the properties in the body, accepts what was read, and removes a property with null', async () => {
    const first = await looks({ name: ' Acme & <Co> ', color: '#FFD400', logo: dataUrl(png()) })
    expect(first).toEqual({
      name: 'Acme & <Co>',
      logo: expect.stringMatching(/^\/sites\/acme\/accounts\/logo\/[0-9a-f]{32}\/$/),
      color: '#ffd400',
    })
    expect(await looks(first)).toEqual(first)
    expect(await looks({ name: 'Acme' })).toEqual({ ...first, name: 'Acme' })
    expect(await looks({ color: null, logo: null })).toEqual({ name: 'Acme', logo: null, color: null })
    expect(await looks({ name: null })).toEqual({ name: null, logo: null, color: null })
  })

  it('is in the audit log', async () => {
    await looks({ name: 'Audited' })
    const { body } = await app.request('GET', '/api/cloud/sites/acme/audit/?kind=site', {
      token: site.owner.token,
    })
    expect(body.results[0]).toMatchObject({ changed: ['branding'] })
  })
})

describe('the logo of a site', () => {
  it.each([
    ['image/png', png()],
    ['image/jpeg', jpeg],
    ['image/webp', webp],
    ['image/webp', webpHead('VP8L', 0x2f, 0, 0, 0, 0)],
    ['image/webp', webpHead('VP8 ', 0, 0, 0, 0x9d, 0x01, 0x2a, 9, 0, 9, 0)],
  ])('is served with its type %s, and with no other type', async (type, bytes) => {
    const { logo } = await looks({ logo: dataUrl(bytes, type) })
    const answer = await app.open('GET', logo)
    expect([answer.status, base64(new Uint8Array(await answer.arrayBuffer()))]).toEqual([200, base64(bytes)])
    const header = (name: string) => answer.headers.get(name)
    expect(header('content-type')).toBe(type)
    expect(header('x-content-type-options')).toBe('nosniff')
    expect(header('content-security-policy')).toBe("default-src 'none'; sandbox; frame-ancestors 'none'")
    expect(header('cache-control')).toBe('public, max-age=31536000, immutable')
  })

  it('returns 404 by an earlier hash, at another site, and for an invalid hash', async () => {
    const earlier = (await looks({ logo: dataUrl(png(3, 3)) })).logo as string
    const { logo } = await looks({ logo: dataUrl(png(4, 4)) })
    for (const path of [
      earlier,
      (logo as string).replace('/acme/', '/other/'),
      (logo as string).replace('/sites/acme', ''),
      '/sites/acme/accounts/logo/x/',
      '/sites/acme/accounts/colors/red/',
      "/sites/acme/accounts/colors/0f766e;'/",
    ])
      expect((await open(path)).status).toBe(404)
  })
})

describe('the style sheet of a colour', () => {
  it.each([
    ['ffd400', '#000000', 'light-dark(#0f766e, #ffd400)'],
    ['7f1d1d', '#ffffff', 'light-dark(#7f1d1d, #2dd4bf)'],
    ['767676', '#000000', 'light-dark(#0f766e, #2dd4bf)'],
  ])('#%s: the text of buttons is %s, links are %s', async (color, text, links) => {
    const { status, headers, text: css } = await open(`/sites/acme/accounts/colors/${color}/`)
    expect([status, headers.get('content-type'), headers.get('x-content-type-options')]).toEqual([
      200,
      'text/css; charset=utf-8',
      'nosniff',
    ])
    expect(css).toContain(`--accent: #${color};\n  --on-accent: ${text};\n  --link: ${links};`)
  })
})

describe('the pages of a site', () => {
  it('contain the name, the logo and the styles, all from the same host; other pages contain none', async () => {
    const { logo } = await looks({ name: 'Acme & <Co>', color: '#7f1d1d', logo: dataUrl(png()) })
    for (const path of ['login/', 'password/reset/', 'nothing-here/']) {
      const { text, headers } = await open(`/sites/acme/accounts/${path}`)
      expect(text).toContain('<span>Acme &amp; &lt;Co&gt;</span>')
      expect(text).toContain(`<img src="${logo}" alt=""/>`)
      expect(text).toContain('href="/sites/acme/accounts/colors/7f1d1d/"')
      const policy = headers.get('content-security-policy') as string
      expect(policy).toContain("style-src 'self'; img-src 'self'")
      expect(policy).not.toContain('unsafe')
    }
    for (const path of ['/accounts/password/reset/', '/sites/other/accounts/login/'])
      expect((await open(path)).text).toContain('<img class="mark" src="/favicon.svg"')
  })

  it('show a change at once where it was made, and work without the database', async () => {
    await looks({ name: 'Before' })
    expect((await open('/sites/acme/accounts/password/reset/')).text).toContain('Before')
    await looks({ name: 'After' })
    expect((await open('/sites/acme/accounts/password/reset/')).text).toContain('After')
    const away = app.with({ DATABASE_URL: 'postgresql://nobody:x@127.0.0.1:1/nothing' })
    const page = await away.request('GET', '/sites/acme/accounts/password/reset/')
    expect([page.status, page.text.includes('favicon.svg')]).toEqual([200, true])
  })

  it('are the same each time; the sign-in page needs no extra round trip for them', async () => {
    await looks({ name: 'Quayside' })
    forgetBranding()
    for (const _ of [1, 2, 3]) {
      const page = await open('/sites/acme/accounts/login/')
      expect([page.text.includes('Sign in to Quayside'), roundTrips(page)]).toEqual([true, 1])
    }
    expect((await open('/sites/acme/accounts/password/reset/')).text).toContain('Quayside')
  })

  it('give the name, as text, to e-mails that were requested there', async () => {
    await looks({ name: 'Acme <b>Co</b>' })
    await app.user('reader')
    await app.request('POST', `${site.api}/auth/password/reset/`, { body: { email: 'reader@example.org' } })
    await sendAccountEmails(app)
    const [letter] = await lettersTo(app, 'reader@example.org')
    expect(letter?.subject).toBe('Reset your password – Acme <b>Co</b>')
    expect(letter?.text.startsWith('Acme <b>Co</b>\n\nHello,')).toBe(true)
    expect(letter?.html).toContain('<strong>Acme &lt;b&gt;Co&lt;/b&gt;</strong>')
    expect(letter?.html).not.toContain('<b>')
  })
})
