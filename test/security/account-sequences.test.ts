/**
 * Plays random sequences of thirty kinds of events in two organizations whose providers lie, and whose hosts
 * keep what they issue. Nobody may end with a right that nobody gave them, and nobody may be locked out of
 * their own account. S7, I6, T7, A4, A8.
 * support/accounts/rules.ts has the rules. `npm run soak` plays a thousand sequences; TEST_SEED repeats those
 * of a run.
 */
import fc from 'fast-check'
import { beforeAll, expect, it, type MockInstance, vi } from 'vitest'
import { hashPassword } from '../../src/kernel/access/passwords.ts'
import {
  probeCredentials,
  probePasswords,
  probeRefreshTokens,
  probeSubjects,
} from '../support/accounts/probes.ts'
import { recoverAll } from '../support/accounts/recovery.ts'
import { open, play, type Sequence, someSequence } from '../support/accounts/sequences.ts'
import { type Cast, firstPassword } from '../support/accounts/world.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { runs } from '../support/runs.ts'
import { scaled } from '../support/scaled.ts'
import { seed } from '../support/seed.ts'
import { createSocialSite } from '../support/social-login.ts'

const sequences = runs(4, 200, 1_000)
/**
 * The number of concurrent sequences: while one waits for Postgres, the response of another one is checked.
 */
const players = 5

let cast: Cast
let log: MockInstance<typeof console.log>

/** The machine is overloaded, so the result of a request is unknown. */
class Overloaded extends Error {}

function patient(app: TestApp): TestApp {
  const request: TestApp['request'] = async (...asked) => {
    const answer = await app.request(...asked)
    // The provider may also have been too slow: in these sequences it refuses no code.
    if (answer.status === 503 || JSON.stringify(answer.body).includes('The provider has refused the code'))
      throw new Overloaded(`${asked[0]} ${asked[1]}`)
    // No validation has found what Postgres refused: only the log tells why.
    if (JSON.stringify(answer.body).includes('a value that cannot be stored'))
      throw new Error(`${asked[0]} ${asked[1]}: ${log.mock.calls.slice(-players).join('\n')}`)
    return answer
  }
  return { ...app, request }
}

beforeAll(async () => {
  // The log is silent: a sequence has its own record of events for an error message.
  log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const app = patient(
    (await startApp()).with({
      ALLOW_PRIVATE_HOSTS: 'true',
      EMAIL_TRANSPORT: 'mailbox',
      PUBLIC_URL: 'https://app.example.com',
      RATE_LIMIT_SCALE: '1000000',
      // The tokens of the organizations' owners last as long as the longest run.
      ACCESS_TOKEN_SECONDS: '86400',
    }),
  )
  const [a, b, harbour] = await Promise.all([
    createSocialSite(app, 'sequences-a', ['one']),
    createSocialSite(app, 'sequences-b', ['one']),
    createSocialSite(app, 'harbour', ['one']),
  ])
  await app.sql(
    `insert into site_domains (domain, site_id, verified_at)
     select slug || '.example', id, now() from sites where slug like 'sequences-%'`,
  )
  const [ada, bob, eve] = await Promise.all([
    hashPassword(firstPassword('ada')),
    hashPassword(firstPassword('bob')),
    hashPassword(firstPassword('eve')),
  ])
  cast = { app, sites: { a, b, harbour }, hashes: { ada, bob, eve } }
})

/**
 * Plays a sequence. Returns the number of successful steps. If the machine was too busy, the sequence is
 * played again with other people.
 */
async function playOut(sequence: Sequence, attempts = 3): Promise<number> {
  try {
    return await playOnce(sequence)
  } catch (error) {
    if (attempts === 1 || !(error instanceof Overloaded)) throw error
    return playOut(sequence, attempts - 1)
  }
}

async function playOnce({ beginnings, steps, byLetters }: Sequence): Promise<number> {
  const world = await open(cast, beginnings)
  const done = await play(world, steps)
  await probeCredentials(world)
  await probePasswords(world)
  await recoverAll(world, byLetters)
  await probeSubjects(world)
  await probeCredentials(world)
  await probeRefreshTokens(world)
  return done
}

// Each takes half a second of CPU time, and more on a busy machine.
it(
  `${sequences} random sequences, with the seed ${seed}, give nobody an extra right, and lock nobody out`,
  async () => {
    let played = 0
    let done = 0
    const player = (number: number) =>
      fc.assert(
        fc.asyncProperty(someSequence, async (sequence) => {
          // Other players add to the sum during the wait, so it is read after it.
          const steps = await playOut(sequence)
          done += steps
          played++
        }),
        { seed: seed + number, numRuns: Math.ceil((sequences - number) / players) },
      )
    await Promise.all(Array.from({ length: players }, (_, number) => player(number)))
    expect(played).toBe(sequences)
    // The test would prove nothing if most steps were refused.
    expect(done).toBeGreaterThan(2 * sequences)
  },
  scaled(60_000 + 15_000 * sequences),
)
