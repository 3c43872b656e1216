/** The operation of /api/live: one stream of several lists. */
import type { Context } from 'hono'
import { signedInOrKeyOrAnybody } from '../../kernel/access/credentials.ts'
import { listFollowers } from '../../kernel/access/policies.ts'
import type { ErrorCode } from '../../kernel/error-codes.ts'
import { AppError, codeHeader } from '../../kernel/errors.ts'
import type { AnswerRequest, AppEnv } from '../../kernel/http/app-env.ts'
import { liveAnswer } from '../../kernel/http/live-answer.ts'
import { validationFailed } from '../../kernel/http/openapi/bodies.ts'
import { PreparedResponse, type Route, route } from '../../kernel/http/route.ts'
import type { Asking } from './ask.ts'
import { endOf, isFollowable, join, type Wanted } from './join.ts'
import { liveBody } from './schema.ts'
import { eventStream, type Followed, type Refused } from './stream.ts'

export const askingOf = (c: Context<AppEnv>, fetch: AnswerRequest): Asking => ({
  fetch,
  env: c.env,
  execution: c.executionCtx as ExecutionContext,
})

/** Answers with the stream of the lists. `refused`: those that cannot be followed, and why. */
export async function respondWithEvents(
  c: Context<AppEnv>,
  lists: readonly Followed[],
  refused: readonly Refused[] = [],
): Promise<Response> {
  const until = await endOf(c.var.ctx.config, c.req.header('authorization'))
  return c.body(eventStream(lists, refused, until), 200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  })
}

/** Joins a list of several. Returns why it is refused, for its event. */
async function joinOne(
  original: Request,
  wanted: Wanted & { name: string },
  asking: Asking,
): Promise<Followed | Refused> {
  const { name, path } = wanted
  if (!isFollowable(path)) return { name, code: 'not_supported' satisfies ErrorCode }
  try {
    const joined = await join(original, wanted, asking)
    if (!(joined instanceof Response)) return joined
    return { name, code: joined.headers.get(codeHeader) ?? 'internal' }
  } catch (error) {
    if (error instanceof AppError) return { name, code: error.code }
    throw error
  }
}

/** Returns the route. `fetch` is the application's own, because each list is a request of the API. */
export const liveRoutes = (fetch: AnswerRequest): readonly Route[] => [
  route({
    id: 'followLists',
    summary: 'Follow several lists in one stream',
    description:
      'Each list is what its path answers with the same credentials, and stays true: it is asked for again ' +
      'when its tables change, and the difference is sent. A list that is refused ends with the code of ' +
      'its error; the others go on. One list alone: `GET` its path with `Accept: text/event-stream`.',
    method: 'POST',
    path: '/api/live',
    auth: signedInOrKeyOrAnybody,
    may: listFollowers,
    body: liveBody,
    answers: { 200: liveAnswer, 400: validationFailed },
    async handle({ body, c }) {
      const wanted = Object.entries(body.lists).map(([name, one]) =>
        typeof one === 'string'
          ? { name, path: one, lastId: null }
          : { name, path: one.path, lastId: one.since ?? null },
      )
      const joined = await Promise.all(wanted.map((one) => joinOne(c.req.raw, one, askingOf(c, fetch))))
      const followed = joined.filter((one) => 'socket' in one)
      const refused = joined.filter((one) => 'code' in one)
      return new PreparedResponse(200, await respondWithEvents(c, followed, refused))
    },
  }),
]
