/** The operations of /api/cloud/sites: sites, their domains, permissions and audit. T6, T8. */
import { signedIn } from '../../../kernel/access/credentials.ts'
import { bareListReply } from '../../../kernel/http/lists/envelopes.ts'
import { databaseUnavailable } from '../../../kernel/http/openapi/answers.ts'
import { bareArray, detail, fieldMessages, pageOfItems } from '../../../kernel/http/openapi/bodies.ts'
import { parseId } from '../../../kernel/http/params.ts'
import { type Route, route } from '../../../kernel/http/route.ts'
import { auditEntry, auditQuery } from '../../audit/schema.ts'
import { auditOfSite } from '../../audit/service.ts'
import { domain, domainsQuery, newDomain } from './domains/schema.ts'
import { addDomain, listDomains, removeDomain, verifyDomain } from './domains/service.ts'
import { peopleQuery, person, personChange } from './people/schema.ts'
import { endPerson, listPeople } from './people/service.ts'
import { newPermissions, sitePermissions } from './permissions/schema.ts'
import { readPermissions, setPermissions } from './permissions/service.ts'
import { role, rolesQuery, siteRoles } from './roles/schema.ts'
import { listRoles, replaceRoles } from './roles/service.ts'
import { enterableSite, enterableSitesQuery, site, siteChange } from './schema.ts'
import { changeSite, listEnterableSites, readSite } from './service.ts'
import { limits, newLimits, use, useQuery } from './use/schema.ts'
import { readLimits, readUse, replaceLimits } from './use/service.ts'

const accessErrors = { 403: detail, 404: detail }

const ofGuests =
  'What the person has written stays. 403 for members of the organization and for people with ' +
  'permissions in the site: remove these first. Requires `manage_site_users`.'

