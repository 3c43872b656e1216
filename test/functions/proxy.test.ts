/** Functions in proxy mode, and the network access of functions in app mode. E2, E6, S8. */
import { createMessageBatch } from 'cloudflare:test'
import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { openDatabase } from '../../src/kernel/db/client.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { configOf } from '../../src/kernel/env.ts'
import { newDataKey } from '../../src/secrets/encryption/data-keys.ts'
import worker from '../../src/worker.ts'
import { createEventful, type Eventful } from '../support/events.ts'
import { runs } from '../support/runs.ts'
import { until } from '../support/until.ts'
import type { Received } from '../support/webhook-server.ts'

const server = inject('webhookServer')
const functions = '/apps/shop/functions/'

let strict: Eventful
/** A service that allows private hosts. */
let one: Eventful

beforeAll(async () => {
  strict = await createEventful('strict')
  one = await createEventful('one', { ALLOW_PRIVATE_HOSTS: 'true' })
})

const received = async (path: string): Promise<Received[]> =>
  (await fetch(`${server}/received${path}`)).json()
const make = (name: string, fields: object) =>
  one.owner.post(functions, { name, execution_mode: 'proxy', ...fields })
const run = (slug: string, params = {}) => one.owner.post(`${functions}${slug}/execute/`, { params })

