/**
 * Checks that the time of an answer does not tell if an address has an account. Sends 500 requests about
 * addresses with an account and 500 about others, in random order, and compares the times by Welch's t-test.
 * T7.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, type Site, startApp, type TestApp } from '../support/app.ts'
import { password } from '../support/factors.ts'

const samples = 500
/** Chance gives a larger value in one of 370 comparisons. Then the comparison is made again. */
const tMax = 3

let app: TestApp
let site: Site
let rounds = 0

interface Sample {
  isKnown: boolean
  ms: number
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const variance = (values: readonly number[]) => {
  const center = mean(values)
  return values.reduce((sum, value) => sum + (value - center) ** 2, 0) / (values.length - 1)
}

/** Returns Welch's t of two samples without the slowest tenth of each, which the machine causes. */
function tOf(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [one, other].map((values) =>
    [...values].sort((x, y) => x - y).slice(0, Math.ceil(values.length * 0.9)),
  ) as [number[], number[]]
  return (mean(a) - mean(b)) / Math.sqrt(variance(a) / a.length + variance(b) / b.length)
}

const tOfSamples = (all: readonly Sample[]) => {
  const of = (known: boolean) => all.filter(({ isKnown }) => isKnown === known).map(({ ms }) => ms)
  return tOf(of(true), of(false))
}

const shuffled = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)

/** Asks once about each of many unused addresses, half of which have an account. Returns Welch's t. */
async function measure(ask: (email: string) => Promise<{ status: number }>): Promise<number> {
  const round = rounds++
  const addresses = Array.from({ length: samples * 2 }, (_, index) => ({
    email: `person-${round}-${index}@example.org`,
    isKnown: index % 2 === 0,
  }))
  await app.sql(
    `insert into users (username, email, password_hash, email_verified_at, password_is_own)
     select replace(e, '@', '-'), e, (select password_hash from users where username = 'model'), now(), true
       from unnest($1::text[]) e`,
    [addresses.filter(({ isKnown }) => isKnown).map(({ email }) => email)],
  )
  const all: Sample[] = []
  const statuses = new Set<number>()
  for (const { email, isKnown } of shuffled(addresses)) {
    const before = performance.now()
    const { status } = await ask(email)
    all.push({ isKnown, ms: performance.now() - before })
    statuses.add(status)
  }
  // All of them get the same status.
  expect([...statuses]).toHaveLength(1)
  return tOfSamples(all.slice(20))
}

const post = (path: string, body: object, token?: string) =>
  app.open('POST', path, { body, ...(token ? { token } : {}) })

beforeAll(async () => {
  app = await startApp({
    EMAIL_TRANSPORT: 'mailbox',
    PUBLIC_URL: 'http://localhost',
    RATE_LIMIT_SCALE: '100000',
  })
  await app.user('model', { password })
  site = await createSite(app, 'acme')
  await app.request('PATCH', '/api/cloud/sites/acme/', {
    token: site.owner.token,
    body: { sign_up: 'open' },
  })
})

it('the test finds a difference of 5 %, and none between equal samples', () => {
  const noisy = (center: number) =>
    Array.from({ length: samples }, () => center * (0.9 + 0.2 * Math.random()))
  expect(Math.abs(tOf(noisy(20), noisy(21)))).toBeGreaterThan(tMax)
  expect(Math.abs(tOf(noisy(20), noisy(20)))).toBeLessThan(6)
})

describe('an address with an account gets its answer in the same time as another one', () => {
  it.each<[string, (email: string) => Promise<Response>]>([
    ['a reset', (email) => post('/api/auth/password/reset/', { email })],
    ['a sign-up', (email) => post(`${site.api}/auth/sign-up/`, { email, password: 'Quiet-otter-71' })],
    ['a sign-in', (username) => post('/api/auth/jwt/token/', { username, password: 'Wrong-otter-71' })],
    [
      'an invitation',
      (invitee_identifier) =>
        post('/api/cloud/organizations/acme-org/invitations/', { invitee_identifier }, site.owner.token),
    ],
  ])(
    'for %s',
    async (what, ask) => {
      const read = async (email: string) => {
        const answer = await ask(email)
        await answer.arrayBuffer()
        return answer
      }
      const first = await measure(read)
      const t = Math.abs(first) < tMax ? first : await measure(read)
      console.log(`${what}: t = ${first.toFixed(2)}, ${t.toFixed(2)}`)
      expect(Math.abs(t)).toBeLessThan(tMax)
    },
    1_200_000,
  )
})
