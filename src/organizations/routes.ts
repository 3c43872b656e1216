/** /api/cloud/organizations */
import { Hono } from 'hono'
import { auditEntry, auditQuery } from '../audit/schema.ts'
import { auditOfOrganization } from '../audit/service.ts'
import type { AppEnv } from '../http/app-env.ts'
import { detail, errorDetail, fieldMessages, pageOfItems } from '../http/openapi/bodies.ts'
import { operation } from '../http/openapi/describe.ts'
import { numericParam } from '../http/params.ts'
import { body, query } from '../http/validate.ts'
import { member, memberInput, membersQuery } from './members/schema.ts'
import { changeMember, listMembers, removeMember } from './members/service.ts'
import { newOrganization, organization, organizationInput, organizationsQuery } from './schema.ts'
import { changeOrganization, createOrganization, listOrganizations, readOrganization } from './service.ts'
import { site, siteInput, sitesQuery } from './sites/schema.ts'
import { createSite, listSites } from './sites/service.ts'

const refusals = { 403: detail, 404: detail }

export const organizationRoutes = new Hono<AppEnv>()
  .get(
    '/',
    operation(
      'listOrganizations',
      'List your organizations',
      { 200: pageOfItems(organization), 404: detail },
      { description: 'The organizations that the caller is a member of.' },
    ),
    query(organizationsQuery),
    async (c) => c.json(await listOrganizations(c.var.ctx, c.req.url, c.req.valid('query'))),
  )
  .post(
    '/',
    operation(
      'createOrganization',
      'Create an organization',
      { 201: organization, 403: detail, 422: errorDetail },
      { description: 'The caller becomes its owner. Without `slug`, it is made from the name.' },
    ),
    body(newOrganization),
    async (c) => c.json(await createOrganization(c.var.ctx, c.req.valid('json')), 201),
  )
  .get(
    '/:organization',
    operation('getOrganization', 'Read an organization', { 200: organization, ...refusals }, { description: 'For members of the organization.' }),
    async (c) => c.json(await readOrganization(c.var.ctx, c.req.param('organization'))),
  )
  .patch(
    '/:organization',
    operation(
      'updateOrganization',
      'Rename an organization',
      { 200: organization, ...refusals },
      { description: 'Changes the name. The slug stays, as it stands in paths.' },
    ),
    body(organizationInput),
    async (c) => c.json(await changeOrganization(c.var.ctx, c.req.param('organization'), c.req.valid('json'))),
  )

  .get(
    '/:organization/members',
    operation(
      'listMembers',
      'List members',
      { 200: pageOfItems(member), ...refusals },
      { description: 'The members of the organization with their roles and groups.' },
    ),
    query(membersQuery),
    async (c) => c.json(await listMembers(c.var.ctx, c.req.param('organization'), c.req.url, c.req.valid('query'))),
  )
  .patch(
    '/:organization/members/:user',
    operation(
      'updateMember',
      'Change the role of a member',
      { 200: member, ...refusals },
      { description: 'Only owners make owners, and one owner remains.' },
    ),
    body(memberInput),
    async (c) => c.json(await changeMember(c.var.ctx, c.req.param('organization'), numericParam(c.req.param('user')), c.req.valid('json'))),
  )
  .delete(
    '/:organization/members/:user',
    operation(
      'deleteMember',
      'Remove a member',
      { 204: null, 400: fieldMessages, ...refusals },
      { description: 'The account itself stays. One owner remains.' },
    ),
    async (c) => {
      await removeMember(c.var.ctx, c.req.param('organization'), numericParam(c.req.param('user')))
      return c.body(null, 204)
    },
  )

  .get(
    '/:organization/audit',
    operation(
      'listOrganizationAudit',
      'Read the audit of an organization',
      { 200: pageOfItems(auditEntry), ...refusals },
      { description: 'For its owners and admins.' },
    ),
    query(auditQuery),
    async (c) => c.json(await auditOfOrganization(c.var.ctx, c.req.param('organization'), c.req.url, c.req.valid('query'))),
  )

  .get(
    '/:organization/sites',
    operation(
      'listSites',
      'List the sites of an organization',
      { 200: pageOfItems(site), ...refusals },
      { description: 'The sites of the organization.' },
    ),
    query(sitesQuery),
    async (c) => c.json(await listSites(c.var.ctx, c.req.param('organization'), c.req.url, c.req.valid('query'))),
  )
  .post(
    '/:organization/sites',
    operation(
      'createSite',
      'Create a site',
      { 201: site, ...refusals, 422: errorDetail },
      { description: 'A site is a tenant: it gets a schema and a role of its own in Postgres. The slug cannot be changed.' },
    ),
    body(siteInput),
    async (c) => c.json(await createSite(c.var.ctx, c.req.param('organization'), c.req.valid('json')), 201),
  )