describe('a function in proxy mode', () => {
  it.each([
    ['http://hooks.example.com/', 'plain http'],
    ['https://127.0.0.1/', 'loopback'],
    ['https://10.1.2.3/', 'a private address'],
    ['https://[::ffff:169.254.169.254]/', 'a link-local address that is mapped to IPv6'],
    ['https://0x7f000001/', 'loopback, in hexadecimal'],
    ['https://localhost/', 'a name of the local machine'],
    ['https://db.internal/', 'a name of a private network'],
    ['https://a:b@hooks.example.com/', 'credentials'],
    ['ftp://hooks.example.com/', 'another protocol'],
    ['https://hooks.example.com:5432/', 'the port of a database'],
    ['nowhere', 'not a URL'],
  ])('returns 400 for the URL %s: %s', async (webhook_url) => {
    const rejected = await strict.owner.post(functions, { name: 'x', execution_mode: 'proxy', webhook_url })
    expect([rejected.status, rejected.body]).toEqual([
      400,
      {
        webhook_url: ['The URL must have a public host, use https, and have the port 443, 80, 8080 or 8443.'],
      },
    ])
  })

  it.each<[string, object, object]>([
    ['no URL', {}, { webhook_url: ['Functions in "proxy" mode require a URL; others must not have one.'] }],
    [
      'a header that the service sets',
      { headers: { 'Webhook-Id': 'x' } },
      { 'headers.Webhook-Id': ['This header is set by the service.'] },
    ],
    [
      'a header that names the client of a proxy',
      { headers: { 'X-Real-IP': '192.0.2.1' } },
      { 'headers.X-Real-IP': ['This header names the client of a proxy, and cannot be set.'] },
    ],
    [
      'a header value with a line break',
      { headers: { 'x-a': 'b\r\nx-c: d' } },
      { 'headers.x-a': ['A value consists of printable ASCII characters.'] },
    ],
    [
      'a masked value for a header that is not stored',
      { webhook_url: server, headers: { 'x-a': '***HIDDEN***' } },
      { headers: ['The header "x-a" has no stored value to keep.'] },
    ],
    [
      'code',
      { webhook_url: server, code: 'x' },
      { code: ['Functions in "app" mode require code; others must not have any.'] },
    ],
  ])('returns 400 for %s', async (_what, fields, body) => {
    const rejected = await make('x', fields)
    expect([rejected.status, rejected.body]).toEqual([400, body])
  })

  it('returns its signing secret once, and stores the secret and the values of headers encrypted', async () => {
    const fields = {
      webhook_url: `${server}/json/kept`,
      headers: { Authorization: 'Bearer abc', 'x-a': 'b' },
    }
    const created = await make('Kept', fields)
    const { signing_secret, ...shown } = created.body
    expect([created.status, created.body]).toMatchObject([
      201,
      {
        execution_mode: 'proxy',
        webhook_url: fields.webhook_url,
        headers: { Authorization: '***HIDDEN***', 'x-a': '***HIDDEN***' },
        signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      },
    ])
    expect((await one.owner.get(`${functions}kept/`)).body).toEqual(shown)
    const stored = JSON.stringify(await one.app.sql(`select * from tenant._functions`))
    for (const secret of [signing_secret, 'Bearer abc']) expect(stored).not.toContain(secret)
  })

  it('signs its calls by the Standard Webhooks specification: its library and a manual check verify them', async () => {
    const { body: made } = await make('Signed', {
      webhook_url: `${server}/json/signed`,
      headers: { 'X-Own': 'yes' },
    })
    const answer = await run('signed', { a: 'ü' })
    expect([answer.status, answer.body.data, answer.body.invocation.status]).toEqual([
      200,
      { path: '/json/signed', method: 'POST' },
      'SUCCESS',
    ])
    const [call] = await received('/json/signed')
    const { headers, body } = call as Received
    expect(headers['user-agent']).toBe('Tessera')
    expect(JSON.parse(body)).toEqual({
      type: 'EXECUTE',
      timestamp: expect.stringMatching(/Z$/),
      data: { a: 'ü' },
      context: expect.objectContaining({ invocation_id: answer.body.invocation.id, attempt: 1, app: 'shop' }),
    })
    expect(headers).toMatchObject({ 'x-own': 'yes', 'content-type': 'application/json' })
    expect(new Webhook(made.signing_secret).verify(body, headers)).toEqual(JSON.parse(body))
    const key = Buffer.from(made.signing_secret.slice('whsec_'.length), 'base64')
    const signature = createHmac('sha256', key)
      .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
      .digest('base64')
    expect(headers['webhook-signature']).toBe(`v1,${signature}`)
    expect(() => new Webhook(made.signing_secret).verify(body.replace('ü', 'u'), headers)).toThrow()
  })

  it('changes its headers by PATCH and PUT, and keeps masked values and the signing secret', async () => {
    const { body: made } = await make('Headed', {
      webhook_url: `${server}/json/headed`,
      headers: { 'x-a': '1', 'x-b': '2' },
    })
    expect(
      (await one.owner.patch(`${functions}headed/`, { headers: { 'x-z': '***HIDDEN***' } })).body,
    ).toEqual({
      headers: ['The header "x-z" has no stored value to keep.'],
    })
    const changed = await one.owner.patch(`${functions}headed/`, {
      headers: { 'x-b': '***HIDDEN***', 'x-c': '3' },
    })
    expect([changed.status, changed.body.headers]).toEqual([
      200,
      { 'x-b': '***HIDDEN***', 'x-c': '***HIDDEN***' },
    ])
    const shown = (await one.owner.get(`${functions}headed/`)).body
    const { name, execution_mode, webhook_url, headers } = shown
    expect(
      (await one.owner.put(`${functions}headed/`, { name, execution_mode, webhook_url, headers })).status,
    ).toBe(200)
    await run('headed')
    const [call] = await received('/json/headed')
    expect([call?.headers['x-a'], call?.headers['x-b'], call?.headers['x-c']]).toEqual([undefined, '2', '3'])
    new Webhook(made.signing_secret).verify(call?.body ?? '', call?.headers ?? {})
  })

  it('keeps a user agent of its own headers', async () => {
    await make('Named', { webhook_url: `${server}/json/named`, headers: { 'User-Agent': 'shop/1' } })
    await run('named')
    expect((await received('/json/named'))[0]?.headers['user-agent']).toBe('shop/1')
  })

  describe('gets a new signing secret', () => {
    const rotate = (slug: string, body?: object) =>
      one.owner.post(`${functions}${slug}/rotate-signing-secret/`, body)
    const lastOf = async (path: string) => (await received(path)).at(-1) as Received
    /** Tells which of the secrets verify the last call of a path. */
    const verifying = async (path: string, secrets: readonly string[]) => {
      const { body, headers } = await lastOf(path)
      return secrets.map((secret) => {
        try {
          return new Webhook(secret).verify(body, headers) !== undefined
        } catch {
          return false
        }
      })
    }

    it('but not in another mode, not for an unknown function, and not with a wrong overlap', async () => {
      await one.owner.post(functions, { name: 'Unsigned', code: 'export default () => 1' })
      expect(await rotate('unsigned')).toMatchObject({
        status: 400,
        body: { detail: 'Only functions in "proxy" mode have a signing secret.', code: 'no_signing_secret' },
      })
      expect((await rotate('nobody')).status).toBe(404)
      expect(await rotate('unsigned', { overlap_seconds: -1 })).toMatchObject({
        status: 400,
        body: { overlap_seconds: [expect.any(String)] },
      })
    })

    it('and is signed with both during the overlap, with the newest two after another rotation', async () => {
      const path = '/json/rotated'
      const { body: made } = await make('Rotated', {
        webhook_url: `${server}${path}`,
        headers: { 'x-a': '1' },
      })
      const first: string = made.signing_secret
      const rotation = await rotate('rotated')
      const second: string = rotation.body.signing_secret
      expect([rotation.status, rotation.body]).toEqual([
        200,
        { signing_secret: expect.stringMatching(/^whsec_/), previous_until: expect.stringMatching(/Z$/) },
      ])
      const overlap = Date.parse(rotation.body.previous_until) - Date.now()
      expect([overlap > 86_000_000, overlap <= 86_400_000]).toEqual([true, true])
      await run('rotated')
      expect(await verifying(path, [first, second])).toEqual([true, true])
      const { headers } = await lastOf(path)
      expect([headers['webhook-signature']?.split(' ').length, headers['x-a']]).toEqual([2, '1'])

      const third: string = (await rotate('rotated', { overlap_seconds: 3600 })).body.signing_secret
      await run('rotated')
      expect(await verifying(path, [first, second, third])).toEqual([false, true, true])
    })

    it('and only with the new one without an overlap, and after it', async () => {
      const path = '/json/replaced'
      const { body: made } = await make('Replaced', { webhook_url: `${server}${path}` })
      const rotation = await rotate('replaced', { overlap_seconds: 0 })
      expect(rotation.body.previous_until).toBeNull()
      await run('replaced')
      const second: string = rotation.body.signing_secret
      expect(await verifying(path, [made.signing_secret, second])).toEqual([false, true])

      const short = await rotate('replaced', { overlap_seconds: 1 })
      await until(
        () => Date.now() > Date.parse(short.body.previous_until),
        () => 'the end of the overlap',
      )
      await run('replaced')
      expect(await verifying(path, [second, short.body.signing_secret])).toEqual([false, true])
    })
  })

  it('returns a response that is not JSON as text', async () => {
    await make('Text', { webhook_url: `${server}/text` })
    expect((await run('text')).body.data).toBe('plain text')
  })

  it('waits for a server up to the time limit of the function, also in app mode', async () => {
    // The long run exceeds the default deadline of requests to other servers, which is 10 s.
    const unhurried = `${server}/unhurried/${runs(1_500, 11_000)}`
    await make('Unhurried', { webhook_url: unhurried, timeout_seconds: 20 })
    const code = `export default async () => (await fetch('${unhurried}')).text()`
    await one.owner.post(functions, {
      name: 'Patient',
      code,
      allowed_hosts: ['localhost'],
      timeout_seconds: 20,
    })
    const answers = await Promise.all([run('unhurried'), run('patient')])
    for (const { body } of answers)
      expect(body).toMatchObject({ data: 'in its own time', invocation: { status: 'SUCCESS', error: null } })
  })

  it.each([
    ['answers 500', '/status/500', 'The server answered 500.', {}],
    ['redirects', '/redirect', 'The call failed: the server redirects.', {}],
    ['answers too much', '/large', 'The call failed: the response is too large.', {}],
    [
      'does not answer in time',
      '/slow',
      'The call failed: the server does not respond.',
      { timeout_seconds: 1 },
    ],
  ])('is a FAILURE if the server %s', async (name, path, error, more) => {
    await make(name, { webhook_url: `${server}${path}`, ...more })
    const { invocation } = (await run(name.replaceAll(' ', '-'))).body
    expect([invocation.status, invocation.error]).toEqual(['FAILURE', error])
    expect(await received('/json/redirected')).toEqual([])
  })

  it('sends the same webhook-id in each attempt, and stops after a 410', async () => {
    await one.listener('hooked', ['RECORD_CREATE'], {
      execution_mode: 'proxy',
      webhook_url: `${server}/status/503`,
    })
    await one.owner.post('/apps/shop/datatables/makers/data/', { id: 1, name: 'a' })
    await one.queue.drain(one.app.env)
    await one.app.sql(`update tenant._invocations set due_at = now() where status = 'RETRY'`)
    await one.queue.drain(one.app.env, { delayMax: 1 })
    const calls = await received('/status/503')
    expect(
      calls.map(({ body }) => [
        JSON.parse(body).type,
        JSON.parse(body).data.record_id,
        JSON.parse(body).context.attempt,
      ]),
    ).toEqual([
      ['RECORD_CREATE', 1, 1],
      ['RECORD_CREATE', 1, 2],
    ])
    expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    await one.owner.patch(`${functions}hooked/`, { webhook_url: `${server}/status/410` })
    await one.app.sql(`update tenant._invocations set due_at = now() where status = 'RETRY'`)
    await one.queue.drain(one.app.env, { delayMax: 10 })
    expect(await one.runs('hooked')).toMatchObject([
      { status: 'FAILURE', attempts: 3, error: 'The server answered 410.' },
    ])
  })

  it('keeps its secrets when the site is encrypted again with a new data key', async () => {
    const { env } = one.app
    const siteId = Number(one.shop.schema.slice('site_'.length))
    const proofs = await one.app.sql<{ kid: string; proof: string }>('select kid, proof from master_keys')
    const key = await newDataKey(
      configOf(env),
      siteId,
      2,
      Object.fromEntries(proofs.map(({ kid, proof }) => [kid, proof])),
    )
    const add = sql`select public.add_data_key(${siteId}, ${key.version}, ${key.wrapped}, ${key.masterKid}, ${key.proof})`
    await openDatabase(configOf(env)).batch({ add }, 5000)
    expect((await run('signed')).body.invocation.status).toBe('SUCCESS')
    const body = { kind: 'reencrypt-site', siteId }
    await worker.queue(
      createMessageBatch('tessera-jobs', [{ id: '1', timestamp: new Date(), attempts: 1, body }]),
      env,
    )
    expect(await one.app.sql('select version from data_keys')).toEqual([{ version: 2 }])
    expect((await run('signed')).body.invocation.status).toBe('SUCCESS')
    expect((await one.owner.patch(`${functions}kept/`, { headers: { 'x-a': '***HIDDEN***' } })).status).toBe(
      200,
    )
  })
})

