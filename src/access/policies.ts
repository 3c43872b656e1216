/** Who may pass a route. The permission is checked by Postgres, in the request's own round trip (db/tenant.ts). T5. */
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../http/app-env.ts'
import type { Permission } from './permissions.ts'

/** Holders of a permission in the request's site. Owners and admins of its organization hold all, `admin_site` implies all. */
function holders(permission: Permission) {
  return createMiddleware<AppEnv>(async (c, next) => {
    c.var.ctx.permission = permission
    await next()
  })
}

/** May read apps, tables and records. */
export const siteReaders = holders('access_site')
/** May write records. */
export const siteWriters = holders('change_site')
/** May do schema work: apps, datasources, datatables. */
export const siteManagers = holders('manage_site')
