/** Calls operations of a running service by their ids, and records the requests and responses. */
import type { OpenApiDocument, Operation } from '../../src/kernel/http/openapi/types.ts'

interface Asked {
  /** Values for the path. */
  values?: Record<string, string | number>
  query?: string
  body?: unknown
  /** An access token. */
  token?: string
  headers?: Record<string, string>
  /** The address of the service, if it differs from the default. */
  at?: string
  /** The expected status, if it is not a success. */
  status?: number
}

/** By the id of an operation. */
export type Recorded = Record<string, { body?: unknown; answers: Record<string, unknown> }>

export interface Recorder {
  recorded: Recorded
  /**
   * Returns the service's response, parsed if it is JSON. Throws if the status is not a success, or not the
   * expected one.
   */
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, of which a script reads a member here and there
  ask(id: string, asked?: Asked): Promise<any>
  /** Returns the value of a header of the last response. */
  header(name: string): string | null
}

/** Creates a recorder. `values`: the default values for paths. */
export function recorder(
  document: OpenApiDocument,
  address: string,
  values: Record<string, string | number>,
): Recorder {
  const recorded: Recorded = {}
  let last = new Headers()
  const operations = new Map<string, { method: string; path: string; operation: Operation }>()
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods))
      operations.set(operation.operationId, { method, path, operation })
  }

  async function ask(
    id: string,
    { values: own = {}, query = '', body, token, headers = {}, at = address, status: wanted }: Asked = {},
  ) {
    const found = operations.get(id)
    if (!found) throw new Error(`there is no operation "${id}"`)
    const all = { ...values, ...own }
    const path = found.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(all[name])))
    const response = await fetch(`${at}${path}${query}`, {
      method: found.method.toUpperCase(),
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        // A session is accepted only from the service's own pages.
        ...(headers.cookie ? { origin: at } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    last = response.headers
    const type = response.headers.get('content-type') ?? ''
    const text = await response.text()
    const isJson = /^application\/(scim\+)?json/.test(type)
    const answer = isJson ? JSON.parse(text) : text
    if (wanted === undefined ? !response.ok : response.status !== wanted) {
      throw new Error(`${id} (${found.method} ${path}${query}) answered ${response.status}: ${text}`)
    }
    if (response.ok) keep(id, `${response.status} ${type}`, body, isJson ? answer : undefined)
    return answer
  }

  /** Only the first example of each status is kept. */
  function keep(id: string, kind: string, body: unknown, answer: unknown): void {
    recorded[id] ??= { answers: {} }
    const example = recorded[id]
    if (body !== undefined && !('body' in example)) example.body = body
    if (answer !== undefined && !(kind in example.answers)) example.answers[kind] = answer
  }

  return { recorded, ask, header: (name) => last.get(name) }
}
