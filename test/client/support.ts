/** A client of the application in this isolate. Its requests stay in the isolate. */
import { type ClientOptions, createClient } from '../../client/src/index.ts'
import type { Apps, UnknownApps } from '../../client/src/types/schema.ts'
import type { TestApp } from '../support/app.ts'

/** The requests that the client has sent, one for each attempt, for example `POST /api/apps/`. */
export type Sent = string[]

/** Returns a `fetch` that sends requests to the application. */
export const fetchOf =
  (app: TestApp, sent: Sent = []) =>
  async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url)
    sent.push(`${request.method} ${pathname}`)
    return app.open(request.method, pathname + search, {
      headers: Object.fromEntries(request.headers),
      body: (await request.text()) || undefined,
    })
  }

/** Creates a client of a site of the application. */
export const clientOf = <S extends Apps = UnknownApps>(app: TestApp, options: Partial<ClientOptions> = {}) =>
  createClient<S>({ url: 'http://localhost', fetch: fetchOf(app), ...options })
