/** Begins to follow lists. */
import { verifyToken } from '../../kernel/access/signed-tokens.ts'
import { listAt } from '../../kernel/cache/live-objects.ts'
import type { ListReads, RequestContext } from '../../kernel/context.ts'
import type { Config } from '../../kernel/env.ts'
import { busy } from '../../kernel/errors.ts'
import { requestBeside, watchContext } from '../../kernel/http/beside-requests.ts'
import { mountOf } from '../../kernel/http/tenant-locator.ts'
import type { Asking } from './ask.ts'
import { type About, audienceOf, type Joining, listName } from './list.ts'
import type { Followed } from './stream.ts'

/**
 * A list to follow: its path with the query string, below the site, and the id of the last event of an
 * earlier stream.
 */
export interface Wanted {
  name: string | null
  path: string
  lastId: string | null
}

/** The paths of lists and of single records. */
const paths = /^\/api\/apps\/[^/?]+\/datatables\/[^/?]+\/data(?:\/(?:[^/?]+\/?)?)?(?:\?|$)/

/** Tells whether a path is that of a list or a record, and stays so in an address. */
export const isFollowable = (path: string): boolean =>
  paths.test(path) && new URL(path, 'http://site').pathname === path.split('?', 1)[0]

/** A stream ends after this time, and the client comes back. */
const streamMs = 15 * 60_000

/**
 * Joins a list with the credentials of a request, or returns the answer that refuses it. Throws 503 if too
 * many lists are followed.
 */
export async function join(
  original: Request,
  { name, path, lastId }: Wanted,
  { fetch, env, execution }: Asking,
): Promise<Followed | Response> {
  const requestId = original.headers.get('x-request-id') ?? crypto.randomUUID()
  const request = requestBeside(original, requestId, mountOf(original.url), { path })
  const person = original.headers.get('x-view-as')
  if (person !== null) request.headers.set('x-view-as', person)
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
  const answer = await fetch(request, env, execution)
  if (!seen || !reads || uuid === undefined) return answer
  const { apiKeyHash, caller } = seen
  const asker = { apiKeyHash, caller, ip: apiKeyHash === null ? null : seen.ip }
  const url = request.url
  const about: About = { url, site: { id: reads.siteId, uuid }, audience: audienceOf(reads, asker, url) }
  const joining: Joining = { about, asker, address: seen.address, lastId }
  const { webSocket } = await listAt(seen, listName(seen, about)).fetch('http://live/', {
    headers: { upgrade: 'websocket', 'x-live': encodeURIComponent(JSON.stringify(joining)) },
  })
  if (!webSocket) throw busy()
  return { name, socket: webSocket }
}

/** Returns when a stream ends: with the token of its Authorization header, or after some minutes. */
export async function endOf(config: Config, authorization: string | undefined): Promise<number> {
  const [, token = ''] = /^bearer (.+)$/i.exec(authorization ?? '') ?? []
  const claims = token === '' ? undefined : await verifyToken(config, 'access', token)
  return Math.min(Date.now() + streamMs, claims?.expiresAt.getTime() ?? Infinity)
}
