/** The client that the loader and the export work with, on the connection of the command line. */

import { type Client, TesseraError } from '../../client/src/index.ts'
import { type Client as DataClient, RefusedError } from '../../dev/client.ts'
import type { Target } from './target.ts'

/** The path of the API: the connection adds that of the site. */
export const api = '/api/'

/** Makes the client of the loader. It repeats requests by itself, as tessera-client does. */
export function dataClient(client: Client, target: Target): DataClient {
  async function text(method: string, path: string, body?: unknown): Promise<string> {
    try {
      const answer = await client.send({ method: method as 'GET', path, body })
      return await answer.text()
    } catch (error) {
      throw error instanceof TesseraError ? asRefused(method, path, error) : error
    }
  }
  async function request<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const answered = await text(method, path, body)
    return (answered === '' ? undefined : JSON.parse(answered)) as Body
  }
  return {
    base: target.url,
    request,
    read: (path) => text('GET', path),
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

const asRefused = (
  method: string,
  path: string,
  { status, body, retryAfterSeconds }: TesseraError,
): RefusedError => new RefusedError(method, path, status, body, retryAfterSeconds?.toFixed(0))
