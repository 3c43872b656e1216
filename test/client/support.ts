/** A client of the application in this isolate: its requests do not leave it. */
import { type ClientOptions, createClient } from '../../client/src/index.ts'
import type { Apps, UnknownApps } from '../../client/src/types/schema.ts'
import type { TestApp } from '../support/app.ts'

/** What the client has sent: `POST /api/apps/`, one for each attempt. */
export type Sent = string[]

/** Sends a request to the application. */
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

/** Makes a client of a site of the application. */
export const clientOf = <S extends Apps = UnknownApps>(app: TestApp, options: Partial<ClientOptions> = {}) =>
  createClient<S>({ url: 'http://localhost', fetch: fetchOf(app), ...options })
