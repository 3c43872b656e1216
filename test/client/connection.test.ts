/** The connection of the client: tokens, retries, lost responses, aborts. docs/guide/client.md. */
import { beforeAll, describe, expect, it, vi } from 'vitest'
import {
  ConnectionError,
  createClient,
  type ErrorCode,
  ForbiddenError,
  memoryStore,
  type TesseraError,
  type Tokens,
  TooManyRequestsError,
  UnauthenticatedError,
  UnavailableError,
} from '../../client/src/index.ts'
import { csvRows, jsonLines } from '../../client/src/records/lines.ts'
import { version } from '../../client/src/version.ts'
import { createSite, type Site, startApp, type TestApp } from '../support/app.ts'
import { clientOf, fetchOf, type Sent } from './support.ts'

let app: TestApp
let site: Site
const password = "It's-a-pass-1"
const tokenPath = '/api/auth/jwt/token/'

beforeAll(async () => {
  app = await startApp()
  site = await createSite(app, 'wires')
  await app.user('ada', { password, superuser: true })
  const db = clientOf(app, { site: site.slug, auth: { token: site.owner.token } })
  await db.request({ method: 'POST', path: '/api/apps/', body: { name: 'Trial' } })
  const fields = [
    { name: 'id', type: 'integer' },
    { name: 'name', type: 'string' },
  ]
  await db.request({
    method: 'POST',
    path: '/api/apps/trial/datatables/create_schema/',
    query: { materialize: true },
    body: { resources: [{ name: 'things', schema: { primaryKey: 'id', fields } }] },
  })
})

const things = (options: Parameters<typeof clientOf>[1]) =>
  clientOf(app, { site: site.slug, ...options })
    .app('trial')
    .$table('things')

/** Signs in. Returns a store whose access token has expired, and a count of the refreshes that are sent. */
async function expired() {
  const store = memoryStore()
  await clientOf(app, { auth: { store } }).accounts.signIn('ada', password)
  const tokens = (await store.read()) as Tokens
  await store.write({ ...tokens, expiresAt: Date.now() - 1 })
  const sent: Sent = []
  const refreshes = () => sent.filter((one) => one.endsWith(`${tokenPath}refresh/`)).length
  return { store, tokens, sent, refreshes, fetch: fetchOf(app, sent) }
}

describe('the tokens of the client', () => {
  it('are renewed once for 100 calls at the moment when they expire', async () => {
    const { store, tokens, refreshes, fetch } = await expired()
    const db = clientOf(app, { auth: { store }, fetch })
    const accounts = await Promise.all(Array.from({ length: 100 }, () => db.accounts.me()))
    expect(new Set(accounts.map(({ username }) => username))).toEqual(new Set(['ada']))
    expect(refreshes()).toBe(1)
    expect((await store.read())?.refresh).not.toBe(tokens.refresh)
  })

  it('are renewed once for 100 calls that the service rejects', async () => {
    const { store, tokens, sent, refreshes, fetch } = await expired()
    await store.write({ ...tokens, access: `${tokens.access}x`, expiresAt: Date.now() + 900_000 })
    const db = clientOf(app, { auth: { store }, fetch })
    await Promise.all(Array.from({ length: 100 }, () => db.accounts.me()))
    expect([refreshes(), sent.filter((one) => one.endsWith('/users/me/')).length]).toEqual([1, 200])
  })

  it('are renewed by one of two clients with a shared store, and read from the store by the other', async () => {
    const { store, refreshes, fetch } = await expired()
    const shared = { ...store, shared: 'wires' }
    const [one, other] = [1, 2].map(() => clientOf(app, { auth: { store: shared }, fetch }))
    await one?.accounts.me()
    await other?.accounts.me()
    expect(refreshes()).toBe(1)
  })

  it('are deleted when the service does not renew them; a name and password sign in again', async () => {
    const { store, tokens, fetch } = await expired()
    await store.write({ ...tokens, refresh: `${tokens.refresh}x`, expiresAt: 0 })
    await expect(clientOf(app, { auth: { store }, fetch }).accounts.me()).rejects.toBeInstanceOf(
      UnauthenticatedError,
    )
    expect(await store.read()).toBeNull()
    const db = clientOf(app, { auth: { username: 'ada', password, store }, fetch })
    expect((await db.accounts.me()).username).toBe('ada')
  })

  it('end with a sign-out', async () => {
    const { store, tokens, fetch } = await expired()
    const db = clientOf(app, { auth: { store }, fetch })
    expect(await db.accounts.refresh()).toBe(true)
    await db.accounts.signOut()
    expect(await store.read()).toBeNull()
    await store.write({ ...tokens, expiresAt: 0 })
    await expect(db.accounts.me()).rejects.toBeInstanceOf(UnauthenticatedError)
  })

  it('may come from a function, which is called again after a 401', async () => {
    const given = ['not-a-token', site.owner.token]
    const db = clientOf(app, {
      auth: { token: () => (given.length > 1 ? (given.shift() as string) : (given[0] as string)) },
    })
    expect((await db.accounts.me()).username).toBe('wires-owner')
  })

  it('are not needed with an API key', async () => {
    const body = { name: 'Till' }
    const db = clientOf(app, { site: site.slug, auth: { token: site.owner.token } })
    const { key } = await db.request<{ key: string }>({ method: 'POST', path: '/api/api-keys/', body })
    expect(await things({ auth: { apiKey: key } }).create({ name: 'by key' })).toMatchObject({
      name: 'by key',
    })
  })
})

