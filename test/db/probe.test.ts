/** Which answers of Neon and of Postgres count towards the breaker, and which do not. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openDatabase } from '../../src/db/client.ts'
import { DatabaseAway, DatabaseFailure } from '../../src/db/failures.ts'
import { sql } from '../../src/db/sql.ts'

type Reply = () => Response

const failure = (code: string | undefined) => () => Response.json({ message: 'as Neon says it', code }, { status: 400 })
const server = (status: number) => () => new Response('as Neon says it', { status })
const healthy: Reply = () => Response.json({ results: [{ fields: [], rows: [], command: 'SELECT', rowCount: 0 }], fields: [], rows: [] })

let reply: Reply
let asked: { isProbe: boolean }[]
let urls = 0

/** A database that nobody has asked yet. */
const freshDatabase = () => openDatabase({ DATABASE_URL: `postgresql://a:b@probe.example.org/db_${urls++}`, NEON_ENDPOINT: undefined })
type Fresh = ReturnType<typeof freshDatabase>
const ask = (database: Fresh) => database.batch([sql`select`], 5_000).catch((error: Error) => error)
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

beforeEach(() => {
  asked = []
  vi.stubGlobal('fetch', async (_url: string, { headers }: { headers: Record<string, string> }) => {
    asked.push({ isProbe: headers['Neon-Connection-String']?.includes('application_name=tessera-probe') ?? false })
    return reply()
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('three failures in a row', () => {
  it.each<[string, Reply]>([
    [
      'a connection that cannot be made',
      () => {
        throw new TypeError('fetch failed')
      },
    ],
    ['an error of the proxy', server(500)],
    ['a proxy without a database', server(502)],
    ['a refusal without a code, as of a wrong password', failure(undefined)],
    ['57P01, shutting down', failure('57P01')],
    ['57P03, starting up', failure('57P03')],
    ['08006, a broken connection', failure('08006')],
    ['53300, too many connections', failure('53300')],
    ['28P01, a wrong password', failure('28P01')],
    ['3D000, no such database', failure('3D000')],
  ])('open the breaker: %s; an answer to a probe closes it', async (_, away) => {
    const database = freshDatabase()
    // A database that has never answered might be asleep.
    reply = healthy
    expect(await ask(database)).not.toBeInstanceOf(Error)
    reply = away
    for (let count = 0; count < 3; count++) expect(await ask(database)).toBeInstanceOf(DatabaseAway)
    asked = []
    for (let count = 0; count < 10; count++) expect(await ask(database)).toBeInstanceOf(DatabaseAway)
    expect(asked).toEqual([{ isProbe: true }])

    reply = healthy
    await pause(1_000)
    expect(await ask(database)).toBeInstanceOf(DatabaseAway)
    await pause(20)
    expect(asked).toEqual([{ isProbe: true }, { isProbe: true }])
    expect(await ask(database)).not.toBeInstanceOf(Error)
  })
})

describe('what is about one request alone', () => {
  it.each<[string, Reply, typeof DatabaseAway | typeof DatabaseFailure]>([
    ['57014, a statement that took too long', failure('57014'), DatabaseFailure],
    ['55P03, a lock that others hold', failure('55P03'), DatabaseFailure],
    ['25P03, an idle transaction', failure('25P03'), DatabaseFailure],
    ['53200, out of memory', failure('53200'), DatabaseFailure],
    ['23505, a taken value', failure('23505'), DatabaseFailure],
    ['TS403, a refusal of ours', failure('TS403'), DatabaseFailure],
    ['an answer that is too large for Neon', server(507), DatabaseAway],
    ['a request that is too large for Neon', server(413), DatabaseAway],
    ['something else at its address', server(404), DatabaseAway],
    ['an answer that is not JSON', () => new Response('<!doctype html>'), DatabaseAway],
  ])('opens no breaker, however often: %s', async (_, said, kind) => {
    const database = freshDatabase()
    reply = healthy
    expect(await ask(database)).not.toBeInstanceOf(Error)
    reply = said
    asked = []
    for (let count = 0; count < 20; count++) expect(await ask(database)).toBeInstanceOf(kind)
    expect(asked).toEqual(Array(20).fill({ isProbe: false }))
  })
})

describe('the breaker of one database', () => {
  it('is not that of another', async () => {
    const [one, other] = [freshDatabase(), freshDatabase()]
    reply = healthy
    await ask(one)
    reply = server(502)
    for (let count = 0; count < 4; count++) expect(await ask(one)).toBeInstanceOf(DatabaseAway)
    reply = healthy
    expect(await ask(other)).not.toBeInstanceOf(Error)
  })
})
