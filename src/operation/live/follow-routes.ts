/** Follows a list that is asked for with `Accept: text/event-stream`. */
import type { MiddlewareHandler } from 'hono'
import { parseAccept } from 'hono/utils/accept'
import type { AnswerRequest, AppEnv } from '../../kernel/http/app-env.ts'
import { eventType } from '../../kernel/http/live-answer.ts'
import { mountOf } from '../../kernel/http/tenant-locator.ts'
import { isFollowable, join } from './join.ts'
import { askingOf, respondWithEvents } from './routes.ts'

/** Tells whether a header prefers events to everything else that it names. */
function asksForEvents(accept: string | undefined): boolean {
  const [first] = parseAccept((accept ?? '').slice(0, 4_000)).toSorted((a, b) => b.q - a.q)
  return first?.type.toLowerCase() === eventType && first.q > 0
}

/** Creates the middleware. `fetch` is the application's own, because the list is a request of the API. */
export const follow =
  (fetch: AnswerRequest): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const isFollowed = c.req.method === 'GET' && asksForEvents(c.req.header('accept'))
    // A run of a function has credentials that no other request has, and ends soon.
    if (!isFollowed || c.get('ctx').run) return next()
    const url = new URL(c.req.url)
    const path = url.pathname.slice(mountOf(c.req.url).length) + url.search
    if (!isFollowable(path)) return next()
    const lastId = c.req.header('last-event-id')?.slice(0, 200) ?? null
    const followed = await join(c.req.raw, { name: null, path, lastId }, askingOf(c, fetch))
    return followed instanceof Response ? followed : respondWithEvents(c, [followed])
  }