describe('a function in app mode', () => {
  const code = (url: string) =>
    `export default async () => (await fetch('${url}', { method: 'POST', body: 'x' })).json()`

  it('can only reach the hosts that it names', async () => {
    const port = new URL(server).port
    await one.owner.post(functions, {
      name: 'Reaching',
      code: code(`${server}/json/reached`),
      allowed_hosts: ['localhost'],
    })
    expect((await run('reaching')).body.data).toEqual({ path: '/json/reached', method: 'POST' })
    await one.owner.post(functions, {
      name: 'Straying',
      code: code(`http://127.0.0.1:${port}/json/strayed`),
      allowed_hosts: ['localhost'],
    })
    const { invocation } = (await run('straying')).body
    expect([invocation.status, invocation.error]).toEqual([
      'FAILURE',
      'Error: the function may not reach the host "127.0.0.1"',
    ])
    expect(await received('/json/strayed')).toEqual([])
  })

  const sending = (body: string) => ({
    code: `export default async ({ path, bytes }) => {
      const body = ${body}
      return (await fetch('${server}' + path, { method: 'POST', body })).json()
    }`,
    allowed_hosts: ['localhost'],
  })
  const streamed = `new ReadableStream({
    pull(controller) {
      const length = Math.min(bytes, 65_536)
      if (length > 0) controller.enqueue(new Uint8Array(length))
      else controller.close()
      bytes -= length
    },
  })`
  it.each([
    ['a buffer', 'new Uint8Array(bytes)'],
    ['a stream of unknown length', streamed],
    [
      'a stream of known length',
      `(() => { const s = new FixedLengthStream(bytes); ${streamed}.pipeTo(s.writable).catch(() => 0); return s.readable })()`,
    ],
  ])('sends at most 10 MB in a request: %s', async (what, body) => {
    const { body: fn } = await one.owner.post(functions, { name: `Sending ${what}`, ...sending(body) })
    const path = `/json/${fn.slug}`
    const bytes = 10 * 1024 * 1024
    const { invocation } = (await run(fn.slug, { path, bytes: bytes + 1 })).body
    expect([invocation.status, invocation.error]).toEqual([
      'FAILURE',
      'OutgoingFailure: a function can send at most 10485760 bytes in a request',
    ])
    expect(await received(path)).toEqual([])
    expect((await run(fn.slug, { path, bytes })).body.data).toEqual({ path, method: 'POST' })
    const [call] = await received(path)
    expect([call?.body.length, call?.headers['content-length']]).toEqual([
      bytes,
      what === 'a stream of unknown length' ? undefined : String(bytes),
    ])
  })

  it('waits for requests that it does not await, within its time limit', async () => {
    const code = (path: string) => `export default () => { fetch('${server}${path}'); return 1 }`
    await one.owner.post(functions, {
      name: 'Hasty',
      code: code('/unhurried/300'),
      allowed_hosts: ['localhost'],
    })
    const prompt = (await run('hasty')).body.invocation
    expect([prompt.status, prompt.logs, prompt.duration_ms >= 300]).toEqual(['SUCCESS', [], true])
    await one.owner.post(functions, {
      name: 'Too hasty',
      code: code('/slow/'),
      allowed_hosts: ['localhost'],
      timeout_seconds: 2,
    })
    const late = (await run('too-hasty')).body.invocation
    expect([late.status, late.result, late.logs]).toMatchObject([
      'SUCCESS',
      1,
      [{ level: 'error', message: 'Requests that were not awaited and did not end: 1' }],
    ])
  })

  it('cannot reach a named host with a private address', async () => {
    const { owner } = strict
    for (const host of ['localhost', 'db.internal']) {
      await owner.post(functions, {
        name: `to ${host}`,
        code: code(`https://${host}/`),
        allowed_hosts: [host],
      })
      const answer = await owner.post(`${functions}${`to ${host}`.replaceAll(/[ .]/g, '-')}/execute/`, {})
      expect([answer.body.invocation.status, answer.body.invocation.error]).toEqual([
        'FAILURE',
        expect.stringContaining('the address is not that of a public host over https'),
      ])
    }
  })
})
