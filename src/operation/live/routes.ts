/** The operation of /api/live: one stream of several lists. */
import { signedInOrKeyOrAnybody } from '../../kernel/access/credentials.ts'
import { recordVisitors } from '../../kernel/access/policies.ts'
import { codeHeader, invalidFields } from '../../kernel/errors.ts'
import type { AnswerRequest } from '../../kernel/http/app-env.ts'
import { validationFailed } from '../../kernel/http/openapi/bodies.ts'
import { PreparedResponse, type Route, route } from '../../kernel/http/route.ts'
import { followable, join, respondWithEvents } from './join.ts'
import { events, eventsExample, liveBody } from './schema.ts'
import type { Followed } from './stream.ts'

/** Returns the route. `fetch` is the application's own, because each list is a request of the API. */
export const liveRoutes = (fetch: AnswerRequest): readonly Route[] => [
  route({
    id: 'followLists',
    summary: 'Follow several lists in one stream',
    description:
      'Each list is what its path answers with the same credentials, and stays true: it is asked for again when ' +
      'its tables change, and the difference is sent. A list that is refused ends with the code of its error; ' +
      'the others go on. One list alone: `GET` its path with `Accept: text/event-stream`.',
    method: 'POST',
    path: '/api/live',
    auth: signedInOrKeyOrAnybody,
    may: recordVisitors,
    body: liveBody,
    answers: {
      200: { body: events, mediaType: 'text/event-stream', example: eventsExample },
      400: validationFailed,
    },
    async handle({ body, c }) {
      const wanted = Object.entries(body.lists).map(([name, one]) =>
        typeof one === 'string'
          ? { name, path: one, lastId: null }
          : { name, path: one.path, lastId: one.since ?? null },
      )
      for (const { name, path } of wanted)
        if (!followable.test(path))
          throw invalidFields({ [`lists.${name}`]: ['This is not the path of a list or a record.'] })
      const joined = await Promise.all(
        wanted.map(async (one) => ({ name: one.name, result: await join(c, fetch, one) })),
      )
      const refused = joined.flatMap(({ name, result }) =>
        result instanceof Response ? [{ name, code: result.headers.get(codeHeader) ?? 'internal' }] : [],
      )
      const followed = joined.flatMap(({ result }): Followed[] =>
        result instanceof Response ? [] : [result],
      )
      return new PreparedResponse(200, await respondWithEvents(c, followed, refused))
    },
  }),
]
