/** /api/cloud/organizations/{organization}/invitations, and /api/cloud/invitations/{token} for whoever has the token. */
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { anonymous, signedInOrAnybody } from '../access/credentials.ts'
import type { AppEnv } from '../http/app-env.ts'
import { detail, pageOfItems } from '../http/openapi/bodies.ts'
import { described, operation } from '../http/openapi/describe.ts'
import { numericParam, uuidParam } from '../http/params.ts'
import { body, query } from '../http/validate.ts'
import { acceptInvitation, readByToken } from './accept.ts'
import {
  acceptance,
  accepted,
  invitation,
  invitationInput,
  invitationsQuery,
  listedInvitation,
  nothingPending,
  publicInvitation,
  resent,
} from './schema.ts'
import { cancelInvitation, createInvitation, listInvitations, readInvitation, resendInvitation } from './service.ts'

const refusals = { 403: detail, 404: detail }

export const invitationRoutes = new Hono<AppEnv, Record<never, never>, '/:organization/invitations'>()
  .get(
    '/',
    operation(
      'listInvitations',
      'List invitations',
      { 200: pageOfItems(listedInvitation), ...refusals },
      { description: 'The invitations of the organization, pending ones and accepted ones.' },
    ),
    query(invitationsQuery),
    async (c) => c.json(await listInvitations(c.var.ctx, c.req.param('organization'), c.req.url, c.req.valid('query'))),
  )
  .post(
    '/',
    operation(
      'createInvitation',
      'Invite somebody',
      { 201: invitation, ...refusals },
      { description: 'For owners and admins. The invitation is sent by e-mail.' },
    ),
    body(invitationInput),
    async (c) => c.json(await createInvitation(c.var.ctx, c.req.param('organization'), c.req.valid('json')), 201),
  )
  .get(
    '/:invitation',
    operation('getInvitation', 'Read an invitation', { 200: invitation, ...refusals }, { description: 'An invitation of the organization.' }),
    async (c) => c.json(await readInvitation(c.var.ctx, c.req.param('organization'), uuidParam(c.req.param('invitation')))),
  )
  .delete(
    '/:invitation',
    operation(
      'cancelInvitation',
      'Cancel an invitation',
      { 204: null, ...refusals, 410: detail },
      { description: 'The link of the letter leads to nothing from then on.' },
    ),
    async (c) => {
      await cancelInvitation(c.var.ctx, c.req.param('organization'), uuidParam(c.req.param('invitation')))
      return c.body(null, 204)
    },
  )
  .post(
    '/:invitee/resend',
    operation(
      'resendInvitation',
      'Resend an invitation',
      { 200: resent, 400: nothingPending, ...refusals },
      { description: 'The newest pending one of the invitee, who is named by the id of the user.' },
    ),
    async (c) => c.json(await resendInvitation(c.var.ctx, c.req.param('organization'), numericParam(c.req.param('invitee')))),
  )

/** Where the body is refused, the token is what is said first: nothing of a body matters to one that is unknown or was accepted. I6. */
const tokenFirst = described(
  createMiddleware<AppEnv, '/:token/accept'>(async (c, next) => {
    await next()
    if (c.res.status === 400) await readByToken(c.var.ctx, uuidParam(c.req.param('token')))
  }),
  { answers: { 404: detail, 410: detail } },
)

export const tokenRoutes = new Hono<AppEnv>()
  .get(
    '/:token/details',
    operation(
      'getInvitationDetails',
      'Read an invitation by its token',
      { 200: publicInvitation, 404: detail, 410: detail },
      { description: 'What an invitee has to know before accepting. The token is all that it takes.' },
    ),
    anonymous,
    async (c) => c.json(await readByToken(c.var.ctx, uuidParam(c.req.param('token')))),
  )
  .post(
    '/:token/accept',
    operation(
      'acceptInvitation',
      'Accept an invitation',
      { 200: accepted, 403: detail },
      { description: 'Once. Where there is an account with the address of the invitee already, see INVITATION_EXISTING_ACCOUNTS.' },
    ),
    signedInOrAnybody,
    tokenFirst,
    body(acceptance),
    async (c) => c.json(await acceptInvitation(c.var.ctx, uuidParam(c.req.param('token')), c.req.valid('json'))),
  )
