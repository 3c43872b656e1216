/** POST /api/mcp: the Model Context Protocol, for programs that let a language model use the API. */
import { createMiddleware } from 'hono/factory'
import * as z from 'zod'
import { signedInOrKey } from '../../kernel/access/credentials.ts'
import { toolUsers } from '../../kernel/access/policies.ts'
import type { RequestContext } from '../../kernel/context.ts'
import { requireAccess } from '../../kernel/db/tenant.ts'
import type { ErrorCode } from '../../kernel/error-codes.ts'
import { codeHeader, forbidden } from '../../kernel/errors.ts'
import type { AnswerRequest, AppEnv } from '../../kernel/http/app-env.ts'
import { requestBeside, watchContext } from '../../kernel/http/beside-requests.ts'
import { isSameOrigin } from '../../kernel/http/is-same-origin.ts'
import { PreparedResponse, type Route, route } from '../../kernel/http/route.ts'
import { mountOf } from '../../kernel/http/tenant-locator.ts'
import { unstoredJson } from '../../kernel/http/validate.ts'
import { isListedOrigin } from '../../kernel/lib/variable-forms.ts'
import { tooLong } from './api-request.ts'
import { serveMessage } from './serve.ts'

const message = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number()]).optional(),
    method: z.string().optional(),
  })
  .meta({ id: 'McpMessage', description: 'A message of the Model Context Protocol (JSON-RPC 2.0).' })

const failure = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    error: z
      .looseObject({ code: z.int(), message: z.string() })
      .describe('The code of JSON-RPC and a description of the error.'),
  })
  .meta({ id: 'McpFailure', description: 'The error of a message that the protocol does not allow.' })

/**
 * Rejects pages of other origins. Otherwise a page could access a service in the visitor's network through
 * DNS rebinding.
 */
const requireOwnOrigin = createMiddleware<AppEnv>(async (c, next) => {
  const origin = c.req.header('origin')
  const isOwn = origin === undefined || isSameOrigin(c)
  if (!isOwn && !isListedOrigin(c.get('ctx').config.CORS_ORIGINS, origin)) throw forbidden()
  await next()
})

/**
 * Returns an object whose `require` throws unless the caller of a message may enter the site. If the request
 * of a reading tool has entered with the needed permission, this is known; otherwise Postgres is asked, once.
 * The answer of a message waits for this, and so does a tool that writes.
 */
function accessOf(ctx: RequestContext) {
  let seen: RequestContext | undefined
  let asked: Promise<unknown> | undefined
  return {
    watch: (beside: RequestContext) => {
      seen = beside
    },
    async require(): Promise<void> {
      if (seen?.hasAccess) return
      asked ??= requireAccess(ctx)
      await asked
    },
  }
}

/** Returns the route. `fetch` is the application's own, because tools are requests of the API. */
export const mcpRoutes = (fetch: AnswerRequest): readonly Route[] => [
  route({
    id: 'sendMcpMessage',
    summary: 'Use the API from a language model',
    description:
      "Model Context Protocol over Streamable HTTP. Tools send requests to this API with the caller's " +
      'credentials. A bearer token allows tools that read; an API key also allows tools that write.',
    method: 'POST',
    path: '/api/mcp',
    auth: signedInOrKey,
    may: toolUsers,
    checks: [requireOwnOrigin],
    body: unstoredJson(message),
    answers: {
      200: message,
      202: { description: 'The notification was received.' },
      400: failure,
    },
    async handle({ ctx, body, c }) {
      const access = accessOf(ctx)
      if (body.method !== 'tools/call') await access.require()
      const { raw } = c.req
      const mount = mountOf(raw.url)
      const response = await serveMessage(raw, body, {
        mayWrite: ctx.apiKeyHash !== null,
        origin: new URL(raw.url).origin,
        async call(request, reads) {
          const refused = tooLong(request)
          if (refused) return refused
          if (!reads) await access.require()
          const beside = requestBeside(raw, ctx.requestId, mount, request)
          watchContext(beside, access.watch)
          const answer = await fetch(beside, c.env, c.executionCtx)
          return { status: answer.status, text: await answer.text() }
        },
      })
      await access.require()
      if (!response.ok) response.headers.set(codeHeader, 'invalid_message' satisfies ErrorCode)
      return new PreparedResponse(200, response)
    },
  }),
]
