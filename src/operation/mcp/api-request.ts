/** The API requests that tools send. */
import { AppError } from '../../kernel/errors.ts'

/** A request of the API, below the address of its site. */
export interface ApiRequest {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  /** Values other than texts are sent as JSON. Undefined values are omitted. */
  query?: Readonly<Record<string, unknown>>
  body?: unknown
}

/** The API's answer. */
export interface ApiAnswer {
  status: number
  text: string
}

/** Sends a request with the credentials of the caller. `reads`: the request changes nothing. */
export type CallApi = (request: ApiRequest, reads: boolean) => Promise<ApiAnswer>

/** Servers and networks accept addresses of about this length. */
const queryLengthMax = 16_384

/** Returns the answer to a request whose query is too long for an address; undefined for any other. */
export const tooLong = ({ query = {} }: ApiRequest): ApiAnswer | undefined =>
  JSON.stringify(query).length <= queryLengthMax
    ? undefined
    : answerOf(
        new AppError(414, 'query_too_long', { detail: `A query has at most ${queryLengthMax} characters.` }),
      )

const answerOf = ({ status, body }: AppError): ApiAnswer => ({ status, text: JSON.stringify(body) })

/** Writes a path. Each value becomes one segment of the path. */
export const path = (texts: TemplateStringsArray, ...values: (string | number)[]): string =>
  String.raw({ raw: texts }, ...values.map((value) => encodeURIComponent(value)))

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
