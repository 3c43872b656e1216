/**
 * `tessera-client/passkeys` in a real browser, with an authenticator that Chromium imitates.
 * docs/guide/client.md.
 */
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { admin, type Service, startService } from '../support/service.ts'
import { type OpenBrowser, openBrowser } from './browser.ts'
import { proveAccount } from './prove-account.ts'
import { addDevice } from './virtual-device.ts'

let service: Service
let browser: OpenBrowser
let script: string
const password = 'Another-horse-2'

const program = `
import { challengeOf, createClient } from '../../client/src/index.ts'
import { createPasskey, hasPasskeys, usePasskey } from '../../client/src/passkeys.ts'

const open = () => createClient({ url: location.origin })
const signIn = async (db, ...who) => {
  await db.accounts.signInWithPasskey(await usePasskey(await db.accounts.passkeyOptions(...who)))
  return (await db.me.get()).username
}

export async function play(name, password) {
  const db = open()
  await db.accounts.signIn(name, password)
  const credential = await createPasskey(await db.passkeys.options())
  const { recovery_codes, tokens } = await db.passkeys.create('Laptop', credential)
  await db.accounts.keepTokens(tokens)
  const { data } = await db.passkeys.list()
  const alone = await signIn(open())
  const second = open()
  const waiting = challengeOf(await second.accounts.signIn(name, password).catch((error) => error))
  return {
    hasPasskeys: hasPasskeys(),
    codes: recovery_codes.length,
    transports: credential.response.transports,
    names: data.map(({ name }) => name),
    alone,
    factors: waiting.factors,
    second: await signIn(second, waiting.challenge),
  }
}
export const add = async () => {
  const db = open()
  await db.accounts.signInWithPasskey(await usePasskey(await db.accounts.passkeyOptions()))
  return createPasskey(await db.passkeys.options()).then(() => 'made', ({ name }) => name)
}
`

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    format: 'iife',
    globalName: 'trial',
    write: false,
  })
  // A declaration would be visible in its own script only.
  script = `${outputFiles[0]?.text ?? ''}\nglobalThis.trial = trial`
  service = await startService([])
  await proveAccount(service, password)
  browser = await openBrowser(service.origin.replace('127.0.0.1', 'localhost'))
})

afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

it('a page makes a passkey, signs in with it alone and as second factor, and makes no second one on the device', async () => {
  const page = await browser.open()
  await addDevice(page)
  await page.goto('/accounts/login/')
  await page.evaluate(script)
  const played = await page.evaluate(
    `trial.play(${JSON.stringify(admin.email)}, ${JSON.stringify(password)})`,
  )
  expect(played).toEqual({
    hasPasskeys: true,
    codes: 10,
    transports: ['internal'],
    names: ['Laptop'],
    alone: 'admin',
    factors: ['passkey', 'recovery_code'],
    second: 'admin',
  })
  expect(await page.evaluate('trial.add()')).toBe('InvalidStateError')
})
