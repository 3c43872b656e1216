/**
 * Hostile requests to every operation of the document: in the path, the query string, the body, and the
 * headers. Each response follows the document (support/contract.ts checks every response), and is never a 500
 * or a message from Postgres or the program. A superuser sends all of them, so that no permission is missing.
 */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp, type User } from '../support/app.ts'
import { type DocumentedOperation, operations } from '../support/contract.ts'
import { createShop, type Shop } from '../support/fixtures.ts'
import { runs } from '../support/runs.ts'
import { seed } from '../support/seed.ts'

let app: TestApp
let shop: Shop
let root: User

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'fuzzed')
  root = await app.user('root', { superuser: true })
  const { token } = shop.owner
  await app.request('POST', shop.data('makers'), { token, body: { id: 1, name: 'Ostra' } })
  for (const [path, body] of [
    ['secret-types', { name: 'one' }],
    ['tags', { name: 'one' }],
    ['secrets', { secret_type: 'one', key: 'ONE', value: { a: 1 } }],
    ['apps/shop/functions', { name: 'one', execution_mode: 'system', system_function: 'noop' }],
  ] as const)
    await app.request('POST', `${shop.api}/${path}/`, { token, body })
  const body = { slug: 'waiting' }
  const waiting = await app.request('POST', '/api/cloud/organizations/fuzzed-org/imports/', { token, body })
  present.transfer = waiting.body.id
})

const present: Record<string, string> = {
  part: '0',
  app: 'shop',
  datasource: 'main',
  table: 'makers',
  record: '1',
  organization: 'fuzzed-org',
  site: 'fuzzed',
  username: 'fuzzed-owner',
  secret: 'ONE',
  type: 'one',
  tag: 'one',
  function: 'one',
  event: 'RECORD_CREATE',
  provider: 'github',
}

/** The number of requests of each kind for an operation. */
const times = runs(2, 30)

const harm = [
  ...[
    "'",
    '"',
    '\\',
    ';--',
    '%',
    '%s',
    '$1',
    '$$',
    '%1$L',
    '{0}',
    '\u0000',
    '\r\nx: y',
    '../..',
    '..',
    '.',
    '*',
    '',
    ' ',
    'null',
    'undefined',
    'NaN',
  ],
  ...[
    "' or '1'='1",
    "x'; drop table users; --",
    '1; select pg_sleep(9)',
    '{{7*7}}',
    '<script>',
    '=cmd()',
    '(((((',
    '[[[[',
    '{"a":',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'public.users',
    'pg_catalog',
    'site_1',
    'tessera',
  ],
  ...[
    '\ud800',
    '\u202e',
    '\u200b',
    '\ufeff',
    '😀',
    'İ',
    'ﬃ',
    '٣',
    'ß',
    'a\u0301',
    'x'.repeat(300),
    'x'.repeat(5_000),
    '-1',
    '0',
    '1e309',
    '0x10',
    '1_000',
  ],
  ...[
    '9007199254740993',
    '9223372036854775808',
    '18446744073709551616',
    '2026-13-45',
    'infinity',
    '24:00:00',
    'file:///etc/passwd',
    'http://169.254.169.254/',
  ],
]
const text = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...harm) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
)
/**
 * A name without half a surrogate pair: the error would repeat it, and the validator of responses cannot read
 * it.
 */
const named = text.map((raw) => raw.toWellFormed())
const scalar = fc.oneof(text, fc.constantFrom(null, true, false, 0, -1, 1.5, 2 ** 53, -(2 ** 31) - 1, 1e300))
const value = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.dictionary(named, scalar, { maxKeys: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom([[[[]]]], { a: { b: { c: {} } } }, [null], [{}], {}) },
)

/** Returns the names of all properties in the body of an operation, at any depth. */
function namesOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, member]) =>
    key === 'properties' && typeof member === 'object' && member !== null
      ? [...Object.keys(member), ...namesOf(Object.values(member))]
      : namesOf(member),
  )
}

