/** The operations of /api/cloud/organizations: organizations, their members, sites and audit. T6. */
import { signedIn } from '../../kernel/access/credentials.ts'
import { detail, errorDetail, fieldMessages, pageOfItems } from '../../kernel/http/openapi/bodies.ts'
import { parseId } from '../../kernel/http/params.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { auditEntry, auditQuery } from '../audit/schema.ts'
import { auditOfOrganization } from '../audit/service.ts'
import { member, memberChange, membersQuery } from './members/schema.ts'
import { changeMember, listMembers, removeMember } from './members/service.ts'
import { newOrganization, organization, organizationChange, organizationsQuery } from './schema.ts'
import {
  changeOrganization,
  createOrganization,
  deleteOrganization,
  listOrganizations,
  readOrganization,
  restoreOrganization,
} from './service.ts'
import { newSite, site, sitesQuery } from './sites/schema.ts'
import { createSite, listSites } from './sites/service.ts'

const accessErrors = { 403: detail, 404: detail }

/** The operations of organizations. */
export const organizationRoutes: readonly Route[] = [
  route({
    id: 'listOrganizations',
    summary: 'List your organizations',
    description: 'Lists the organizations that the caller is a member of. Superusers see all organizations.',
    method: 'GET',
    path: '/api/cloud/organizations',
    auth: signedIn,
    query: organizationsQuery,
    answers: { 200: pageOfItems(organization), 404: detail },
    handle: async ({ ctx, query, url }) => ({ 200: await listOrganizations(ctx, url, query) }),
  }),
  route({
    id: 'createOrganization',
    summary: 'Create an organization',
    description: 'The caller becomes the owner. If `slug` is omitted, it is made from the name.',
    method: 'POST',
    path: '/api/cloud/organizations',
    auth: signedIn,
    body: newOrganization,
    answers: { 201: organization, 403: detail, 422: errorDetail },
    handle: async ({ ctx, body }) => ({ 201: await createOrganization(ctx, body) }),
  }),
  route({
    id: 'getOrganization',
    summary: 'Read an organization',
    description: 'Returns an organization to one of its members.',
    method: 'GET',
    path: '/api/cloud/organizations/:organization',
    auth: signedIn,
    answers: { 200: organization, ...accessErrors },
    handle: async ({ ctx, params }) => ({ 200: await readOrganization(ctx, params.organization) }),
  }),
  route({
    id: 'updateOrganization',
    summary: 'Change an organization',
    description:
      'For owners and admins. Changes the name, and whether members need a second factor. To ' +
      'require one, the caller ' +
      'must have one; otherwise 403. The slug cannot be changed, because it is part of URLs.',
    method: 'PATCH',
    path: '/api/cloud/organizations/:organization',
    auth: signedIn,
    body: organizationChange,
    answers: { 200: organization, ...accessErrors },
    handle: async ({ ctx, params, body }) => ({
      200: await changeOrganization(ctx, params.organization, body),
    }),
  }),
  route({
    id: 'deleteOrganization',
    summary: 'Delete an organization',
    description:
      'For owners. The sites of the organization must be deleted first. The organization can be restored ' +
      'for some days. Then it is erased with its memberships, groups and invitations, once no site is ' +
      'left. An account with a second factor needs a recent sign-in.',
    method: 'DELETE',
    path: '/api/cloud/organizations/:organization',
    auth: signedIn,
    answers: { 200: organization, ...accessErrors, 409: detail },
    handle: async ({ ctx, params }) => ({ 200: await deleteOrganization(ctx, params.organization) }),
  }),
  route({
    id: 'restoreOrganization',
    summary: 'Restore an organization',
    description: 'For owners. Restores a deleted organization. Its sites are restored one by one.',
    method: 'POST',
    path: '/api/cloud/organizations/:organization/restore',
    auth: signedIn,
    answers: { 200: organization, ...accessErrors, 409: detail },
    handle: async ({ ctx, params }) => ({ 200: await restoreOrganization(ctx, params.organization) }),
  }),
  route({
    id: 'listMembers',
    summary: 'List members',
    description: 'Lists the members of the organization with their roles and groups.',
    method: 'GET',
    path: '/api/cloud/organizations/:organization/members',
    auth: signedIn,
    query: membersQuery,
    answers: { 200: pageOfItems(member), ...accessErrors },
    handle: async ({ ctx, params, query, url }) => ({
      200: await listMembers(ctx, params.organization, url, query),
    }),
  }),
  route({
    id: 'updateMember',
    summary: "Change a member's role",
    description:
      'For owners and admins. Only an owner can make a member an owner or take that role away. ' +
      'The last owner keeps the role.',
    method: 'PATCH',
    path: '/api/cloud/organizations/:organization/members/:user',
    auth: signedIn,
    body: memberChange,
    answers: { 200: member, ...accessErrors },
    handle: async ({ ctx, params, body }) => ({
      200: await changeMember(ctx, params.organization, parseId(params.user), body),
    }),
  }),
  route({
    id: 'deleteMember',
    summary: 'Remove a member',
    description:
      'Owners and admins can remove members, and every member can leave. The last owner cannot be ' +
      'removed. The account itself is not deleted.',
    method: 'DELETE',
    path: '/api/cloud/organizations/:organization/members/:user',
    auth: signedIn,
    answers: { 204: null, 400: fieldMessages, ...accessErrors },
    handle: async ({ ctx, params }) => {
      await removeMember(ctx, params.organization, parseId(params.user))
      return { 204: null }
    },
  }),
  route({
    id: 'listOrganizationAudit',
    summary: 'Read the audit log of an organization',
    description: 'Lists changes in the organization and its sites, newest first. For its owners and admins.',
    method: 'GET',
    path: '/api/cloud/organizations/:organization/audit',
    auth: signedIn,
    query: auditQuery,
    answers: { 200: pageOfItems(auditEntry), ...accessErrors },
    handle: async ({ ctx, params, query, url }) => ({
      200: await auditOfOrganization(ctx, params.organization, url, query),
    }),
  }),
  route({
    id: 'listSites',
    summary: 'List the sites of an organization',
    description: 'Lists the sites of the organization with their domains.',
    method: 'GET',
    path: '/api/cloud/organizations/:organization/sites',
    auth: signedIn,
    query: sitesQuery,
    answers: { 200: pageOfItems(site), ...accessErrors },
    handle: async ({ ctx, params, query, url }) => ({
      200: await listSites(ctx, params.organization, url, query),
    }),
  }),
  route({
    id: 'createSite',
    summary: 'Create a site',
    description: 'For owners and admins. A site is a tenant: it gets its own schema and role in Postgres.',
    method: 'POST',
    path: '/api/cloud/organizations/:organization/sites',
    auth: signedIn,
    body: newSite,
    answers: { 201: site, ...accessErrors, 422: errorDetail },
    handle: async ({ ctx, params, body }) => ({ 201: await createSite(ctx, params.organization, body) }),
  }),
]