/** The operations of sites. */
export const siteRoutes: readonly Route[] = [
  route({
    id: 'listEnterableSites',
    summary: 'List the sites that you may enter',
    description:
      'Lists the active sites of all organizations in which the caller holds `access_site`. ' +
      'A caller who signed in through a provider sees those of its organization.',
    method: 'GET',
    path: '/api/cloud/sites',
    auth: signedIn,
    query: enterableSitesQuery,
    answers: { 200: pageOfItems(enterableSite), 404: detail },
    handle: async ({ ctx, query, url }) => ({ 200: await listEnterableSites(ctx, url, query) }),
  }),
  route({
    id: 'getSite',
    summary: 'Read a site',
    description: 'Returns a site to members of its organization and to users with any permission there.',
    method: 'GET',
    path: '/api/cloud/sites/:site',
    auth: signedIn,
    answers: { 200: site, ...accessErrors },
    handle: async ({ ctx, params }) => ({ 200: await readSite(ctx, params.site) }),
  }),
  route({
    id: 'updateSite',
    summary: 'Change a site',
    description:
      'Changes the name, the slug, the environment, the sign-up settings, the branding, and whether ' +
      'people need a second factor, which the caller must then have, too. Requires `admin_site`; ' +
      '`slug` and `domain_groups` are for owners and admins of the organization. 409 for a missing role ' +
      'that is used.',
    method: 'PATCH',
    path: '/api/cloud/sites/:site',
    auth: signedIn,
    body: siteChange,
    answers: { 200: site, ...accessErrors, 409: detail },
    handle: async ({ ctx, params, body }) => ({ 200: await changeSite(ctx, params.site, body) }),
  }),
  route({
    id: 'listSiteAudit',
    summary: 'Read the audit log of a site',
    description: 'Lists changes in the site, newest first. Requires `admin_site`.',
    method: 'GET',
    path: '/api/cloud/sites/:site/audit',
    auth: signedIn,
    query: auditQuery,
    answers: { 200: pageOfItems(auditEntry), ...accessErrors },
    handle: async ({ ctx, params, query, url }) => ({ 200: await auditOfSite(ctx, params.site, url, query) }),
  }),
  route({
    id: 'getSiteUse',
    summary: 'Read the use of a site',
    description: 'Returns what the site has used in a calendar month, and its limits. Requires `admin_site`.',
    method: 'GET',
    path: '/api/cloud/sites/:site/use',
    auth: signedIn,
    query: useQuery,
    answers: { 200: use, ...accessErrors },
    handle: async ({ ctx, params, query }) => ({ 200: await readUse(ctx, params.site, query) }),
  }),
  route({
    id: 'getSiteLimits',
    summary: 'Read the limits of a site',
    description: 'Returns the limits of the site. Requires `admin_site`.',
    method: 'GET',
    path: '/api/cloud/sites/:site/limits',
    auth: signedIn,
    answers: { 200: limits, ...accessErrors },
    handle: async ({ ctx, params }) => ({ 200: await readLimits(ctx, params.site) }),
  }),
  route({
    id: 'replaceSiteLimits',
    summary: 'Replace the limits of a site',
    description: 'Replaces the limits of the site. A measure that is omitted has no limit. For superusers.',
    method: 'PUT',
    path: '/api/cloud/sites/:site/limits',
    auth: signedIn,
    body: newLimits,
    answers: { 200: limits, ...accessErrors },
    handle: async ({ ctx, params, body }) => ({ 200: await replaceLimits(ctx, params.site, body) }),
  }),
  route({
    id: 'listDomains',
    summary: 'List the domains of a site',
    description: 'Lists the domains of the site, each with the DNS record that proves it.',
    method: 'GET',
    path: '/api/cloud/sites/:site/domains',
    auth: signedIn,
    query: domainsQuery,
    answers: { 200: bareArray(domain), ...accessErrors },
    handle: async ({ ctx, params, query }) => bareListReply(await listDomains(ctx, params.site, query)),
  }),
  route({
    id: 'createDomain',
    summary: 'Add a domain to a site',
    description:
      'Adds a pending domain. Create the DNS record in the answer, then verify the domain: only then does ' +
      'the site answer there. Requires `admin_site`.',
    method: 'POST',
    path: '/api/cloud/sites/:site/domains',
    auth: signedIn,
    body: newDomain,
    answers: { 201: domain, ...accessErrors },
    handle: async ({ ctx, params, body }) => ({ 201: await addDomain(ctx, params.site, body) }),
  }),
  route({
    id: 'verifyDomain',
    summary: 'Verify a domain of a site',
    description:
      'Looks up the TXT record in `dns_record`. If it is found, the site answers at the domain from ' +
      'now on. If another site had the domain, it becomes pending there. Requires `admin_site`.',
    method: 'POST',
    path: '/api/cloud/sites/:site/domains/:domain/verify',
    auth: signedIn,
    answers: {
      200: domain,
      400: fieldMessages,
      ...accessErrors,
      503: { ...databaseUnavailable, description: 'The DNS resolver or the database is unavailable' },
    },
    handle: async ({ ctx, params }) => ({ 200: await verifyDomain(ctx, params.site, params.domain) }),
  }),
  route({
    id: 'deleteDomain',
    summary: 'Remove a domain from a site',
    description: 'The site stops answering at the domain. Requires `admin_site`.',
    method: 'DELETE',
    path: '/api/cloud/sites/:site/domains/:domain',
    auth: signedIn,
    answers: { 204: null, ...accessErrors },
    handle: async ({ ctx, params }) => {
      await removeDomain(ctx, params.site, params.domain)
      return { 204: null }
    },
  }),
  route({
    id: 'getSitePermissions',
    summary: "Read a user's permissions in a site",
    description:
      'Returns the permissions and roles that were given to the user. Those of a role or a group in the ' +
      'organization are not included. Requires `manage_site_users`.',
    method: 'GET',
    path: '/api/cloud/sites/:site/permissions/:user',
    auth: signedIn,
    answers: { 200: sitePermissions, ...accessErrors },
    handle: async ({ ctx, params }) => ({
      200: await readPermissions(ctx, params.site, parseId(params.user)),
    }),
  }),
  route({
    id: 'replaceSitePermissions',
    summary: "Set a user's permissions in a site",
    description:
      'Replaces all permissions of the user in the site, and the roles if they are sent. You can only give ' +
      'and take what you have yourself; with `admin_site`, everything. Requires `manage_site_users`.',
    method: 'PUT',
    path: '/api/cloud/sites/:site/permissions/:user',
    auth: signedIn,
    body: newPermissions,
    answers: { 200: sitePermissions, ...accessErrors },
    handle: async ({ ctx, params, body }) => ({
      200: await setPermissions(ctx, params.site, parseId(params.user), body),
    }),
  }),
  route({
    id: 'listSiteRoles',
    summary: 'List the roles of a site',
    description:
      'Lists the roles that people can have in the site, for members of its organization and users with ' +
      'any permission there. Access rules say what a role may do: `"who": "role:<name>"`.',
    method: 'GET',
    path: '/api/cloud/sites/:site/roles',
    auth: signedIn,
    query: rolesQuery,
    answers: { 200: bareArray(role), ...accessErrors },
    handle: async ({ ctx, params, query }) => bareListReply(await listRoles(ctx, params.site, query)),
  }),
  route({
    id: 'replaceSiteRoles',
    summary: 'Replace the roles of a site',
    description:
      'Replaces all roles. 409 for a missing role that access rules, people, invitations or sign-up rules ' +
      'use. Requires `admin_site`.',
    method: 'PUT',
    path: '/api/cloud/sites/:site/roles',
    auth: signedIn,
    body: siteRoles,
    answers: { 200: bareArray(role), ...accessErrors, 409: detail },
    handle: async ({ ctx, params, body }) => bareListReply(await replaceRoles(ctx, params.site, body)),
  }),
  route({
    id: 'listSitePeople',
    summary: 'List the people of a site',
    description:
      'Lists everybody who belongs to the site or has used its data, with what makes them people of it. ' +
      'Requires `manage_site_users`.',
    method: 'GET',
    path: '/api/cloud/sites/:site/people',
    auth: signedIn,
    query: peopleQuery,
    answers: { 200: pageOfItems(person), ...accessErrors },
    handle: async ({ ctx, params, query, url }) => ({
      200: await listPeople(ctx, params.site, url, query),
    }),
  }),
  route({
    id: 'blockSitePerson',
    summary: 'Keep a person out of a site, or no longer',
    description: `Ends a sign-up as the deletion does. ${ofGuests}`,
    method: 'PUT',
    path: '/api/cloud/sites/:site/people/:user',
    auth: signedIn,
    body: personChange,
    answers: { 204: null, ...accessErrors },
    handle: async ({ ctx, params, body }) => {
      await endPerson(ctx, params.site, parseId(params.user), body.blocked)
      return { 204: null }
    },
  }),
  route({
    id: 'removeSitePerson',
    summary: 'Remove a person from a site',
    description:
      'Ends that the account belongs to the site by a sign-up or a provider. The person can sign up or ' +
      `join again. ${ofGuests}`,
    method: 'DELETE',
    path: '/api/cloud/sites/:site/people/:user',
    auth: signedIn,
    answers: { 204: null, ...accessErrors },
    handle: async ({ ctx, params }) => {
      await endPerson(ctx, params.site, parseId(params.user), false)
      return { 204: null }
    },
  }),
]
