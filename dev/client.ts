/** A client of a running Tessera, over its public API. */

/** An error answer: its status, its parsed body, and the texts of its headers. */
interface Refused {
  status: number
  body: unknown
  code?: string | null
  retryAfter?: string | null | undefined
}

export class RefusedError extends Error {
  readonly status: number
  /** The header X-Error-Code; undefined if the answer has none. */
  readonly code: string | undefined
  readonly body: unknown
  /** The seconds after which the same request may succeed; undefined if the response does not tell. */
  readonly retryAfterSeconds: number | undefined

  constructor(method: string, path: string, { status, code, body, retryAfter }: Refused) {
    super(
      [
        `${method} ${path} answered ${status}:`,
        ...messagesOf(body).map(({ field, text }) => `  ${field ? `${field}: ` : ''}${text}`),
      ].join('\n'),
    )
    this.status = status
    this.code = code ?? undefined
    this.body = body
    this.retryAfterSeconds = retryAfter && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined
  }
}

/** Returns the messages of an error, each with its field if it has one. */
export function messagesOf(body: unknown): { field: string; text: string }[] {
  const { details, detail, error } = Object(body) as { details?: unknown; detail?: unknown; error?: unknown }
  if (typeof detail === 'string') return [{ field: '', text: detail }]
  const fields = Object.entries(Object(details ?? (error === undefined ? body : undefined)))
  const messages = fields.flatMap(([field, texts]) =>
    Array.isArray(texts) ? texts.map((text) => ({ field, text: String(text) })) : [],
  )
  return messages.length > 0 ? messages : [{ field: '', text: JSON.stringify(body) }]
}

export interface Client {
  /** The address of the service. */
  base: string
  /** Returns the parsed body of a 2xx response; throws RefusedError for any other. */
  request<Body>(method: string, path: string, body?: unknown): Promise<Body>
  /** Returns the resource at a path; undefined if it does not exist. */
  find<Body>(path: string): Promise<Body | undefined>
  /** Returns the text of the body of a GET, with every digit of its numbers. */
  read(path: string): Promise<string>
}

/** Signs in, and again when the token has expired. */
export async function signIn(baseUrl: string, username: string, password: string): Promise<Client> {
  async function send(method: string, path: string, body: unknown, token?: string): Promise<Answer> {
    const address = new URL(path, baseUrl)
    const response = await fetch(address, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error) => {
      throw new Error(`Nothing answers at ${address.origin}. Does Tessera run there?`, { cause: error })
    })
    const text = await response.text()
    const { status, headers } = response
    return { status, text, retryAfter: headers.get('retry-after'), code: headers.get('x-error-code') }
  }

  async function newToken(): Promise<string> {
    const path = '/api/auth/jwt/token/'
    const answer = await send('POST', path, { username, password })
    if (answer.status !== 200) throw refused('POST', path, answer)
    return (parsed(answer.text) as { access: string }).access
  }

  let token = await newToken()

  async function ask(method: string, path: string, body?: unknown): Promise<string> {
    let answer = await send(method, path, body, token)
    if (answer.status === 401) {
      token = await newToken()
      answer = await send(method, path, body, token)
    }
    if (answer.status >= 300) throw refused(method, path, answer)
    return answer.text
  }

  return clientBy(baseUrl, ask)
}

/**
 * Creates a client from a function that sends a request and returns the text of its response, or throws
 * RefusedError.
 */
export function clientBy(
  base: string,
  ask: (method: string, path: string, body?: unknown) => Promise<string>,
): Client {
  async function request<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const text = await ask(method, path, body)
    return (text ? parsed(text) : undefined) as Body
  }

  return {
    base,
    request,
    read: (path) => ask('GET', path),
    async find<Body>(path: string) {
      try {
        return await request<Body>('GET', path)
      } catch (error) {
        if (error instanceof RefusedError && error.status === 404) return undefined
        throw error
      }
    },
  }
}

interface Answer {
  status: number
  text: string
  retryAfter: string | null
  code: string | null
}

const refused = (method: string, path: string, { text, ...answer }: Answer): RefusedError =>
  new RefusedError(method, path, { ...answer, body: text ? parsed(text) : undefined })

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
