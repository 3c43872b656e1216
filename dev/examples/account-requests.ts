/**
 * Performs the requests of people about their own accounts: passwords, addresses, second factors, passkeys,
 * providers.
 */
import { makePasskey, signWith } from './authenticator.ts'
import type { Provider } from './provider.ts'
import type { Recorder } from './recorder.ts'
import { codeOf, secretBytes } from './totp.ts'

const password = 'Correct-horse-1'

/** Performs the operations of people on their own account, up to its deletion and restoration. */
async function askOwnAccount(
  { ask }: Pick<Recorder, 'ask'>,
  body: { username: string; password: string },
): Promise<void> {
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
  // A sign-in is recorded after its response, so the code below ends the earlier one.
  await ask('createToken', { body, headers })
  const { access: token } = await ask('createToken', { body, headers })
  const language = { first_name: 'Gita', preferred_language: 'de', email: 'gita@example.net' }
  await ask('updateCurrentUser', { token, body: language })
  const { results } = await ask('listSignIns', { token })
  const other = results.find(({ is_current }: { is_current: boolean }) => !is_current)
  await ask('endSignIn', { token, values: { sign_in: other.id } })
  await ask('endOtherSignIns', { token })
  await ask('exportCurrentUser', { token })
  await ask('deleteCurrentUser', { token })
  const { access: again } = await ask('createToken', { body })
  await ask('restoreCurrentUser', { token: again })
}

/**
 * Performs the operations of second factors, each of which ends the earlier sign-ins. `at`: the service under
 * a host name, because passkeys need one.
 */
async function askFactors(
  { ask }: Pick<Recorder, 'ask'>,
  body: { username: string; password: string },
  at: string,
): Promise<void> {
  const { access } = await ask('createToken', { body })
  const { secret } = await ask('createTotp', { token: access })
  const bytes = secretBytes(secret)
  const turnedOn = await ask('confirmTotp', { token: access, body: { code: codeOf(bytes) } })
  const { challenge } = await ask('createToken', { body, status: 403 })
  // Each code works once, so this is the next one, which is accepted early.
  const { access: token } = await ask('answerChallenge', { body: { challenge, code: codeOf(bytes, 1) } })
  await ask('getOwnFactors', { token })
  await ask('replaceRecoveryCodes', { token: turnedOn.tokens.access })
  const options = await ask('createPasskeyOptions', { token, at })
  const { held, credential } = await makePasskey(options, at)
  const added = await ask('createPasskey', { token, at, body: { name: 'Phone', credential } })
  const signed = async () => ({
    credential: await signWith(held, await ask('createSignInOptions', { at, body: {} }), at),
  })
  await ask('createPasskeyToken', { at, body: await signed() })
  await ask('createPasskeySession', { at, body: await signed() })
  const { access: own } = added.tokens
  const { recovery_codes } = await ask('replaceRecoveryCodes', { token: own })
  const waiting = await ask('createSession', { body, status: 403 })
  const answer = { challenge: waiting.challenge, code: recovery_codes[0], trust_device: true }
  await ask('answerSessionChallenge', { body: answer })
  const trusted = await ask('listTrustedDevices', { token: own })
  await ask('deleteTrustedDevice', { token: own, values: { device: trusted.results[0].id } })
  await ask('deleteTrustedDevices', { token: own })
  await ask('deleteTotp', { token: own })
  const { results } = await ask('listPasskeys', { token: own })
  await ask('deletePasskey', { token: own, values: { passkey: results[0].id } })
}

/** Signs a person up with a passkey. `at`: the service under a host name. */
async function askPasskeySignUp(
  { ask }: Pick<Recorder, 'ask'>,
  person: { email: string; first_name: string },
  at: string,
  mailedToken: (to: string) => Promise<string>,
): Promise<void> {
  const { held, credential } = await makePasskey(await ask('createSignUpOptions', { at, body: person }), at)
  await ask('signUpWithPasskey', { at, body: { ...person, name: 'Phone', credential } })
  const token = await mailedToken(person.email)
  const signed = await signWith(held, await ask('createSignInOptions', { at, body: {} }), at)
  await ask('confirmPasskeySignUp', { at, body: { token, credential: signed } })
}

/**
 * Performs the operations of passwords, e-mail addresses, second factors and providers. `at`: the service
 * under a host name. `mailedToken` returns the token of the e-mail whose link has this path.
 */
export async function askAccounts(
  { ask }: Recorder,
  { token, at, provider }: { token: string; at: string; provider: Provider },
  mailedToken: (path: string, to: string) => Promise<string>,
): Promise<void> {
  const email = 'gita@example.org'
  await ask('createUser', { token, body: { username: 'gita', email, password } })
  const { access } = await ask('createToken', { body: { username: 'gita', password } })
  const changed = { current_password: password, password: 'Another-horse-2' }
  await ask('changePassword', { token: access, body: changed })
  await ask('requestEmailVerification', { body: { email } })
  await ask('confirmEmail', { body: { token: await mailedToken('email/verify', email) } })
  await ask('requestPasswordReset', { body: { email } })
  await ask('resetPassword', { body: { token: await mailedToken('password/reset', email), password } })
  const ines = { email: 'ines@example.com', password }
  await ask('updateSite', { token, body: { sign_up: 'open' } })
  await ask('signUp', { body: { ...ines, first_name: 'Ines' } })
  const signedUp = { token: await mailedToken('sign-up', ines.email), password }
  const { id } = await ask('confirmSignUp', { body: signedUp })
  await ask('listSitePeople', { token })
  await ask('blockSitePerson', { token, values: { user: id }, body: { blocked: true } })
  await ask('removeSitePerson', { token, values: { user: id } })
  const link = (to: string) => mailedToken('sign-up/passkey', to)
  await askPasskeySignUp({ ask }, { email: 'jonas@example.com', first_name: 'Jonas' }, at, link)
  await askFactors({ ask }, { username: 'gita', password }, at)
  await askOwnAccount({ ask }, { username: 'gita', password })
  // Elif has attached a provider by a mailed code, and gets a password, so that the provider can be removed.
  const elif = 'elif@example.org'
  await ask('requestPasswordReset', { body: { email: elif } })
  const reset = { token: await mailedToken('password/reset', elif), password }
  await ask('resetPassword', { body: reset })
  const { access: own } = await ask('createToken', { body: { username: 'elif', password } })
  const { results } = await ask('listOwnProviders', { token: own })
  const values = { provider: 'staff' }
  const { authorization_url, state } = await ask('beginProviderLink', { token: own, values, body: {} })
  const nonce = new URL(authorization_url).searchParams.get('nonce')
  const code = provider.codeFor({ nonce, sub: '248289761003' })
  await ask('finishProviderLink', { token: own, values, body: { code, state } })
  await ask('unlinkProvider', { token: own, values: { link: results[0].id } })
}
