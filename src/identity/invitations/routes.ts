/**
 * The operations of /api/cloud/organizations/…/invitations, and of /api/cloud/invitations for anyone with a
 * token.
 */
import { createMiddleware } from 'hono/factory'
import { anonymous, signedIn, signedInOrAnybody } from '../../kernel/access/credentials.ts'
import type { AppEnv } from '../../kernel/http/app-env.ts'
import { detail, pageOfItems } from '../../kernel/http/openapi/bodies.ts'
import type { Guard } from '../../kernel/http/openapi/describe.ts'
import { parseId, parseUuid } from '../../kernel/http/params.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { acceptInvitation, readByToken } from './accept.ts'
import {
  acceptance,
  accepted,
  createdInvitation,
  invitation,
  invitationsQuery,
  listedInvitation,
  newInvitation,
  nothingPending,
  publicInvitation,
  resent,
} from './schema.ts'
import {
  cancelInvitation,
  createInvitation,
  listInvitations,
  readInvitation,
  resendInvitation,
} from './service.ts'

const accessErrors = { 403: detail, 404: detail }

/** The operations for owners and admins. */
export const invitationRoutes: readonly Route[] = [
  route({
    id: 'listInvitations',
    summary: 'List invitations',
    description:
      'Lists the invitations of the organization, both pending and accepted. For owners and admins.',
    method: 'GET',
    path: '/api/cloud/organizations/:organization/invitations',
    auth: signedIn,
    query: invitationsQuery,
    answers: { 200: pageOfItems(listedInvitation), ...accessErrors },
    handle: async ({ ctx, params, query, url }) => ({
      200: await listInvitations(ctx, params.organization, url, query),
    }),
  }),
  route({
    id: 'createInvitation',
    summary: 'Invite a person',
    description:
      'Sends an invitation by e-mail. It replaces a pending one of the same address. For owners and admins.',
    method: 'POST',
    path: '/api/cloud/organizations/:organization/invitations',
    auth: signedIn,
    body: newInvitation,
    answers: { 201: createdInvitation, ...accessErrors, 422: detail },
    handle: async ({ ctx, params, body }) => ({
      201: await createInvitation(ctx, params.organization, body),
    }),
  }),
  route({
    id: 'getInvitation',
    summary: 'Read an invitation',
    description: 'Returns an invitation of the organization. For owners and admins.',
    method: 'GET',
    path: '/api/cloud/organizations/:organization/invitations/:invitation',
    auth: signedIn,
    answers: { 200: invitation, ...accessErrors },
    handle: async ({ ctx, params }) => ({
      200: await readInvitation(ctx, params.organization, parseUuid(params.invitation)),
    }),
  }),
  route({
    id: 'cancelInvitation',
    summary: 'Cancel an invitation',
    description: 'Deletes a pending invitation. Its link stops working. For owners and admins.',
    method: 'DELETE',
    path: '/api/cloud/organizations/:organization/invitations/:invitation',
    auth: signedIn,
    answers: { 204: null, ...accessErrors, 410: detail },
    handle: async ({ ctx, params }) => {
      await cancelInvitation(ctx, params.organization, parseUuid(params.invitation))
      return { 204: null }
    },
  }),
  route({
    id: 'resendInvitation',
    summary: 'Resend an invitation',
    description: 'Sends the newest pending invitation of a user again. For owners and admins.',
    method: 'POST',
    path: '/api/cloud/organizations/:organization/invitations/:invitee/resend',
    auth: signedIn,
    answers: { 200: resent, 400: nothingPending, ...accessErrors },
    handle: async ({ ctx, params }) => ({
      200: await resendInvitation(ctx, params.organization, parseId(params.invitee)),
    }),
  }),
]

/**
 * Checks the token before the body: an invalid body gets a 404 or 410 if the token is unknown or cannot be
 * accepted. I6.
 */
const tokenFirst: Guard = {
  handler: createMiddleware<AppEnv, '/:token/accept'>(async (c, next) => {
    await next()
    if (c.res.status === 400) await readByToken(c.var.ctx, parseUuid(c.req.param('token')))
  }),
  answers: { 404: detail, 410: detail },
}

/** The operations for anyone with a token. */
export const tokenRoutes: readonly Route[] = [
  route({
    id: 'getInvitationDetails',
    summary: 'Read an invitation by its token',
    description:
      'Returns what the invitee needs to know before accepting. Needs no credentials other than the token.',
    method: 'GET',
    path: '/api/cloud/invitations/:token/details',
    auth: anonymous,
    answers: { 200: publicInvitation, 404: detail, 410: detail },
    handle: async ({ ctx, params }) => ({ 200: await readByToken(ctx, parseUuid(params.token)) }),
  }),
  route({
    id: 'acceptInvitation',
    summary: 'Accept an invitation',
    description:
      'Activates the account and adds it to the organization. Each invitation can be accepted once. ' +
      'INVITATION_EXISTING_ACCOUNTS defines what is needed if the invitee already has an account.',
    method: 'POST',
    path: '/api/cloud/invitations/:token/accept',
    auth: signedInOrAnybody,
    may: tokenFirst,
    body: acceptance,
    answers: { 200: accepted, 403: detail, 422: detail },
    handle: async ({ ctx, params, body }) => ({
      200: await acceptInvitation(ctx, parseUuid(params.token), body),
    }),
  }),
]
