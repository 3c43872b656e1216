/**
 * `context.db` of a function: the client's calls of tables, through the gate of the run. `npm run
 * build:client` builds src/runtime/functions/sandbox/client.js from it.
 */
import { appTables } from './app-tables.ts'
import { connect, type Transport } from './connection/transport.ts'
import { watchSchemas } from './schema-watch.ts'

/** Is called with each call of tables, including its retries, and returns its outcome. */
type During = <Outcome>(call: Promise<Outcome>) => Promise<Outcome>

/** Creates the apps of a site by their slugs. `fetch` sends requests to `url` with the rights of the run. */
export function databaseOf(
  url: string,
  fetch: (request: Request) => Promise<Response>,
  during: During,
): object {
  const { session, send, json } = connect({ url, fetch })
  const transport: Transport = {
    session,
    send: (call) => during(send(call)),
    json: (call) => during(json(call)),
  }
  const watch = watchSchemas()
  const apps = new Map<string, unknown>()
  // `await` looks for this member, but the object is not a promise.
  apps.set('then', undefined)
  return new Proxy(Object.freeze({}), {
    get(_, slug) {
      if (typeof slug !== 'string') return undefined
      if (!apps.has(slug)) apps.set(slug, appTables(transport, slug, watch))
      return apps.get(slug)
    },
  })
}
