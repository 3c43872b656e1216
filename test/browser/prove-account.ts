/** Proves the ownership of an account, which second factors and linked providers need. */
import { admin, type Service } from '../support/service.ts'
import { until } from '../support/until.ts'

/** Opens the link of a password reset, which proves the address, and sets a password. All sign-ins end. */
export async function proveAccount(service: Service, password: string, email = admin.email): Promise<void> {
  await service.client.request('POST', '/api/auth/password/reset/', { email })
  const mailbox = `${service.origin}/_dev/mailbox/?to=${encodeURIComponent(email)}`
  const tokenOf = (text: string) => /reset\/confirm\/\?token=([\w-]+)/.exec(text)?.[1]
  const letter = async () => tokenOf(await (await fetch(mailbox)).text())
  await until(
    async () => (await letter()) !== undefined,
    () => 'no letter with a link has come',
  )
  const answer = await fetch(`${service.origin}/api/auth/password/reset/confirm/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: await letter(), password }),
  })
  if (answer.status !== 200) throw new Error(`no new password: ${await answer.text()}`)
}
