/** Begins to follow lists. */
import type { Context } from 'hono'
import { verifyToken } from '../../kernel/access/signed-tokens.ts'
import type { RequestContext } from '../../kernel/context.ts'
import { codeHeader } from '../../kernel/errors.ts'
import type { AnswerRequest, AppEnv } from '../../kernel/http/app-env.ts'
import { watchContext } from '../../kernel/http/beside-requests.ts'
import { mountOf } from '../../kernel/http/tenant-locator.ts'
import type { ListReads } from '../../kernel/live/asked.ts'
import { listAt } from '../../kernel/live/names.ts'
import { requestBeside } from '../mcp/api-request.ts'
import { type About, audienceOf, type Joining, listName } from './list.ts'
import { eventStream, type Followed, type Refused } from './stream.ts'

/** A list to follow: its path with the query string, below the site, and the last event of an earlier stream. */
export interface Wanted {
  name: string | null
  path: string
  lastId: string | null
}

/** The paths of lists and of single records. */
export const followable = /^\/api\/apps\/[^/?]+\/datatables\/[^/?]+\/data\/?(?:[^/?]+\/?)?(?:\?|$)/

/** A stream ends after this time, and the client comes back. */
const streamMs = 15 * 60_000

/** Joins a list, or returns the answer that refuses it. */
export async function join(
  c: Context<AppEnv>,
  fetch: AnswerRequest,
  { name, path, lastId }: Wanted,
): Promise<Followed | Response> {
  const { raw } = c.req
  const request = requestBeside(raw, c.var.requestId, mountOf(raw.url), { path })
  let seen: RequestContext | undefined
  let reads: ListReads | undefined
  let uuid: string | undefined
  watchContext(request, (ctx) => {
    seen = ctx
    ctx.follows = {
      reads(found) {
        reads = found
      },
      joins(found) {
        uuid = found
      },
    }
  })
  const answer = await fetch(request, c.env, c.executionCtx)
  if (!seen || !reads || uuid === undefined) return answer
  const { apiKeyHash, caller } = seen
  const asker = { apiKeyHash, caller, ip: apiKeyHash === null ? null : seen.ip }
  const url = request.url
  const about: About = { url, site: { id: reads.siteId, uuid }, audience: audienceOf(reads, asker, url) }
  const joining: Joining = { about, asker, lastId }
  const { status, webSocket } = await listAt(seen, listName(seen, about)).fetch('http://live/', {
    headers: { upgrade: 'websocket', 'x-live': encodeURIComponent(JSON.stringify(joining)) },
  })
  return webSocket ? { name, socket: webSocket } : busyAnswer(status)
}

const busyAnswer = (status: number): Response =>
  Response.json({ detail: 'Too many lists are followed.' }, { status, headers: { [codeHeader]: 'busy' } })

/** Answers with the stream of the lists. `refused`: those that cannot be followed, and why. */
export async function respondWithEvents(
  c: Context<AppEnv>,
  lists: readonly Followed[],
  refused: readonly Refused[] = [],
): Promise<Response> {
  const [, token = ''] = /^bearer (.+)$/i.exec(c.req.header('authorization') ?? '') ?? []
  const claims = token === '' ? undefined : await verifyToken(c.var.ctx.config, 'access', token)
  const until = Math.min(Date.now() + streamMs, claims?.expiresAt.getTime() ?? Infinity)
  return c.body(eventStream(lists, refused, until), 200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  })
}
