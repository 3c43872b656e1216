/**
 * Reads the header Idempotency-Key. The answer of a request with a key is kept for repetitions
 * (db/kept-answers.ts): in the transaction of its writes. If it is an error, it is kept here.
 */
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { RequestContext } from '../context.ts'
import { principalOf } from '../db/caller.ts'
import { isAnonymous } from '../db/enter-tenant.ts'
import { keepError } from '../db/kept-answers.ts'
import { knownStanding } from '../db/known-standing.ts'
import { inTenant } from '../db/tenant.ts'
import { AppError, invalidFields } from '../errors.ts'
import { booleanOf } from '../lib/boolean-text.ts'
import { sha256 } from '../lib/sha256.ts'
import type { AppEnv } from './app-env.ts'
import { bodyFormatOf, hasBody } from './body-formats.ts'
import { errorDetail } from './openapi/bodies.ts'
import type { Guard } from './openapi/describe.ts'
import { validUrlOf } from './request-url.ts'
import { rejectRequest } from './validate.ts'

const header = 'Idempotency-Key'
const validKey = /^[\x21-\x7e]{1,255}$/

/** Reads the key of a request. The caller must be known already. Throws 400 for a malformed key. */
export const idempotencyKey: Guard = {
  handler: createMiddleware<AppEnv>(async (c, next) => {
    const key = c.req.header(header)
    // A dry run writes nothing, so it can be repeated without a key.
    if (key === undefined || booleanOf(c.req.query('dry_run'))) return next()
    const ctx = c.get('ctx')
    if (!validKey.test(key)) await rejectRequest(c, invalidFields({ [header]: [malformedKey] }))
    const requestKey = {
      hash: sha256([ownerOf(ctx), c.req.method, c.req.path, key].join('\n')),
      // The same bytes in another format are another request.
      request: sha256([validUrlOf(c.req.raw).search, formatOf(c), await c.req.text()].join('\n')),
      writer: crypto.randomUUID(),
      isReplayed: false,
    }
    ctx.requestKey = requestKey
    await next()
    if (requestKey.isReplayed) c.res.headers.set('Idempotency-Replayed', 'true')
    else if (c.error instanceof AppError && isKept(c.error)) {
      // If the error is not stored, the request can simply be repeated, because nothing was written.
      const standing = knownStanding(ctx)
      const planned = standing && { siteId: null, catalogVersion: null, standing }
      const kept = keepError(requestKey, c.error, standing !== undefined)
      await inTenant(ctx, 'single', { kept }, { planned }).catch(() => undefined)
    }
  }),
  headers: [header],
  answers: { 409: errorDetail },
}

/** Returns the owner of a key. Visitors without credentials are distinguished by their addresses. */
const ownerOf = (ctx: RequestContext): string =>
  isAnonymous(ctx) ? `address ${ctx.address}` : principalOf(ctx)

const malformedKey = 'Must be 1 to 255 visible ASCII characters.'

/** Returns the format of the body. Returns '' if there is no body, even with a Content-Type. */
const formatOf = (c: Context): string => (hasBody(c) ? (bodyFormatOf(c) ?? '') : '')

/**
 * Statuses whose answers are not kept: rights are checked again for each repetition, and a later repetition
 * may succeed.
 */
const notKept: ReadonlySet<number> = new Set([401, 403, 429])

const isKept = ({ status, headers }: AppError): boolean =>
  status < 500 && !notKept.has(status) && !('Retry-After' in headers)
