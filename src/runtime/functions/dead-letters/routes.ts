/** The operations of /api/dead-letters. */
import { signedInOrKey } from '../../../kernel/access/credentials.ts'
import { functionCallers, siteReaders } from '../../../kernel/access/policies.ts'
import { pageOfItems } from '../../../kernel/http/openapi/bodies.ts'
import { type Route, route } from '../../../kernel/http/route.ts'
import { deadLetter, deadLettersQuery, replayed, replayInput } from './schema.ts'
import { listDeadLetters, replayDeadLetters } from './service.ts'

/** The operations on dead letters. E5. */
export const deadLetterRoutes: readonly Route[] = [
  route({
    id: 'listDeadLetters',
    mayBeTooLong: true,
    summary: 'List dead letters',
    description: 'Lists the invocations that have failed permanently, each with the reason and advice.',
    method: 'GET',
    path: '/api/dead-letters',
    auth: signedInOrKey,
    may: siteReaders,
    query: deadLettersQuery,
    answers: { 200: pageOfItems(deadLetter) },
    handle: async ({ ctx, query, url }) => ({ 200: await listDeadLetters(ctx, url, query) }),
  }),
  route({
    id: 'replayDeadLetters',
    summary: 'Replay dead letters',
    description:
      'Queues the dead letters that match the filter, oldest first. Each gets all of its attempts again. ' +
      'A dry run returns 200 with the number of matching dead letters.',
    method: 'POST',
    path: '/api/dead-letters/replay',
    auth: signedInOrKey,
    may: functionCallers,
    body: replayInput,
    answers: { 200: replayed, 202: replayed },
    handle: async ({ ctx, body }) => {
      const answer = await replayDeadLetters(ctx, body)
      return body.dry_run ? { 200: answer } : { 202: answer }
    },
  }),
]
