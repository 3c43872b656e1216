/**
 * An answer must not tell a stranger if an address has an account: its text, its headers and its round trips
 * to Postgres are the same. C16, A1.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { createShop } from '../support/fixtures.ts'
import { scaled } from '../support/scaled.ts'

const password = 'Correct-horse-1'
const pairs = 20
let app: TestApp

/** Sends a request about an e-mail address, from a separate client. */
type Ask = (email: string, address: string) => Promise<Answer>
type Answer = Awaited<ReturnType<TestApp['request']>>

const post =
  (path: string, bodyOf: (email: string) => unknown): Ask =>
  (email, address) =>
    app.request('POST', path, { body: bodyOf(email), headers: { 'cf-connecting-ip': address } })
const form =
  (path: string, fieldsOf: (email: string) => Record<string, string>): Ask =>
  (email, address) =>
    app.request('POST', path, {
      body: new URLSearchParams(fieldsOf(email)).toString(),
      headers: {
        'cf-connecting-ip': address,
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'http://localhost',
      },
    })

const ways: [way: string, ask: Ask][] = [
  [
    'a sign-in for tokens',
    post('/api/auth/jwt/token/', (username) => ({ username, password: 'Wrong-horse-1' })),
  ],
  [
    'a sign-in for a session',
    post('/api/auth/session/', (username) => ({ username, password: 'Wrong-horse-1' })),
  ],
  [
    'a sign-in on the page',
    form('/sites/acme/accounts/login/', (username) => ({ username, password: 'Wrong-horse-1', next: '/' })),
  ],
  ['a reset of the password', post('/api/auth/password/reset/', (email) => ({ email }))],
  ['a reset on the page', form('/sites/acme/accounts/password/reset/', (email) => ({ email }))],
  ['a verification of the address', post('/api/auth/email/verify/', (email) => ({ email }))],
]

/** Returns the parts of a response that a client sees, without those that differ in each response. */
function shown({ status, headers, text }: Answer, email: string) {
  const kept = [...headers].filter(([name]) => !['x-request-id', 'date', 'server-timing'].includes(name))
  const roundTrips = /desc="(\d+)"/.exec(headers.get('server-timing') ?? '')?.[1]
  return { status, headers: kept, text: text.replaceAll(email, '…'), roundTrips }
}

beforeAll(async () => {
  app = (await startApp()).with({ EMAIL_TRANSPORT: 'mailbox', ENVIRONMENT: 'development' })
  await createShop(app, 'acme')
  await app.user('pattern', { password })
  await app.sql(
    `insert into users (username, email, password_hash)
     select 'known-' || n, 'known-' || n || '@example.org', p.password_hash
       from users p, generate_series(0, $1::integer - 1) n where p.username = 'pattern'`,
    [pairs],
  )
}, scaled(60_000))

describe('an address with an account gets the same response as one without:', () => {
  it.each(ways)(
    '%s',
    async (_, ask) => {
      const answerTo = async (kind: 'known' | 'other', number: number) => {
        const email = `${kind}-${number}@example.org`
        return shown(await ask(email, `203.0.113.${number}`), email)
      }
      for (let number = 0; number < pairs; number++) {
        // Each kind is first equally often.
        const order = number % 2 === 0 ? (['known', 'other'] as const) : (['other', 'known'] as const)
        const first = await answerTo(order[0], number)
        expect(await answerTo(order[1], number)).toEqual(first)
        expect(first.roundTrips).toMatch(/^[12]$/)
      }
    },
    scaled(300_000),
  )
})
