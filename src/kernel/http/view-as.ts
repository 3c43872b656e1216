/**
 * The header X-View-As: a caller with `admin_site` sees the data that another user of the site sees. Only
 * operations that read records, aggregates and edges support it.
 */
import { createMiddleware } from 'hono/factory'
import { invalidFields } from '../errors.ts'
import type { AppEnv } from './app-env.ts'
import type { Guard } from './openapi/describe.ts'

const header = 'X-View-As'

/**
 * Sets the user as whom the request reads. Throws 400 for a malformed header, and for a request without a
 * token.
 */
export const acceptViewAs: Guard = {
  handler: createMiddleware<AppEnv>(async (c, next) => {
    const text = c.req.header(header)
    if (text !== undefined) {
      const { ctx } = c.var
      if (!ctx.caller || ctx.apiKeyHash !== null) throw rejected('It needs an access token (Bearer).')
      if (!/^[1-9]\d{0,14}$/.test(text)) throw rejected('It must be the id of a user, for example 12.')
      ctx.viewAs = Number(text)
    }
    await next()
  }),
  headers: [header],
}

/** Throws 400 for the header on every other operation. */
export const rejectViewAs: Guard = {
  handler: createMiddleware<AppEnv>(async (c, next) => {
    if (c.req.header(header) !== undefined)
      throw rejected('It only applies to reading records, aggregates and edges.')
    await next()
  }),
}

const rejected = (message: string) => invalidFields({ [header]: [message] })
