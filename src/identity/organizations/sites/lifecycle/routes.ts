/** The operations of /api/cloud/sites that suspend, delete and restore a site. */
import { signedIn } from '../../../../kernel/access/credentials.ts'
import { detail, errorDetail, fieldMessages } from '../../../../kernel/http/openapi/bodies.ts'
import { type Route, route } from '../../../../kernel/http/route.ts'
import { site } from '../schema.ts'
import { siteDeletion } from './schema.ts'
import { deleteSite, restoreSite, resumeSite, suspendSite } from './service.ts'

const answers = { 200: site, 403: detail, 404: detail, 409: detail }

/** The operations that change the state of a site. */
export const siteStateRoutes: readonly Route[] = [
  route({
    id: 'deleteSite',
    summary: 'Delete a site',
    description:
      'For owners of the organization. The site answers 404 at once, and can be restored for some days; ' +
      "then it is erased: its tables, its secrets and everything else except the organization's audit log. " +
      'An account with a second factor needs a recent sign-in. Sites of other organizations cannot get the ' +
      'slug for `SLUG_HOLD_DAYS` days.',
    method: 'DELETE',
    path: '/api/cloud/sites/:site',
    auth: signedIn,
    query: siteDeletion,
    answers: { 200: site, 400: fieldMessages, 403: detail, 404: detail, 409: detail, 422: errorDetail },
    handle: async ({ ctx, params, query }) => ({ 200: await deleteSite(ctx, params.site, query) }),
  }),
  route({
    id: 'restoreSite',
    summary: 'Restore a site',
    description:
      'For owners of the organization. Restores a deleted site as it was. If it was suspended, it ' +
      'stays suspended. 422 if the organization has as many other sites as it may have.',
    method: 'POST',
    path: '/api/cloud/sites/:site/restore',
    auth: signedIn,
    answers: { ...answers, 422: errorDetail },
    handle: async ({ ctx, params }) => ({ 200: await restoreSite(ctx, params.site) }),
  }),
  route({
    id: 'suspendSite',
    summary: 'Suspend a site',
    description:
      'For owners of the organization. The site answers 404, and its schedules and functions pause, until ' +
      'it is resumed. Only a superuser can resume a site that a superuser has suspended.',
    method: 'POST',
    path: '/api/cloud/sites/:site/suspend',
    auth: signedIn,
    answers,
    handle: async ({ ctx, params }) => ({ 200: await suspendSite(ctx, params.site) }),
  }),
  route({
    id: 'resumeSite',
    summary: 'Resume a site',
    description: 'For owners of the organization. Ends a suspension: the site answers again.',
    method: 'POST',
    path: '/api/cloud/sites/:site/resume',
    auth: signedIn,
    answers,
    handle: async ({ ctx, params }) => ({ 200: await resumeSite(ctx, params.site) }),
  }),
]
