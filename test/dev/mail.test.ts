/**
 * E-mails on their whole way: queue, retries, TLS, a real mail server, and the pages behind their links. I7,
 * T7.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { runs } from '../support/runs.ts'
import { type Service, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** The number of refused attempts. Each pause is twice as long as the previous one. */
const refusals = runs(1, 3)
let mail: MailServer
let service: Service

const invitations = '/api/cloud/organizations/harbour-street/invitations/'

beforeAll(async () => {
  mail = await startMailServer({ refusals })
  service = await startService([], { EMAIL_TRANSPORT: 'smtp', SMTP_URL: mail.url })
})

afterAll(async () => {
  await service?.stop()
  await mail?.close()
})

const arrived = (count: number) =>
  until(
    () => mail.received.length >= count,
    () => `${count} letters: ${mail.received.length} came, after ${mail.attempts()} attempts`,
  )

describe(`a mail server that refuses the first ${refusals} attempts`, () => {
  it('gets the e-mail by retry; its link opens the invitation, which is accepted', async () => {
    await service.client.request('POST', invitations, { invitee_identifier: 'zoe@example.net' })
    await arrived(1)
    expect(mail.attempts()).toBe(refusals + 1)
    const [letter] = mail.received
    expect(letter).toMatchObject({ from: 'tessera@example.com', to: ['zoe@example.net'] })
    expect(letter?.raw).toMatch(/^Subject: You're invited to join Harbour Street$/m)
    expect(letter?.raw).toContain('multipart/alternative')
    expect(letter?.raw).toMatch(/^List-Unsubscribe:\s+<http\S+\/accounts\/emails\/stop\/\?token=\S+>\r?$/m)
    expect(letter?.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m)
    const link = new RegExp(`${service.origin}/invitations/[0-9a-f-]{36}/`).exec(
      letter?.raw.replaceAll('=\r\n', '') ?? '',
    )?.[0] as string
    const page = await fetch(link)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Join Harbour Street')])
    const token = link.split('/').at(-2)
    const body = JSON.stringify({ password: 'Correct-horse-1', first_name: 'Zoë', last_name: 'Byron' })
    const accepted = await fetch(`${service.origin}/api/cloud/invitations/${token}/accept/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect(accepted.status).toBe(200)
  })

  it('gets an e-mail that is sent again on request', async () => {
    const { invitee } = await service.client.request<{ invitee: number }>('POST', invitations, {
      invitee_identifier: 'again@example.net',
    })
    await arrived(2)
    expect(await service.client.request('POST', `${invitations}${invitee}/resend/`)).toEqual({
      status: 'success',
      message: 'The invitation is being sent again.',
    })
    await arrived(3)
    expect(mail.received[2]?.to).toEqual(['again@example.net'])
  })
})

describe('the e-mails of functions', () => {
  it('leave by the mail server of the site, with its sender, HTML and a link to stop them', async () => {
    const api = '/sites/demo/api'
    const own = await startMailServer({ secure: false })
    const { port } = new URL(own.url)
    await service.client.request('POST', `${api}/secrets/`, {
      secret_type: 'smtp-credentials',
      key: 'MAIL',
      value: {
        ...{ host: '127.0.0.1', port: Number(port), username: 'post@example.com', password: 's:e/cret' },
        use_tls: true,
      },
    })
    await service.client.request('POST', `${api}/apps/`, { name: 'Letters' })
    await service.client.request('POST', `${api}/apps/letters/functions/`, {
      name: 'Write',
      code: `export default ({ to }, { mail }) => mail.send({ to, subject: 'From the site', text: 'Plain',
        html: '<p>Rich</p>', reply_to: 'desk@example.com' })`,
    })
    const sent = await service.client.request('POST', `${api}/apps/letters/functions/write/execute/`, {
      params: { to: 'reader@example.net' },
    })
    expect(sent).toMatchObject({ data: { number: 1 } })
    const find = () => own.received.find(({ to }) => to.includes('reader@example.net'))
    await until(
      () => find() !== undefined,
      () => 'the e-mail of the function arrives',
    )
    expect(find()?.from).toBe('post@example.com')
    const raw = find()?.raw ?? ''
    expect(raw).toMatch(/^Subject: From the site$/m)
    expect(raw).toMatch(/^Reply-To: desk@example.com$/m)
    expect(raw).toContain('<p>Rich</p>')
    expect(raw).toMatch(/^List-Unsubscribe:\s+<http\S+\/accounts\/emails\/stop\/\?token=\S+>\r?$/m)
    await own.close()
  })
})

describe('the e-mails about accounts', () => {
  const post = async (path: string, body: unknown, token?: string) => {
    const answer = await fetch(`${service.origin}/api${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, string> }
  }
  /** Waits for the e-mail with a link to a page. Returns the token in it. E-mails are quoted-printable. */
  const tokenFor = async (address: string, page: string): Promise<string> => {
    const find = () =>
      mail.received
        .filter(({ to }) => to.includes(address))
        .map(({ raw }) => raw.replaceAll('=\r\n', '').replaceAll('=3D', '='))
        .map((text) => new RegExp(`${service.origin}/\\S*${page}/\\?token=([\\w-]+)`).exec(text)?.[1])
        .find((token) => token !== undefined)
    await until(
      () => find() !== undefined,
      () => `no letter to ${address} with a link to ${page}`,
    )
    return find() as string
  }

  it('finish a sign-up, reset the password, and change the address of the account', async () => {
    const [email, address] = ['ines@example.net', 'ines@example.com']
    const [first, second] = ['First-otter-71', 'Second-otter-72']
    await service.client.request('PATCH', '/api/cloud/sites/demo/', { sign_up: 'open' })
    await post('/auth/sign-up/', { email, password: first })
    const token = await tokenFor(email, 'sign-up/confirm')
    expect((await post('/auth/sign-up/confirm/', { token, password: first })).status).toBe(201)
    await post('/auth/password/reset/', { email })
    const reset = await tokenFor(email, 'reset/confirm')
    expect((await post('/auth/password/reset/confirm/', { token: reset, password: second })).status).toBe(200)
    const { access } = (await post('/auth/jwt/token/', { username: email, password: second })).body
    const change = await fetch(`${service.origin}/api/users/me/`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${access}` },
      body: JSON.stringify({ email: address }),
    })
    expect(change.status).toBe(200)
    const confirmed = await post(
      '/auth/email/verify/confirm/',
      { token: await tokenFor(address, 'verify/confirm') },
      access,
    )
    expect(confirmed).toEqual({ status: 200, body: { email: address, has_password: true } })
    // The former address gets a notice.
    await until(
      () => mail.received.some(({ to, raw }) => to.includes(email) && raw.includes('Subject: Your e-mail')),
      () => mail.received.map(({ raw }) => /^Subject: .*$/m.exec(raw)?.[0]).join(),
    )
  })
})
