/**
 * Bodies and query strings that are wide or deep: with very many members, elements, columns, lines, fields or
 * levels. Each is refused before it is parsed, at every operation that takes a body, whoever sends it. R6,
 * W1.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { loadRoutes } from '../../src/app.ts'
import { operations } from '../support/contract.ts'
import { addTables } from '../support/fixtures.ts'
import { ask, bodies, bySummary, createWorld, type World } from '../support/world.ts'

let world: World

const encoder = new TextEncoder()
const megabytes = 9 * 1024 * 1024
const repeated = (part: string) => part.repeat(megabytes / part.length).slice(0, -1)
const members = (count: number) => `{${Array.from({ length: count }, (_, index) => `"n${index}":1`)}}`
const wide = members(780_000)
const quarter = members(195_000)

/** Returns more members than there may be, with names that begin alike. */
function longNames(beginning: string): string {
  return `{${Array.from({ length: 50_001 }, (_, index) => `"${beginning}${index}":1`)}}`
}

/** The kinds of wide JSON. Each is sent alone, and as a member of a valid body. */
const kinds: readonly [kind: string, json: string][] = [
  ['780,000 members', wide],
  ['4,700,000 elements', `[${repeated('0,')}]`],
  ['3,100,000 objects', `[${repeated('{},')}]`],
  ['9,400,000 levels', '['.repeat(megabytes)],
  ['1,500,000 levels of objects', '{"a":'.repeat(megabytes / 5)],
  ['a number of 9,400,000 digits', '9'.repeat(megabytes)],
  ['names with escapes', `{${Array.from({ length: 500_000 }, (_, index) => `"\\u0061${index}":1`)}}`],
  ['long names with escapes', longNames(`\\u0061${'x'.repeat(150)}`)],
  ['long names of escapes', longNames('\\u20ac'.repeat(26))],
]

/** Puts a value into a valid body, as a member that comes last. */
function within(valid: unknown, json: string): string {
  const text = JSON.stringify(valid)
  const end = Array.isArray(valid) ? text.length - 2 : text.length - 1
  return `${text.slice(0, end)}${text[end - 1] === '{' ? '' : ','}"wide":${json}${text.slice(end)}`
}

type Answer = Awaited<ReturnType<typeof ask>>

const duration = async (work: () => unknown): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/**
 * Expects that a request is refused in less time than JSON.parse takes for `wide`. Both are timed one after
 * the other, because the machine may be busy, and again if something came between.
 */
async function expectCheap(statuses: readonly number[], what: string, send: () => Promise<Answer>) {
  const tries: string[] = []
  for (let again = 0; again < 5; again++) {
    const refusal = await duration(async () => {
      const { status } = await send()
      expect([what, statuses]).toEqual([what, expect.arrayContaining([status])])
    })
    const parsing = 4 * (await duration(() => JSON.parse(quarter)))
    if (refusal < parsing) return
    tries.push(`${Math.round(refusal)} of ${Math.round(parsing)}`)
  }
  throw new Error(`${what} took ${tries} ms`)
}

beforeAll(async () => {
  world = await createWorld()
  const fields = [
    { name: 'id', type: 'integer' },
    { name: 'name', type: 'string' },
    { name: 'o', type: 'object' },
  ]
  const access = { rules: [{ name: 'all', who: 'anyone', can: ['create'] }] }
  await addTables(world.app, world.shop, [{ name: 'open', schema: { fields, primaryKey: 'id', access } }])
})

const withBody = operations.filter(({ requestBody }) => requestBody)

/** Values that are just too wide or too deep. */
const tooMuch = [
  members(50_001),
  `[${'0,'.repeat(50_000)}0]`,
  `${'['.repeat(200)}${']'.repeat(200)}`,
  `[{"a":1,"\\u0061":2}]`,
]
const refusal = /cannot be accepted|is larger than|twice in one object/

describe('a body that is too wide or too deep', () => {
  it.each(bySummary(withBody))('is refused by the scan with credentials: %s', async (_, operation) => {
    const valid = bodies(world)[operation.operationId]
    for (const json of tooMuch) {
      const { status, body } = await ask(world, operation, {
        token: world.root.token,
        body: within(valid, json),
      })
      if (status === 401 || status === 403) continue
      expect([status, body]).toEqual([
        expect.toBeOneOf([400, 413]),
        { detail: expect.stringMatching(refusal), code: expect.any(String) },
      ])
    }
  })

  it.each(bySummary(withBody))('is refused without credentials: %s', async (_, operation) => {
    const { status, body } = await ask(world, operation, { body: encoder.encode(tooMuch[0]) })
    if (status !== 401)
      expect([status, body]).toEqual([
        expect.toBeOneOf([400, 413]),
        { detail: expect.stringMatching(refusal), code: expect.any(String) },
      ])
  })
})