const pathOf = ({ path }: DocumentedOperation, at?: string, harmful = ''): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => (name === at ? escaped(harmful) : (present[name] ?? '1')))
/** Encodes a text for a URL, which cannot contain half a surrogate pair. */
const escaped = (raw: string) => encodeURIComponent(raw.toWellFormed())
/** Matches internal details that a response never contains. */
const inside =
  /SQLSTATE|syntax error at|violates|relation "|column "|pg_catalog\.|NeonDb|TypeError|RangeError|\.tsx?:\d|node_modules|\bat \w+ \(/
/** Tells if the response repeats a word that the client has sent. */
function own(sent: string, answer: string): boolean {
  const echoed = harm.filter((word) => /^\w{4,}$/.test(word) && sent.includes(word))
  return inside.test(sent) || !inside.test(echoed.reduce((text, word) => text.replaceAll(word, ''), answer))
}

let sent = 0
async function ask(
  operation: DocumentedOperation,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const answer = await app.request(
    operation.method,
    `${path.startsWith('/api/') ? '/sites/fuzzed' : ''}${path}`,
    {
      token: root.token,
      headers,
      ...(operation.requestBody ? { body: body ?? {} } : {}),
    },
  )
  sent++
  const said = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
  const note = JSON.stringify({
    seed,
    operation: operation.operationId,
    path,
    body,
    status: answer.status,
    said: said?.slice(0, 300),
  })
  if (answer.status >= 500 && answer.status !== 503) throw new Error(note)
  if (answer.status >= 400 && !own(`${decodeURIComponent(path)} ${JSON.stringify(body)}`, said ?? ''))
    throw new Error(note)
}

/** Hashing takes a tenth of a second each, and makes other requests wait. */
const hashes = ['createToken', 'createSession', 'createUser', 'acceptInvitation', 'updateUser']
const parameterIn = (operation: DocumentedOperation) =>
  [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
const sample = <Value>(
  arbitrary: fc.Arbitrary<Value>,
  operation: DocumentedOperation,
  kind: number,
  count = times,
) => fc.sample(arbitrary, { numRuns: count, seed: seed + 31 * operations.indexOf(operation) + kind })
const api = operations.filter(
  ({ path, operationId }) => path.startsWith('/api/') && operationId !== 'getReferencePage',
)
// Operations that delete come last, so that the others have something to work on.
const inOrder = [
  ...api.filter(({ method }) => method !== 'DELETE'),
  ...api.filter(({ method }) => method === 'DELETE'),
]
const each = inOrder.map((operation) => [operation.operationId, operation] as const)

describe('a hostile request gets a documented response', () => {
  it.each(each.filter(([, operation]) => parameterIn(operation).length > 0))(
    'for the path of %s',
    async (_name, operation) => {
      for (const parameter of parameterIn(operation)) {
        for (const raw of sample(text, operation, 1)) await ask(operation, pathOf(operation, parameter, raw))
      }
    },
  )

  it.each(each)('for the query string of %s', async (_name, operation) => {
    const declared = operation.parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name }) => name)
    const name = fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...(declared.length > 0 ? declared : ['x'])) },
      { weight: 1, arbitrary: text },
    )
    for (const pairs of sample(
      fc.array(fc.tuple(name, text), { minLength: 1, maxLength: 3 }),
      operation,
      2,
      declared.length > 0 ? times : 2,
    )) {
      await ask(
        operation,
        `${pathOf(operation)}?${pairs.map(([key, raw]) => `${escaped(key)}=${escaped(raw)}`).join('&')}`,
      )
    }
  })

  it.each(each.filter(([, operation]) => operation.requestBody))(
    'for the body of %s',
    async (_name, operation) => {
      const names = [...new Set(namesOf(operation.requestBody))]
      const name = fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(...(names.length > 0 ? names : ['name'])) },
        { weight: 1, arbitrary: named },
      )
      const object = fc
        .array(fc.tuple(name, value), { minLength: 1, maxLength: 6 })
        .map((pairs) => Object.fromEntries(pairs))
      const body = fc.oneof(
        { weight: 6, arbitrary: object },
        { weight: 2, arbitrary: fc.array(object, { maxLength: 3 }) },
        { weight: 1, arbitrary: value },
      )
      const count = hashes.includes(operation.operationId) ? 3 : 3 * times
      for (const one of sample(body, operation, 3, count))
        await ask(operation, pathOf(operation), JSON.stringify(one))
    },
  )

  it.each([
    'authorization',
    'content-type',
    'accept',
    'if-match',
    'if-none-match',
    'cookie',
    'origin',
    'x-request-id',
    'range',
    'content-encoding',
    'host',
  ])('for the header %s', async (name) => {
    const printable = fc.constantFrom(...harm.filter((raw) => /^[\x20-\x7e]*$/.test(raw)))
    for (const operation of [
      api.find(({ operationId }) => operationId === 'getRecord'),
      api.find(({ operationId }) => operationId === 'updateRecord'),
    ]) {
      if (!operation) continue
      for (const raw of sample(printable, operation, 4, 10 * times))
        await ask(operation, pathOf(operation), { name: 'Ostra' }, { [name]: raw })
    }
  })

  it('in all of many requests', () => expect(sent).toBeGreaterThan(350 * times))
})
