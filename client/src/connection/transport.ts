/** Sends requests with credentials, retries and a time limit, and throws errors by status. */
import { ConnectionError, errorOf } from './errors.ts'
import { delayBefore, type RetryOptions, sleep } from './retry.ts'
import { type Auth, makeSession, type Session } from './session.ts'
import { watchVersion } from './version.ts'

export interface ConnectionOptions {
  /** The address of the service, for example `https://shop.example.com`. */
  url: string
  /** The slug of the site, if the host of `url` does not name it. */
  site?: string | undefined
  auth?: Auth | undefined
  /** The function that sends requests. Default: the platform's `fetch`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined
  retry?: RetryOptions | undefined
  /** The maximum time until the response to an attempt begins, in ms. Default: no limit. */
  timeoutMs?: number | undefined
}

export interface CallOptions {
  /** Ends the call, its retries and its waits. */
  signal?: AbortSignal | undefined
}

/** Parameters of a query string. Undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** A request as the parts of the client describe it. */
export interface Call extends CallOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined
  /** The path, relative to the address of the site, for example `/api/apps/`. */
  path: string
  query?: Query | undefined
  body?: unknown
  headers?: Record<string, string> | undefined
  /**
   * Sends an Idempotency-Key, so that the request can be repeated if its response is lost. True: a new one.
   */
  key?: string | boolean | undefined
}

/** The connection to one site, which sends requests. */
export interface Transport {
  session: Session
  /** Returns the response. Throws TesseraError for an error response, and ConnectionError if none arrived. */
  send(call: Call): Promise<Response>
  /** Returns the parsed body of the response; undefined if it has none. */
  json<Body>(call: Call): Promise<Body>
}

/** Connects a client to a site. */
export function connect(options: ConnectionOptions): Transport {
  const { url, site, retry, timeoutMs } = options
  const base = `${url.replace(/\/+$/, '')}${site === undefined ? '' : `/sites/${encodeURIComponent(site)}`}`
  const fetch = options.fetch ?? ((request: Request) => globalThis.fetch(request))
  const noteVersion = watchVersion()

  /** Sends the request until its response needs no retry. */
  async function attempt(call: Call, headers: Headers): Promise<Response> {
    const { method = 'GET', path, query, body, signal } = call
    const address = `${base}${path}${queryString(query)}`
    const repeatable = method === 'GET' || headers.has('idempotency-key')
    for (let count = 1; ; count++) {
      signal?.throwIfAborted()
      let answer: Response | undefined
      let failure: unknown
      const limit = timeLimit(timeoutMs, signal)
      try {
        const init = { method, headers, body: body === undefined ? null : JSON.stringify(body) }
        answer = await fetch(
          new Request(address, { ...init, ...(limit.signal ? { signal: limit.signal } : {}) }),
        )
      } catch (error) {
        if (signal?.aborted) throw error
        failure = error
      } finally {
        limit.end()
      }
      const delay = delayBefore(count, answer, repeatable, retry)
      if (delay === undefined) {
        if (answer) {
          noteVersion(answer)
          return answer
        }
        throw new ConnectionError(method, path, failure)
      }
      await answer?.body?.cancel()
      await sleep(delay, signal)
    }
  }

  const post = (path: string, body: unknown) =>
    attempt({ method: 'POST', path, body }, new Headers({ 'content-type': 'application/json' }))
  const session = makeSession(options.auth, post)

  async function send(call: Call): Promise<Response> {
    const headers = headersOf(call)
    const authorize = (value: string | undefined) => value && headers.set('authorization', value)
    const sent = await session.authorization()
    authorize(sent)
    let answer = await attempt(call, headers)
    if (answer.status === 401) {
      const other = await session.renew(sent)
      if (other !== undefined) {
        await answer.body?.cancel()
        authorize(other)
        answer = await attempt(call, headers)
      }
    }
    if (answer.ok) return answer
    throw await errorOf(call.method ?? 'GET', call.path, answer)
  }

  return {
    session,
    send,
    async json<Body>(call: Call) {
      const answer = await send(call)
      const text = await answer.text()
      return (text === '' ? undefined : JSON.parse(text)) as Body
    },
  }
}

function headersOf({ body, headers: own, key }: Call): Headers {
  const headers = new Headers({ accept: 'application/json', ...own })
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (key) headers.set('idempotency-key', key === true ? newKey() : key)
  return headers
}

/** Pages without https have no `crypto.randomUUID`. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Writes the query string of parameters, with its question mark. */
export function queryString(query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/** Returns a signal that is aborted with the caller's, or when the response does not begin in time. */
function timeLimit(ms: number | undefined, signal: AbortSignal | undefined) {
  if (ms === undefined) return { signal, end: () => undefined }
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new Error(`No answer within ${ms} ms.`)), ms)
  return {
    signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
    end: () => clearTimeout(timer),
  }
}