describe('a body of 9 MB is refused before it is parsed', () => {
  it.each([
    ['a sign-in', 'POST', '/api/auth/jwt/token/'],
    ['the own account', 'PATCH', '/api/users/me/'],
    ['a new secret', 'POST', '/sites/one/api/secrets/'],
  ])('in %s', async (what, method, path) => {
    const body = encoder.encode(wide)
    const { token } = world.shop.owner
    await expectCheap([400, 413], what, () => world.app.request(method, path, { token, body }))
  })

  it.each(kinds)('in a record: %s', async (kind, json) => {
    const body = encoder.encode(`[{"id":1,"name":"a","o":${json}}]`)
    const send = () =>
      world.app.request('POST', world.shop.data('open'), {
        token: world.shop.owner.token,
        body,
      })
    await expectCheap([400, 413], kind, send)
  })

  it.each([
    ['CSV with 1,200,000 columns', 'text/csv', repeated('column,'), 400],
    ['CSV with 1,200,000 values', 'text/csv', `id,name\n${repeated('value,,')}`, 400],
    ['CSV with 9,400,000 empty lines', 'text/csv', `id,name\n${repeated('\n')}`, 413],
    ['a cell with 780,000 members', 'text/csv', `id,o\n1,"${wide.replaceAll('"', '""')}"`, 413],
    ['JSON lines with 780,000 members', 'application/x-ndjson', `{"id":1}\n${wide}`, 400],
    ['3,100,000 JSON lines', 'application/x-ndjson', repeated('{}\n'), 413],
    ['9,400,000 empty JSON lines', 'application/x-ndjson', repeated('\n'), 413],
  ])('in lines: %s', async (kind, type, text, status) => {
    const body = encoder.encode(text)
    const send = () =>
      world.app.request('POST', world.shop.data('open'), {
        token: world.shop.owner.token,
        headers: { 'content-type': type },
        body,
      })
    await expectCheap([status], kind, send)
  })
})

describe('the form of a page', () => {
  it('gets 413 for too many bytes or fields, on every page, or 401 before it is read', async () => {
    const forms = (await loadRoutes()).filter(({ method, parts }) => method === 'POST' && parts === undefined)
    expect(forms.length).toBeGreaterThan(10)
    for (const { path } of forms)
      for (const body of ['a=1&'.repeat(101), `a=${'x'.repeat(1024 * 1024)}`]) {
        const { status } = await world.app.request('POST', `${path.replace(/:\w+/g, 'x')}/`, {
          headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost' },
          body,
        })
        expect([path, status]).toEqual([path, expect.toBeOneOf([401, 413])])
      }
  })
})

describe('a body without credentials', () => {
  const send = (name: string) => world.app.request('POST', world.shop.data('open'), { body: { name } })

  it('gets 413 above 1 MiB, where access rules let anybody write', async () => {
    expect(await send('x'.repeat(1024 * 1024))).toMatchObject({
      status: 413,
      body: { detail: 'The body is larger than 1048576 bytes.', code: 'body_too_large' },
    })
    expect((await send('x'.repeat(1024 * 1024 - 100))).status).toBe(201)
  })
})

describe('a body above 256 KiB', () => {
  it('is read for callers who may enter the site, and no others learn what is wrong with it', async () => {
    const body = encoder.encode(`{"name":"${'x'.repeat(300_000)}","name":1}`)
    const send = (token: string) => world.app.request('POST', `${world.shop.api}/apps/`, { token, body })
    expect(await send(world.stranger.token)).toMatchObject({
      status: 403,
      body: { detail: 'You do not have permission to perform this action.', code: 'permission_denied' },
    })
    expect(await send(world.shop.owner.token)).toMatchObject({
      status: 400,
      body: { detail: 'The body has the name "name" twice in one object.', code: 'malformed_body' },
    })
  })

  it('costs one round trip more, until the isolate has seen the caller enter', async () => {
    const created = await world.app.user('late', { superuser: true })
    const trips = async () => {
      const { status, headers } = await world.app.request('POST', world.shop.data('open'), {
        token: created.token,
        body: { name: 'x'.repeat(300_000) },
      })
      return [status, headers.get('server-timing')?.match(/desc="(\d+)"/)?.[1]]
    }
    expect([await trips(), await trips()]).toEqual([
      [201, '2'],
      [201, '1'],
    ])
  })
})

describe('a query string with 100,000 parameters', () => {
  it('gets 400 in less time than its names could be compared with each other', async () => {
    const names = Array.from({ length: 100_000 }, (_, index) => `n${index}=1`).join('&')
    for (const path of [world.shop.data('open'), `${world.shop.api}/apps/`])
      await expectCheap([400], path, () =>
        world.app.request('GET', `${path}?${names}`, {
          token: world.shop.owner.token,
        }),
      )
  })
})
