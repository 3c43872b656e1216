/** Who may pass a route. The permission is checked by Postgres, in the request's own round trip (db/tenant.ts). T5. */
import { createMiddleware } from 'hono/factory'
import { keyNotTaken } from '../errors.ts'
import type { AppEnv } from '../http/app-env.ts'
import { detail } from '../http/openapi/bodies.ts'
import { described } from '../http/openapi/describe.ts'
import type { Permission } from './permissions.ts'

/**
 * Holders of a permission in the request's site. Owners and admins of its organization hold all, `admin_site` implies
 * all. An API key stands for its user only where the route takes keys. A4.
 */
function holders(permission: Permission, { keys = false } = {}) {
  return described(
    createMiddleware<AppEnv>(async (c, next) => {
      if (c.var.ctx.apiKeyHash && !keys) throw keyNotTaken()
      c.var.ctx.permission = permission
      await next()
    }),
    {
      description: `Needs \`${permission}\` in the site.`,
      ...(keys ? { credentials: ['api-key'] } : {}),
      answers: { 403: detail, 404: detail },
    },
  )
}

/** May read apps, tables and records. */
export const siteReaders = holders('access_site')
/** May create and upsert records, also with an API key. */
export const recordMakers = holders('change_site', { keys: true })
/** May change and delete records. */
export const recordWriters = holders('change_site')
/** May do schema work: apps, datasources, datatables; and keep secrets, their types and tags. */
export const siteManagers = holders('manage_site')
/** May see who is subscribed to events, and subscribe, also with an API key. E7. */
export const eventSubscribers = holders('access_site', { keys: true })
/** May have functions run, also with an API key. */
export const functionCallers = holders('change_site', { keys: true })
/** May delete apps and datatables. */
export const siteDeleters = holders('delete_site')

/** Owners of the site's organization, and superusers. Spec: Authentication 5. */
export const siteOwners = described(
  createMiddleware<AppEnv>(async (c, next) => {
    if (c.var.ctx.apiKeyHash) throw keyNotTaken()
    c.var.ctx.permission = 'owner'
    await next()
  }),
  { description: "For owners of the site's organization, and superusers.", answers: { 403: detail, 404: detail } },
)

/** Anybody, signed in or not: what they may see, the route says. */
export const siteVisitors = described(
  createMiddleware<AppEnv>(async (c, next) => {
    c.var.ctx.permission = null
    await next()
  }),
  { answers: { 404: detail } },
)
