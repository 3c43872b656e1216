/** /api/auth/social-apps */
import { Hono } from 'hono'
import { anonymous, signedIn } from '../../access/credentials.ts'
import { siteOwners, siteReaders, siteVisitors } from '../../access/policies.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { databaseAway } from '../../http/openapi/answers.ts'
import { errorDetail } from '../../http/openapi/bodies.ts'
import { operation } from '../../http/openapi/describe.ts'
import { numericParam } from '../../http/params.ts'
import { body, query } from '../../http/validate.ts'
import {
  deleteBlocked,
  socialApp,
  socialAppChange,
  socialAppDeleted,
  socialAppInput,
  socialAppSaved,
  socialAppsPage,
  socialAppsQuery,
} from './schema.ts'
import { changeSocialApp, createSocialApp, deleteSocialApp, listSocialApps, readSocialApp } from './service.ts'

const discovery =
  'Of `openid_connect` the discovery document is read; where it cannot be, or names another issuer, the app is saved, and not configured.'

const unreadable = { 500: { body: errorDetail, description: 'What was stored cannot be decrypted, or nothing can be encrypted' } }

export const socialAppRoutes = new Hono<AppEnv>()
  .get(
    '/',
    operation(
      'listSocialApps',
      'List social apps',
      { 200: socialAppsPage, 503: databaseAway },
      { description: 'The providers that people can sign in with, without their secrets.' },
    ),
    anonymous,
    siteVisitors,
    query(socialAppsQuery),
    async (c) => c.json(await listSocialApps(c.var.ctx, c.req.valid('query'))),
  )
  .post(
    '/',
    operation('createSocialApp', 'Create a social app', { 201: socialAppSaved, ...unreadable }, { description: discovery }),
    signedIn,
    siteOwners,
    body(socialAppInput),
    async (c) => c.json(await createSocialApp(c.var.ctx, c.req.valid('json')), 201),
  )
  .get(
    '/:social_app',
    operation('getSocialApp', 'Read a social app', { 200: socialApp, ...unreadable }, { description: 'Owners are shown the `key`; others a mask.' }),
    signedIn,
    siteReaders,
    async (c) => c.json(await readSocialApp(c.var.ctx, numericParam(c.req.param('social_app')))),
  )
  .patch(
    '/:social_app',
    operation('updateSocialApp', 'Change a social app', { 200: socialAppSaved, ...unreadable }, { description: discovery }),
    signedIn,
    siteOwners,
    body(socialAppChange),
    async (c) => c.json(await changeSocialApp(c.var.ctx, numericParam(c.req.param('social_app')), c.req.valid('json'))),
  )
  .delete(
    '/:social_app',
    operation('deleteSocialApp', 'Delete a social app', { 200: socialAppDeleted, 400: deleteBlocked }),
    signedIn,
    siteOwners,
    async (c) => c.json(await deleteSocialApp(c.var.ctx, numericParam(c.req.param('social_app')))),
  )
