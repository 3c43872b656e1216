/** A client of a running Tessera, over its public API. */

export class RefusedError extends Error {
  readonly status: number
  readonly body: unknown

  constructor(method: string, path: string, status: number, body: unknown) {
    super([`${method} ${path} answered ${status}:`, ...messagesOf(body).map(({ field, text }) => `  ${field ? `${field}: ` : ''}${text}`)].join('\n'))
    this.status = status
    this.body = body
  }
}

/** What a refusal says, one message after the other, each with its field where it has one. */
export function messagesOf(body: unknown): { field: string; text: string }[] {
  const { details, detail, error } = Object(body) as { details?: unknown; detail?: unknown; error?: unknown }
  if (typeof detail === 'string') return [{ field: '', text: detail }]
  const fields = Object.entries(Object(details ?? (error === undefined ? body : undefined)))
  const messages = fields.flatMap(([field, texts]) => (Array.isArray(texts) ? texts.map((text) => ({ field, text: String(text) })) : []))
  return messages.length > 0 ? messages : [{ field: '', text: JSON.stringify(body) }]
}

export interface Client {
  /** The parsed body of a 2xx answer; throws RefusedError for any other. */
  request<Body>(method: string, path: string, body?: unknown): Promise<Body>
  /** What is at a path; undefined where nothing is. */
  find<Body>(path: string): Promise<Body | undefined>
}

/** Signs in, and again when the token has expired. */
export async function signIn(baseUrl: string, username: string, password: string): Promise<Client> {
  async function send(method: string, path: string, body: unknown, token?: string): Promise<{ status: number; body: unknown }> {
    const address = new URL(path, baseUrl)
    const response = await fetch(address, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...(token ? { authorization: `Bearer ${token}` } : {}) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error) => {
      throw new Error(`Nothing answers at ${address.origin}. Does Tessera run there?`, { cause: error })
    })
    const text = await response.text()
    return { status: response.status, body: text ? parsed(text) : undefined }
  }

  async function newToken(): Promise<string> {
    const path = '/api/auth/jwt/token/'
    const answer = await send('POST', path, { username, password })
    if (answer.status !== 200) throw new RefusedError('POST', path, answer.status, answer.body)
    return (answer.body as { access: string }).access
  }

  let token = await newToken()

  async function request<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    let answer = await send(method, path, body, token)
    if (answer.status === 401) {
      token = await newToken()
      answer = await send(method, path, body, token)
    }
    if (answer.status >= 300) throw new RefusedError(method, path, answer.status, answer.body)
    return answer.body as Body
  }

  return {
    request,
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
