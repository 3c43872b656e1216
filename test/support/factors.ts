/** Accounts with second factors, and the codes of their authenticator apps. */
import { codeOf, secretBytes } from '../../dev/examples/totp.ts'
import type { TestApp, User } from './app.ts'

export const password = 'Correct-horse-1'

/** Creates an account whose owner has verified the address and set the password. */
export async function provenUser(app: TestApp, name: string): Promise<User> {
  const user = await app.user(name, { password })
  await app.sql('update users set email_verified_at = now(), password_is_own = true where id = $1', [user.id])
  return user
}

/** An account with an authenticator app. */
export interface Guarded extends User {
  secret: Uint8Array
  recoveryCodes: string[]
}

/**
 * Returns the present code of the app. The service forgets that it was used, so that no test waits for the
 * next one.
 */
export async function unusedCode(app: TestApp, { id, secret }: Guarded): Promise<string> {
  await app.sql('update totp_secrets set last_step = 0 where user_id = $1', [id])
  return codeOf(secret)
}

/** Turns on an authenticator app. The user gets the token from the response. */
export async function withTotp(app: TestApp, user: User): Promise<Guarded> {
  const begun = await app.request('POST', '/api/users/me/totp/', { token: user.token })
  const secret = secretBytes(begun.body.secret)
  const { status, body } = await app.request('POST', '/api/users/me/totp/confirm/', {
    token: user.token,
    body: { code: codeOf(secret) },
  })
  if (status !== 200) throw new Error(`no authenticator app: ${JSON.stringify(body)}`)
  return { ...user, token: body.tokens.access, secret, recoveryCodes: body.recovery_codes }
}
