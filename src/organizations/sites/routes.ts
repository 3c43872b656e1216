/** /api/cloud/sites */
import { Hono } from 'hono'
import { auditEntry, auditQuery } from '../../audit/schema.ts'
import { auditOfSite } from '../../audit/service.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { respondBare } from '../../http/lists/envelopes.ts'
import { databaseAway } from '../../http/openapi/answers.ts'
import { bareArray, detail, fieldMessages, pageOfItems } from '../../http/openapi/bodies.ts'
import { operation } from '../../http/openapi/describe.ts'
import { numericParam } from '../../http/params.ts'
import { body, query } from '../../http/validate.ts'
import { domain, domainInput, domainsQuery } from './domains/schema.ts'
import { addDomain, listDomains, removeDomain, verifyDomain } from './domains/service.ts'
import { granted, permissionsInput } from './permissions/schema.ts'
import { readPermissions, setPermissions } from './permissions/service.ts'
import { site, siteChange } from './schema.ts'
import { changeSite, readSite } from './service.ts'

const refusals = { 403: detail, 404: detail }

export const siteRoutes = new Hono<AppEnv>()
  .get('/:site', operation('getSite', 'Read a site', { 200: site, ...refusals }, { description: 'A site with its domains.' }), async (c) =>
    c.json(await readSite(c.var.ctx, c.req.param('site'))),
  )
  .patch(
    '/:site',
    operation(
      'updateSite',
      'Change a site',
      { 200: site, ...refusals },
      { description: 'Changes the name or the environment. The slug stays, as it stands in paths.' },
    ),
    body(siteChange),
    async (c) => c.json(await changeSite(c.var.ctx, c.req.param('site'), c.req.valid('json'))),
  )

  .get(
    '/:site/audit',
    operation(
      'listSiteAudit',
      'Read the audit of a site',
      { 200: pageOfItems(auditEntry), ...refusals },
      { description: 'For holders of `admin_site` there.' },
    ),
    query(auditQuery),
    async (c) => c.json(await auditOfSite(c.var.ctx, c.req.param('site'), c.req.url, c.req.valid('query'))),
  )

  .get(
    '/:site/domains',
    operation(
      'listDomains',
      'List the domains of a site',
      { 200: bareArray(domain), ...refusals },
      { description: 'The domains of the site, each with the DNS record that proves it.' },
    ),
    query(domainsQuery),
    async (c) => respondBare(c, await listDomains(c.var.ctx, c.req.param('site'), c.req.valid('query'))),
  )
  .post(
    '/:site/domains',
    operation(
      'createDomain',
      'Add a domain to a site',
      { 201: domain, ...refusals },
      { description: 'The answer names the DNS record that proves the domain. Until it is proven the site does not answer there.' },
    ),
    body(domainInput),
    async (c) => c.json(await addDomain(c.var.ctx, c.req.param('site'), c.req.valid('json')), 201),
  )
  .post(
    '/:site/domains/:domain/verify',
    operation(
      'verifyDomain',
      'Verify a domain of a site',
      { 200: domain, 400: fieldMessages, ...refusals, 503: { ...databaseAway, description: 'The DNS could not be asked, or the database is away' } },
      {
        description:
          'Looks up the TXT record that the domain shows as `dns_record`. If it is there, the site answers at the domain from now on; ' +
          'another site that had it verified has it pending again.',
      },
    ),
    async (c) => c.json(await verifyDomain(c.var.ctx, c.req.param('site'), c.req.param('domain'))),
  )
  .delete(
    '/:site/domains/:domain',
    operation(
      'deleteDomain',
      'Remove a domain from a site',
      { 204: null, ...refusals },
      { description: 'The site does not answer at the domain from then on.' },
    ),
    async (c) => {
      await removeDomain(c.var.ctx, c.req.param('site'), c.req.param('domain'))
      return c.body(null, 204)
    },
  )

  .get(
    '/:site/permissions/:user',
    operation(
      'getSitePermissions',
      'Read the permissions of a user in a site',
      { 200: granted, ...refusals },
      { description: 'What the user may do in the site.' },
    ),
    async (c) => c.json(await readPermissions(c.var.ctx, c.req.param('site'), numericParam(c.req.param('user')))),
  )
  .put(
    '/:site/permissions/:user',
    operation(
      'replaceSitePermissions',
      'Set the permissions of a user in a site',
      { 200: granted, ...refusals },
      { description: 'Sets all permissions of the user in the site. Nobody grants more than they hold.' },
    ),
    body(permissionsInput),
    async (c) => c.json(await setPermissions(c.var.ctx, c.req.param('site'), numericParam(c.req.param('user')), c.req.valid('json'))),
  )
