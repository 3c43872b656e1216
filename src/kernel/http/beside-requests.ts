/**
 * Requests that this Worker sends to itself while it handles a client's request. What the database knows
 * about their caller is in their context, not in the requests.
 */
import type { RequestContext } from '../context.ts'

/** A request of the API, below the address of its site. */
export interface ApiRequest {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  /** Values other than texts are sent as JSON. Undefined values are omitted. */
  query?: Readonly<Record<string, unknown>>
  body?: unknown
}

const watchers = new WeakMap<Request, (ctx: RequestContext) => void>()

/** Registers a function that gets the context of a request when the context is created. */
export const watchContext = (request: Request, watch: (ctx: RequestContext) => void): void =>
  void watchers.set(request, watch)

/** Passes the context of a request to the registered function, if there is one. */
export const showContext = (request: Request, ctx: RequestContext): void => watchers.get(request)?.(ctx)

/**
 * Creates a request to the same Worker on behalf of a caller: with the same credentials and address, for the
 * same site and with the same request id. Cookies and other headers are not copied.
 */
export function requestBeside(
  original: Request,
  requestId: string,
  mount: string,
  { method = 'GET', path, query = {}, body }: ApiRequest,
): Request {
  const url = new URL(`${mount}${path}`, original.url)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined)
      url.searchParams.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  const headers = new Headers({ accept: 'application/json', 'x-request-id': requestId })
  for (const name of ['authorization', 'cf-connecting-ip', 'cf-ipcountry', 'user-agent']) {
    const value = original.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  if (body === undefined) return new Request(url, { method, headers })
  headers.set('content-type', 'application/json')
  return new Request(url, { method, headers, body: JSON.stringify(body) })
}
