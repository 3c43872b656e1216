/** The operations for the operators of the service: its status, its metrics, and its dead jobs. */
import * as z from 'zod'
import { signedIn } from '../../kernel/access/credentials.ts'
import { notFound } from '../../kernel/errors.ts'
import { detail } from '../../kernel/http/openapi/bodies.ts'
import { PreparedResponse, page, type Route, route } from '../../kernel/http/route.ts'
import { deadJobsReplay, replayedJobs } from './dead-jobs/schema.ts'
import { replayDeadJobs } from './dead-jobs/service.ts'
import { status } from './status/schema.ts'
import { readLocalMetrics, readMetrics, readStatus } from './status/service.ts'

const prometheus = 'text/plain; version=0.0.4; charset=utf-8'

/** The operations for superusers, and the metrics of the local stack. */
export const watchingRoutes: readonly Route[] = [
  route({
    id: 'getStatus',
    summary: 'Read the status of the service',
    description:
      'Returns the figures of the isolate that answers, the work that waits, what was given up, the sites ' +
      'and the keys. For superusers.',
    method: 'GET',
    path: '/api/cloud/status',
    auth: signedIn,
    answers: { 200: status, 403: detail },
    handle: async ({ ctx }) => ({ 200: await readStatus(ctx) }),
  }),
  route({
    id: 'getMetrics',
    summary: 'Read the metrics of the service',
    description: 'Returns them in the text format of Prometheus. For superusers.',
    method: 'GET',
    path: '/api/cloud/metrics',
    auth: signedIn,
    answers: {
      200: {
        body: z.string(),
        mediaType: 'text/plain',
        example: '# TYPE requests_total counter\nrequests_total 1\n',
      },
      403: detail,
    },
    handle: async ({ ctx, c }) =>
      new PreparedResponse(200, c.body(await readMetrics(ctx), 200, { 'Content-Type': prometheus })),
  }),
  route({
    id: 'replayDeadJobs',
    summary: 'Replay dead jobs',
    description:
      'Queues dead jobs again, oldest first. A dry run returns 200 with ' +
      'the number that it would queue. For superusers.',
    method: 'POST',
    path: '/api/cloud/dead-jobs/replay',
    auth: signedIn,
    body: deadJobsReplay,
    answers: { 200: replayedJobs, 202: replayedJobs, 403: detail },
    handle: async ({ ctx, body }) => {
      const answer = await replayDeadJobs(ctx, body)
      return body.dry_run ? { 200: answer } : { 202: answer }
    },
  }),
  page({
    method: 'GET',
    path: '/metrics',
    auth: null,
    async handle(c) {
      const ctx = c.get('ctx')
      if (ctx.config.ENVIRONMENT !== 'development') throw notFound()
      return c.body(await readLocalMetrics(ctx), 200, { 'Content-Type': prometheus })
    },
  }),
]
