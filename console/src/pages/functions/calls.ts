/** The calls of an app's functions. */
import type { FunctionVersionItem } from '../../../../client/src/site/functions.ts'
import { clientOf } from '../../session/client.ts'
import type { NewFunctionRecord, Run, ShownFunction } from './types.ts'

type Changes = Readonly<Record<string, unknown>>

export interface Listed<Item> {
  count: number
  results: Item[]
}

export function functionsOf(site: string, app: string) {
  const { request } = clientOf(site)
  const path = `/api/apps/${encodeURIComponent(app)}/functions/`
  const one = (slug: string) => `${path}${encodeURIComponent(slug)}/`
  return {
    list: (signal?: AbortSignal) =>
      request<Listed<ShownFunction>>({ path, query: { page_size: 100 }, signal }),
    get: (slug: string, signal?: AbortSignal) => request<ShownFunction>({ path: one(slug), signal }),
    create: (body: Changes) => request<NewFunctionRecord>({ method: 'POST', path, body }),
    update: (slug: string, body: Changes) =>
      request<ShownFunction>({ method: 'PATCH', path: one(slug), body }),
    delete: (slug: string) => request<void>({ method: 'DELETE', path: one(slug) }),
    versions: (slug: string, signal?: AbortSignal) =>
      request<Listed<FunctionVersionItem>>({
        path: `${one(slug)}versions/`,
        query: { page_size: 20 },
        signal,
      }),
    restore: (slug: string, number: number) =>
      request<ShownFunction>({ method: 'POST', path: `${one(slug)}versions/${number}/restore/` }),
    /** Runs the function and waits for the result. */
    run: (slug: string, params: object) =>
      request<{ invocation: Run }>({ method: 'POST', path: `${one(slug)}execute/`, body: { params } }),
  }
}
