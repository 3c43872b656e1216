/** A client of a running Tessera, over its public API. */

export class RefusedError extends Error {
  readonly status: number
  readonly body: unknown

  constructor(method: string, path: string, status: number, body: unknown) {
    super(`${method} ${path} answered ${status}: ${JSON.stringify(body)}`)
    this.status = status
    this.body = body
  }
}

export interface Client {
  /** The parsed body of a 2xx answer; throws RefusedError for any other. */
  request<Body>(method: string, path: string, body?: unknown): Promise<Body>
}

/** Signs in, and again when the token has expired. */
export async function signIn(baseUrl: string, username: string, password: string): Promise<Client> {
  async function send(method: string, path: string, body: unknown, token?: string): Promise<{ status: number; body: unknown }> {
    const response = await fetch(new URL(path, baseUrl), {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...(token ? { authorization: `Bearer ${token}` } : {}) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
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
  return {
    async request<Body>(method: string, path: string, body?: unknown): Promise<Body> {
      let answer = await send(method, path, body, token)
      if (answer.status === 401) {
        token = await newToken()
        answer = await send(method, path, body, token)
      }
      if (answer.status >= 300) throw new RefusedError(method, path, answer.status, answer.body)
      return answer.body as Body
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