/**
 * Answers the first requests itself with these statuses, like a busy service. The others go to the
 * application.
 */
function busy(statuses: readonly number[], sent: Sent, retryAfter: string | null = '0') {
  const left = [...statuses]
  const fetch = fetchOf(app, sent)
  return async (request: Request) => {
    const status = left.shift()
    if (status === undefined) return fetch(request)
    sent.push(`${status}`)
    return new Response('{"detail": "Later."}', {
      status,
      headers: retryAfter === null ? {} : { 'retry-after': retryAfter },
    })
  }
}

describe('retries of the client', () => {
  const auth = () => ({ token: site.owner.token })

  it('do not follow a 403', async () => {
    const sent: Sent = []
    const stranger = await app.user('stranger')
    const calls = things({ auth: { token: stranger.token }, fetch: fetchOf(app, sent) })
    await expect(calls.list()).rejects.toBeInstanceOf(ForbiddenError)
    expect(sent).toHaveLength(1)
  })

  it('end after four attempts, with the last error', async () => {
    const sent: Sent = []
    const calls = things({ auth: auth(), fetch: busy([429, 503, 429, 503, 429], sent) })
    await expect(calls.list()).rejects.toBeInstanceOf(UnavailableError)
    expect(sent).toEqual(['429', '503', '429', '503'])
  })

  it('do not follow if Retry-After exceeds the longest wait', async () => {
    const sent: Sent = []
    const calls = things({ auth: auth(), fetch: busy([429], sent, '3600') })
    const error = await calls.list().catch((failure: unknown) => failure)
    expect(error).toBeInstanceOf(TooManyRequestsError)
    expect(error).toMatchObject({ retryAfterSeconds: 3600, messages: { '': ['Later.'] } })
    expect(sent).toEqual(['429'])
  })

  it('do not follow a 503 for a run of a function, because the function may have run', async () => {
    const sent: Sent = []
    const db = clientOf(app, { site: site.slug, auth: auth(), fetch: busy([503], sent) })
    await expect(db.app('trial').$functions.run('x')).rejects.toBeInstanceOf(UnavailableError)
    expect(sent).toEqual(['503'])
  })

  it('follow 429 and 503, after the wait in Retry-After', async () => {
    const sent: Sent = []
    const calls = things({ auth: auth(), fetch: busy([429, 503], sent, '1') })
    const start = Date.now()
    expect((await calls.create({ name: 'patient' })).name).toBe('patient')
    expect(Date.now() - start).toBeGreaterThanOrEqual(2000)
    expect(sent).toEqual(['429', '503', `POST /sites/wires/api/apps/trial/datatables/things/data/`])
  })

  it('of a create with a lost response create one record', async () => {
    const fetch = fetchOf(app)
    let lost = 0
    const calls = things({
      auth: auth(),
      async fetch(request) {
        const answer = await fetch(request)
        if (request.method !== 'POST' || lost === 2) return answer
        lost++
        await answer.text()
        throw new TypeError('network error')
      },
    })
    const { id } = await calls.create({ name: 'once' })
    expect(lost).toBe(2)
    expect((await calls.list({ where: { name: 'once' } })).data).toEqual([{ id, name: 'once' }])
  })

  it('end without any response, and with a time limit', async () => {
    const never = { fetch: () => Promise.reject(new TypeError('network error')), retry: { attempts: 2 } }
    await expect(createClient({ url: 'http://localhost', ...never }).accounts.me()).rejects.toBeInstanceOf(
      ConnectionError,
    )
    const silent = {
      fetch: ({ signal }: Request) =>
        new Promise<Response>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      retry: { attempts: 1 },
      timeoutMs: 10,
    }
    await expect(createClient({ url: 'http://localhost', ...silent }).accounts.me()).rejects.toThrow('10 ms')
  })
})

