/** Suspends, resumes, deletes and restores sites, for owners of their organizations and superusers. */
import { requireFreshSignIn, requireStepUp } from '../../../../kernel/access/fresh-sign-in.ts'
import type { RequestContext } from '../../../../kernel/context.ts'
import type { Batch } from '../../../../kernel/db/batch.ts'
import { callerOf } from '../../../../kernel/db/caller.ts'
import { asOwner } from '../../../../kernel/db/platform.ts'
import { partNotFound } from '../../../../kernel/errors.ts'
import { eraseSecrets } from '../../../../secrets/erasure/service.ts'
import { siteStateError } from '../errors.ts'
import type { Site } from '../schema.ts'
import { asSite } from '../views.ts'
import type { EraseSite } from './erase.ts'
import type { SiteDeletion } from './schema.ts'
import {
  checkErasures,
  checkRestoredQuota,
  holdSlug,
  releaseSlug,
  type SiteAction,
  setSiteState,
} from './store.ts'

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
 * Restores a deleted site. Throws 403 for others, 404, 409 if its organization is deleted or the site is
 * being erased, and 422 if the organization has as many other sites as it may have.
 */
export const restoreSite = (ctx: RequestContext, slug: string): Promise<Site> =>
  changeState(ctx, slug, 'restore', undefined, {
    released: releaseSlug(slug),
    quota: checkRestoredQuota(ctx.config, slug),
  })

/**
 * Deletes a site: it answers 404, and is erased after TRASH_DAYS. With `now` it is erased at once, and its
 * slug is free: for superusers, and for owners who type the slug again, of a site that has always been a
 * preview or for development; otherwise 400 or 409, and 422 for too many in a day. Throws 403 for others, and
 * without a recent sign-in where one is needed; 404 if it does not exist.
 */
export async function deleteSite(
  ctx: RequestContext,
  slug: string,
  { now, slug: typed }: SiteDeletion,
): Promise<Site> {
  if (now) requireFreshSignIn(ctx)
  else requireStepUp(ctx)
  const site = await changeState(ctx, slug, 'delete', now ? 0 : ctx.config.TRASH_DAYS, {
    held: holdSlug(callerOf(ctx), slug, {
      days: ctx.config.SLUG_HOLD_DAYS,
      atOnce: now,
      typed: typed ?? null,
    }),
    quota: now ? checkErasures(ctx.config, slug) : undefined,
  })
  if (!now) return site
  const message: EraseSite = { kind: 'erase-site', siteId: site.id }
  // If the queue does not accept the message, the scheduled task queues it within a minute.
  ctx.waitUntil(ctx.env.JOBS.send(message).catch(() => undefined))
  // Before another site has the slug, by which the cache is named.
  await eraseSecrets(ctx.env, slug)
  return site
}

/** Changes the state, and runs the statements that belong to this change. */
async function changeState(
  ctx: RequestContext,
  slug: string,
  action: SiteAction,
  graceDays = ctx.config.TRASH_DAYS,
  then: Batch = {},
): Promise<Site> {
  try {
    const { site } = await asOwner(ctx, partNotFound('site', slug, ''), {
      site: setSiteState(callerOf(ctx), slug, action, graceDays),
      ...then,
    })
    return asSite(site.one)
  } catch (error) {
    throw siteStateError(error) ?? error
  }
}
