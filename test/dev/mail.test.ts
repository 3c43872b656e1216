/** The letter of an invitation on its whole way: queue, retries, TLS, a real mail server; and the invitation that it is for. I7. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { runs } from '../support/runs.ts'
import { type Service, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** The pause after each is twice as long as the one before. */
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

describe(`a mail server that is out of order for the first ${refusals} attempts`, () => {
  it('gets the letter by retry; its link leads to the invitation, which is accepted', async () => {
    await service.client.request('POST', invitations, { invitee_identifier: 'zoe@example.net' })
    await arrived(1)
    expect(mail.attempts()).toBe(refusals + 1)
    const [letter] = mail.received
    expect(letter).toMatchObject({ from: 'tessera@example.com', to: ['zoe@example.net'] })
    expect(letter?.raw).toMatch(/^Subject: You're invited to join Harbour Street$/m)
    expect(letter?.raw).toContain('multipart/alternative')
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

  it('takes a letter that is asked for again', async () => {
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
