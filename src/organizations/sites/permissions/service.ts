/** What users may do in a site, apart from what their role in its organization gives them. T4, T6. */
import type { RequestContext } from '../../../context.ts'
import { callerOf } from '../../../db/caller.ts'
import { onSite } from '../../../db/tenant.ts'
import { forbidden, notFound } from '../../../errors.ts'
import type { Granted, PermissionsInput } from './schema.ts'
import { replacePermissions, selectPermissions } from './store.ts'

export async function readPermissions(ctx: RequestContext, site: string, userId: number): Promise<Granted> {
  const row = (await onSite(ctx, site, 'manage_site_users', [selectPermissions(site, userId)])).row<Granted>()
  if (!row) throw notFound()
  return row
}

/** Nobody grants or revokes more than they hold. */
export async function setPermissions(ctx: RequestContext, site: string, userId: number, input: PermissionsInput): Promise<Granted> {
  const granted = [...new Set(input.permissions)].sort()
  const results = await onSite(ctx, site, 'manage_site_users', [
    selectPermissions(site, userId),
    replacePermissions(site, callerOf(ctx), userId, granted),
  ])
  if (!results.row(0)) throw notFound()
  const row = results.row<Granted>(1)
  if (!row) throw forbidden()
  return row
}