describe('an abort signal', () => {
  it('ends a request, and the wait before a retry', async () => {
    const reason = new Error('gone')
    await expect(
      things({ auth: { token: site.owner.token } }).list({ signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason)
    const controller = new AbortController()
    const fetch = async () => {
      setTimeout(() => controller.abort(reason), 1)
      return new Response(null, { status: 503, headers: { 'retry-after': '20' } })
    }
    const calls = things({ auth: { token: site.owner.token }, fetch })
    await expect(calls.list({ signal: controller.signal })).rejects.toBe(reason)
  })
})

/** Returns a response whose body arrives byte by byte. */
const slowly = (text: string): Response => {
  const bytes = new TextEncoder().encode(text)
  return new Response(
    new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(new Uint8Array([byte]))
        controller.close()
      },
    }),
  )
}
const all = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

describe('streams of the client', () => {
  it('parse CSV with quotes, line breaks and empty cells, wherever a chunk ends', async () => {
    const text = 'id,name,note\r\n1,"Ada, ""A""\r\nB",\r\n2,"","ü"\r\n'
    expect(await all(csvRows(slowly(text)))).toEqual([
      ['id', 'name', 'note'],
      ['1', 'Ada, "A"\r\nB', null],
      ['2', '', 'ü'],
    ])
    await expect(all(csvRows(slowly('id\r\n1,"Ad')))).rejects.toThrow('ends within a row')
  })

  it('parse JSON lines, and throw an error for a line that is cut off', async () => {
    expect(await all(jsonLines(slowly('{"a":"ü"}\n{"a":2}\n')))).toEqual([{ a: 'ü' }, { a: 2 }])
    await expect(all(jsonLines(slowly('{"a":1}\n{"a"')))).rejects.toBeInstanceOf(SyntaxError)
  })

  it('return the created records', async () => {
    const calls = things({ auth: { token: site.owner.token } })
    await calls.createMany([{ name: 'a\n"b"' }, { name: '' }, {}])
    const where = { id__gt: 0, name__in: ['a\n"b"', ''] }
    expect((await all(calls.csv({ where, fields: ['name'] }))).slice(1)).toEqual([['a\n"b"'], ['']])
    expect(await all(calls.stream({ where, fields: ['name'] }))).toEqual([{ name: 'a\n"b"' }, { name: '' }])
  })
})

describe('errors', () => {
  const codeOf = (asked: Promise<unknown>) =>
    asked.catch((error: unknown) => (error as TesseraError).code satisfies ErrorCode | 'unknown')

  it('have the code of the service, also if the body has none', async () => {
    const owner = clientOf(app, { site: site.slug, auth: { token: site.owner.token } })
    expect([
      await codeOf(clientOf(app, { site: site.slug }).accounts.me()),
      await codeOf(owner.request({ method: 'POST', path: '/api/apps/', body: {} })),
      await codeOf(owner.app('trial').$table('things').get(99)),
    ]).toEqual(['not_authenticated', 'validation_failed', 'record_not_found'])
  })

  it('have the code "unknown" if the answer is not one of the service', async () => {
    const db = createClient({ url: 'http://localhost', fetch: async () => new Response('', { status: 502 }) })
    expect(await codeOf(db.accounts.me())).toBe('unknown')
  })
})

describe('the version of the service', () => {
  const answerOf = async (value?: string) => {
    const warnings: string[] = []
    const warn = vi.spyOn(console, 'warn').mockImplementation((text) => void warnings.push(text))
    try {
      const client = createClient({
        url: 'http://localhost',
        fetch: async () => new Response('{}', { headers: value ? { 'x-tessera-version': value } : {} }),
      })
      for (const path of ['/api/a/', '/api/b/']) await client.request({ path })
    } finally {
      warn.mockRestore()
    }
    return warnings
  }
  const [major, minor] = version.split('.').map(Number) as [number, number]

  it.each([`${major + 1}.${minor}.0`, `${major}.${minor - 1}.9`, `${major}.${minor + 1}.0`])(
    'is said once if it is %s, which the client may not fit',
    async (service) =>
      expect(await answerOf(service)).toEqual([
        `tessera-client ${version} may not fit this service, which has the version ${service}. ` +
          `Install tessera-client@${service}.`,
      ]),
  )

  it.each([undefined, version, `${major}.${minor}.99`])('is not said if it is %s', async (service) =>
    expect(await answerOf(service)).toEqual([]),
  )

  it('is in every answer', async () => {
    for (const path of ['/healthz', '/api/apps/', '/none/'])
      expect((await app.request('GET', path)).headers.get('x-tessera-version')).toBe(version)
  })
})
