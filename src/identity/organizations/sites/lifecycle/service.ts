/** Suspends, resumes, deletes and restores sites, for owners of their organizations and superusers. */
import { requireFreshSignIn, requireStepUp } from '../../../../kernel/access/fresh-sign-in.ts'
import type { RequestContext } from '../../../../kernel/context.ts'
import { callerOf } from '../../../../kernel/db/caller.ts'
import { requireCaller } from '../../../../kernel/db/entering.ts'
import { asOwner } from '../../../../kernel/db/platform.ts'
import { partNotFound } from '../../../../kernel/errors.ts'
import { siteStateError } from '../errors.ts'
import type { Site } from '../schema.ts'
import { asSite } from '../views.ts'
import type { EraseSite } from './erase.ts'
import type { SiteDeletion } from './schema.ts'
import { requireSuperuser, type SiteAction, setSiteState } from './store.ts'

export type { EraseSite } from './erase.ts'

/**
 * Suspends a site: it answers 404 until it is resumed. Throws 403 for others, 404, and 409 if it is deleted.
 */
export const suspendSite = (ctx: RequestContext, slug: string): Promise<Site> =>
  changeState(ctx, slug, 'suspend')

/**
 * Ends a suspension. Throws 403 for others, and for an owner if a superuser has suspended the site; 404; and
 * 409 as `suspendSite` does.
 */
export const resumeSite = (ctx: RequestContext, slug: string): Promise<Site> =>
  changeState(ctx, slug, 'resume')

/**
 * Restores a deleted site. Throws 403 for others, 404, and 409 if its organization is deleted or the site is
 * being erased.
 */
export const restoreSite = (ctx: RequestContext, slug: string): Promise<Site> =>
  changeState(ctx, slug, 'restore')

/**
 * Deletes a site: it answers 404, and is erased after TRASH_DAYS, or with `now` at once, for superusers only.
 * Throws 403 for others, and without a recent sign-in where one is needed; 404 if it does not exist.
 */
export async function deleteSite(ctx: RequestContext, slug: string, { now }: SiteDeletion): Promise<Site> {
  if (!now) {
    requireStepUp(ctx)
    return changeState(ctx, slug, 'delete')
  }
  requireFreshSignIn(ctx)
  const site = await changeState(ctx, slug, 'delete', { graceDays: 0, isForSuperusers: true })
  const message: EraseSite = { kind: 'erase-site', siteId: site.id }
  // If the queue does not accept the message, the scheduled task queues it within a minute.
  ctx.waitUntil(ctx.env.JOBS.send(message).catch(() => undefined))
  return site
}

async function changeState(
  ctx: RequestContext,
  slug: string,
  action: SiteAction,
  { graceDays = ctx.config.TRASH_DAYS, isForSuperusers = false } = {},
): Promise<Site> {
  try {
    const { site } = await asOwner(ctx, partNotFound('site', slug, ''), {
      site: setSiteState(callerOf(ctx), slug, action, graceDays),
      isSuperuser: isForSuperusers ? requireSuperuser(requireCaller(ctx).userId) : undefined,
    })
    return asSite(site.one)
  } catch (error) {
    throw siteStateError(error) ?? error
  }
}
