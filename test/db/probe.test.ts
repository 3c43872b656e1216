/** Which answers of Neon and Postgres open the breaker and which do not. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openDatabase } from '../../src/kernel/db/client.ts'
import { DatabaseFailure, DatabaseUnavailable } from '../../src/kernel/db/failures.ts'
import { sql } from '../../src/kernel/db/sql.ts'

type Reply = () => Response

const failure = (code: string | undefined) => () =>
  Response.json({ message: 'as Neon says it', code }, { status: 400 })
const server = (status: number) => () => new Response('as Neon says it', { status })
const healthy: Reply = () =>
  Response.json({ results: [{ fields: [], rows: [], command: 'SELECT', rowCount: 0 }], fields: [], rows: [] })

let reply: Reply
let requests: { isProbe: boolean }[]
let urls = 0

/** Opens a database that has not been queried before. */
const freshDatabase = () =>
  openDatabase({ DATABASE_URL: `postgresql://a:b@probe.example.org/db_${urls++}`, NEON_ENDPOINT: undefined })
type Fresh = ReturnType<typeof freshDatabase>
const ask = (database: Fresh) => database.batch({ probe: sql`select` }, 5_000).catch((error: Error) => error)
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

beforeEach(() => {
  requests = []
  vi.stubGlobal('fetch', async (_url: string, { headers }: { headers: Record<string, string> }) => {
    requests.push({
      isProbe: headers['Neon-Connection-String']?.includes('application_name=tessera-probe') ?? false,
    })
    return reply()
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('three consecutive failures', () => {
  it.each<[string, Reply]>([
    [
      'a connection that cannot be opened',
      () => {
        throw new TypeError('fetch failed')
      },
    ],
    ['an error of the proxy', server(500)],
    ['a proxy without a database', server(502)],
    ['an error without a code, for example for a wrong password', failure(undefined)],
    ['57P01, shutting down', failure('57P01')],
    ['57P03, starting up', failure('57P03')],
    ['08006, a broken connection', failure('08006')],
    ['53300, too many connections', failure('53300')],
    ['28P01, a wrong password', failure('28P01')],
    ['3D000, no such database', failure('3D000')],
  ])('open the breaker, and the answer to a probe closes it: %s', async (_case, failing) => {
    const database = freshDatabase()
    // A database that has never answered might be scaled to zero.
    reply = healthy
    expect(await ask(database)).not.toBeInstanceOf(Error)
    reply = failing
    for (let count = 0; count < 3; count++) expect(await ask(database)).toBeInstanceOf(DatabaseUnavailable)
    requests = []
    for (let count = 0; count < 10; count++) expect(await ask(database)).toBeInstanceOf(DatabaseUnavailable)
    expect(requests).toEqual([{ isProbe: true }])

    reply = healthy
    await pause(1_000)
    expect(await ask(database)).toBeInstanceOf(DatabaseUnavailable)
    await pause(20)
    expect(requests).toEqual([{ isProbe: true }, { isProbe: true }])
    expect(await ask(database)).not.toBeInstanceOf(Error)
  })
})

describe('an error of a single request', () => {
  it.each<[string, Reply, typeof DatabaseUnavailable | typeof DatabaseFailure]>([
    ['57014, a statement that took too long', failure('57014'), DatabaseFailure],
    ['55P03, a lock that is not available', failure('55P03'), DatabaseFailure],
    ['25P03, an idle transaction', failure('25P03'), DatabaseFailure],
    ['53200, out of memory', failure('53200'), DatabaseFailure],
    ['23505, a duplicate value', failure('23505'), DatabaseFailure],
    ['TS403, an error of the service', failure('TS403'), DatabaseFailure],
    ['an answer that is too large for Neon', server(507), DatabaseUnavailable],
    ['a request that is too large for Neon', server(413), DatabaseUnavailable],
    ['another server at the URL of Neon', server(404), DatabaseUnavailable],
    ['an answer that is not JSON', () => new Response('<!doctype html>'), DatabaseUnavailable],
  ])('never opens the breaker: %s', async (_case, failing, kind) => {
    const database = freshDatabase()
    reply = healthy
    expect(await ask(database)).not.toBeInstanceOf(Error)
    reply = failing
    requests = []
    for (let count = 0; count < 20; count++) expect(await ask(database)).toBeInstanceOf(kind)
    expect(requests).toEqual(Array(20).fill({ isProbe: false }))
  })
})

describe('the breaker of one database', () => {
  it('does not depend on the breaker of another database', async () => {
    const [one, other] = [freshDatabase(), freshDatabase()]
    reply = healthy
    await ask(one)
    reply = server(502)
    for (let count = 0; count < 4; count++) expect(await ask(one)).toBeInstanceOf(DatabaseUnavailable)
    reply = healthy
    expect(await ask(other)).not.toBeInstanceOf(Error)
  })
})
