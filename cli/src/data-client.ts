/** The client of the loader and the export, which uses the connection of the command line. */

import { type Client, TesseraError } from '../../client/src/index.ts'
import { clientBy, type Client as DataClient, RefusedError } from '../../dev/client.ts'
import type { Target } from './target.ts'

/**
 * Creates the client of the loader, which repeats requests as tessera-client does, and the path of the site's
 * API.
 */
export function dataClient(client: Client, target: Target): { client: DataClient; api: string } {
  // The loader includes the site in its paths, but the connection also adds it.
  const prefix = target.site === undefined ? '' : `/sites/${encodeURIComponent(target.site)}`
  async function ask(method: string, path: string, body?: unknown): Promise<string> {
    try {
      const answer = await client.send({ method: method as 'GET', path: path.slice(prefix.length), body })
      return await answer.text()
    } catch (error) {
      throw error instanceof TesseraError ? asRefused(method, path, error) : error
    }
  }
  return { client: clientBy(target.url, ask), api: `${prefix}/api/` }
}

const asRefused = (
  method: string,
  path: string,
  { status, code, body, retryAfterSeconds }: TesseraError,
): RefusedError =>
  new RefusedError(method, path, { status, code, body, retryAfter: retryAfterSeconds?.toFixed(0) })
