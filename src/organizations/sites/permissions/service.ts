/** What users may do in a site, apart from what their role in its organization gives them. T4, T6. */
import type { RequestContext } from '../../../context.ts'
import { callerOf } from '../../../db/caller.ts'
import { onSite } from '../../../db/tenant.ts'
import { forbidden, found } from '../../../errors.ts'
import type { Granted, PermissionsInput } from './schema.ts'
import { replacePermissions, selectPermissions } from './store.ts'

export async function readPermissions(ctx: RequestContext, site: string, userId: number): Promise<Granted> {
  const { granted } = await onSite(ctx, site, 'manage_site_users', { granted: selectPermissions(site, userId) })
  return found(granted.first)
}

/** Nobody grants or revokes more than they hold. */
export async function setPermissions(ctx: RequestContext, site: string, userId: number, input: PermissionsInput): Promise<Granted> {
  const wanted = [...new Set(input.permissions)].sort()
  const { present, granted } = await onSite(ctx, site, 'manage_site_users', {
    present: selectPermissions(site, userId),
    granted: replacePermissions(site, callerOf(ctx), userId, wanted),
  })
  found(present.first)
  if (!granted.first) throw forbidden()
  return granted.first
}
