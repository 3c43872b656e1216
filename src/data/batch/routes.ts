/** /api/apps/{app_slug}/batch/: operations on several tables at once. */
import type { Context } from 'hono'
import * as z from 'zod'
import { signedInOrKeyOrAnybody } from '../../kernel/access/credentials.ts'
import { batchWriters } from '../../kernel/access/policies.ts'
import type { AppEnv } from '../../kernel/http/app-env.ts'
import { errorAndDetails } from '../../kernel/http/dialects.ts'
import { quotedTag } from '../../kernel/http/entity-tags.ts'
import { mediaTypeOf, profileAnswers } from '../../kernel/http/envelope.ts'
import { detail, errorDetail } from '../../kernel/http/openapi/bodies.ts'
import { PreparedResponse, type Route, route } from '../../kernel/http/route.ts'
import { rawQuery, textBody } from '../../kernel/http/validate.ts'
import { booleanOf } from '../../kernel/lib/boolean-text.ts'
import { entityTagIn, rejections } from '../records/responses.ts'
import type { OperationResult } from '../write/answer/results.ts'
import { runBatch } from '../write/run-batch.ts'
import { batchBody, batchQuery, batchResults, minimalResults } from './schema.ts'

export const batchRoutes: readonly Route[] = [
  route({
    id: 'runBatch',
    summary: 'Write to several tables',
    description:
      'Runs all operations in order, or none, in one transaction. If one fails, the ' +
      'answer is the error that it would get alone. The messages begin with its position, from 0: ' +
      '`operations[3]: `.',
    method: 'POST',
    path: '/api/apps/:app/batch',
    auth: signedInOrKeyOrAnybody,
    may: batchWriters,
    dialect: errorAndDetails,
    repeatable: true,
    query: rawQuery(batchQuery),
    body: textBody(batchBody),
    answers: {
      ...rejections,
      200: [{ body: batchResults }, ...profileAnswers({ minimal: minimalResults })],
      403: z.union([detail, errorDetail]),
      404: z.union([detail, errorDetail]),
      412: errorDetail,
    },
    handle: async ({ ctx, params, query, body, c }) => {
      const results = await runBatch(ctx, params.app, body, query)
      const isMinimal = query.get('return') === 'minimal'
      const mark = booleanOf(query.get('dry_run')) ? ',"dry_run":true' : ''
      const text = `{"data":[${results.map((result) => resultText(c, result, mark !== ''))}]${mark}}`
      const type = isMinimal ? mediaTypeOf('minimal') : 'application/json'
      return new PreparedResponse(200, c.body(text, 200, { 'Content-Type': type }))
    },
  }),
]

/** Returns the JSON of a result. The results of a dry run have no ETag. */
function resultText(
  c: Context<AppEnv>,
  { operation, status, data, id, version }: OperationResult,
  isDry: boolean,
): string {
  const tag = isDry || version === null ? null : entityTagIn(c, operation.table, version)
  const members = [
    `"status":${status}`,
    ...(data === undefined ? [] : [`"data":${data}`]),
    ...(id === undefined ? [] : [`"id":${id}`]),
    ...(tag === null ? [] : [`"etag":${JSON.stringify(quotedTag(tag))}`]),
  ]
  return `{${members}}`
}
