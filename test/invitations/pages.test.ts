/** The pages of an invitation and of the local mailbox. I6, I7. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, type Site, startApp, type TestApp } from '../support/app.ts'

let app: TestApp
let site: Site

const person = { first_name: 'Ada', last_name: 'Byron', password: 'Correct-horse-1' }

beforeAll(async () => {
  app = (await startApp()).with({ EMAIL_TRANSPORT: 'mailbox', PUBLIC_URL: 'http://localhost' })
  site = await createSite(app, 'acme')
})

const invite = async (invitee_identifier: string, invitation_config = {}) =>
  (
    await app.request('POST', '/api/cloud/organizations/acme-org/invitations/', {
      token: site.owner.token,
      body: { invitee_identifier, invitation_config },
    })
  ).body.uuid as string
const open = (token: string, of = app) => of.request('GET', `/invitations/${token}/`)
const send = (
  token: string,
  fields: Record<string, string>,
  headers: Record<string, string> = { origin: 'http://localhost' },
) =>
  app.request('POST', `/invitations/${token}/`, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

describe('the page of an invitation', () => {
  it('names the inviter, the organization and the permissions; reading it changes nothing', async () => {
    const token = await invite('reader@example.net', {
      group: ['Staff'],
      site: [
        { slug: 'acme', permissions: ['access_site', 'change_site'] },
        { slug: 'x/../../_dev/mailbox', permissions: ['admin_site'] },
      ],
    })
    for (let times = 0; times < 2; times++) {
      const { status, body, headers } = await open(`${token}`)
      expect(status).toBe(200)
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      // The page promises no rights on sites that the organization does not have.
      expect(body).not.toContain('mailbox')
      for (const text of [
        'Join acme org',
        'acme-owner (acme-owner@example.org) has invited you to join acme org',
        'You will join the group Staff.',
        'On the site acme you can view apps, tables and records; add, change and delete records.',
      ]) {
        expect(body).toContain(text)
      }
    }
  })

  it('returns 404 for an unknown token and 410 for a used one, each with a page', async () => {
    const token = await invite('used@example.net')
    expect((await send(token, person)).status).toBe(200)
    const answers = [
      await open(crypto.randomUUID()),
      await open('x'),
      await open(token),
      await send(token, person),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 410, 410])
    for (const { body } of answers) expect(body).toContain('<h1>Something went wrong</h1>')
  })

  it('contains names and codes as plain text', async () => {
    const evil = await createSite(app, 'evil')
    await app.sql(`update organizations set name = '<img src=x onerror=alert(1)>' where slug = 'evil-org'`)
    const { body: made } = await app.request('POST', '/api/cloud/organizations/evil-org/invitations/', {
      token: evil.owner.token,
      body: {
        invitee_identifier: 'target@example.net',
        invitation_config: { group: ['"><script>1</script>'] },
      },
    })
    const { body } = await app.request('GET', `/invitations/${made.uuid}/?code="><script>2</script>`)
    expect(body).not.toMatch(/<script|<img src=x/)
  })

  it('shows an invalid form again with its errors and names, but without the password', async () => {
    const token = await invite('careless@example.net')
    const { status, body } = await send(token, { ...person, last_name: ' ', password: 'short-A1b2-no' })
    expect(status).toBe(400)
    expect(body).toContain('role="alert"')
    expect(body).toContain('value="Ada"')
    expect(body).not.toContain('short-A1b2-no')
    expect((await send(token, person)).body).toContain('Welcome to acme org')
  })

  it('returns 403 for a form from another origin and changes nothing', async () => {
    const token = await invite('elsewhere@example.net')
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }, {}]) {
      expect((await send(token, person, headers as Record<string, string>)).status).toBe(403)
    }
    expect((await open(token)).status).toBe(200)
  })
})

describe('POST /api/cloud/invitations/{token}/accept/', () => {
  it('returns 401 for invalid credentials, although it needs none', async () => {
    const token = await invite('credentials@example.net')
    const answer = await app.request('POST', `/api/cloud/invitations/${token}/accept/`, {
      token: 'x.y.z',
      body: person,
    })
    expect(answer.status).toBe(401)
  })
})

describe('/_dev/mailbox/', () => {
  it('returns 404 in production and with another transport', async () => {
    const elsewhere: Record<string, string>[] = [
      { ENVIRONMENT: 'production', PASSWORD_COST: '' },
      { EMAIL_TRANSPORT: 'smtp' },
    ]
    for (const variables of elsewhere) {
      expect((await app.with(variables).request('GET', '/_dev/mailbox/')).status).toBe(404)
    }
  })

  it('lists e-mails to one recipient or to all, as JSON and as a page', async () => {
    for (const to of ['a@example.net', 'b@example.net']) {
      await app.sql(
        `insert into mailbox_letters (recipient, subject, text, html)
         values ($1, '<b>Hi</b>', 'Hello' || e'\\n\\n' || 'https://x.example/y', '<p>Hello</p>')`,
        [to],
      )
    }
    const { body } = await app.request('GET', '/_dev/mailbox/?to=A@example.net')
    expect(body).toEqual({
      results: [
        {
          to: 'a@example.net',
          subject: '<b>Hi</b>',
          text: 'Hello\n\nhttps://x.example/y',
          html: '<p>Hello</p>',
          created: expect.any(String),
        },
      ],
    })
    expect(
      (await app.request('GET', '/_dev/mailbox/')).body.results.map(({ to }: { to: string }) => to),
    ).toEqual(['b@example.net', 'a@example.net'])
    const page = await app.request('GET', '/_dev/mailbox/', { headers: { accept: 'text/html' } })
    expect(page.body).toContain('&lt;b&gt;Hi&lt;/b&gt;')
    expect(page.body).toContain('<a href="https://x.example/y">')
  })
})
