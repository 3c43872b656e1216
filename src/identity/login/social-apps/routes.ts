/** /api/auth/social-apps: managing the providers with which users sign in. */
import { anonymous, signedIn } from '../../../kernel/access/credentials.ts'
import { siteOwners, siteVisitors } from '../../../kernel/access/policies.ts'
import { databaseUnavailable } from '../../../kernel/http/openapi/answers.ts'
import { errorDetail } from '../../../kernel/http/openapi/bodies.ts'
import { parseId } from '../../../kernel/http/params.ts'
import { type Route, route } from '../../../kernel/http/route.ts'
import { checkSocialApp } from '../check/service.ts'
import { callbackUrl } from '../social/redirects.ts'
import {
  deleteBlocked,
  socialApp,
  socialAppChange,
  socialAppCheck,
  socialAppDeleted,
  socialAppInput,
  socialAppSaved,
  socialAppsPage,
  socialAppsQuery,
} from './schema.ts'
import {
  changeSocialApp,
  createSocialApp,
  deleteSocialApp,
  listSocialApps,
  readSocialApp,
} from './service.ts'

const discovery =
  'The provider is asked: the discovery document or the metadata is read, and a self-hosted server must ' +
  'respond. If the provider cannot be used, the app is saved with `is_configured: false`, and `problem` ' +
  'says why.'

const unreadable = {
  500: {
    body: errorDetail,
    description: 'A credential cannot be decrypted, or there are no keys to encrypt it',
  },
}

export const socialAppRoutes: readonly Route[] = [
  route({
    id: 'listSocialApps',
    summary: 'List social apps',
    description: 'Lists the providers that people can sign in with, without their credentials.',
    method: 'GET',
    path: '/api/auth/social-apps',
    auth: anonymous,
    may: siteVisitors,
    query: socialAppsQuery,
    answers: { 200: socialAppsPage, 503: databaseUnavailable },
    handle: async ({ ctx, query }) => ({ 200: await listSocialApps(ctx, query) }),
  }),
  route({
    id: 'createSocialApp',
    summary: 'Create a social app',
    description: discovery,
    method: 'POST',
    path: '/api/auth/social-apps',
    auth: signedIn,
    may: siteOwners,
    body: socialAppInput,
    answers: { 201: socialAppSaved, ...unreadable },
    handle: async ({ ctx, body }) => ({ 201: await createSocialApp(ctx, body) }),
  }),
  route({
    id: 'getSocialApp',
    summary: 'Read a social app',
    description:
      'For every signed-in account. Returns the `key` to owners of the organization, and a mask to others.',
    method: 'GET',
    path: '/api/auth/social-apps/:social_app',
    auth: signedIn,
    may: siteVisitors,
    answers: { 200: socialApp, ...unreadable },
    handle: async ({ ctx, params }) => ({ 200: await readSocialApp(ctx, parseId(params.social_app)) }),
  }),
  route({
    id: 'updateSocialApp',
    summary: 'Change a social app',
    description: discovery,
    method: 'PATCH',
    path: '/api/auth/social-apps/:social_app',
    auth: signedIn,
    may: siteOwners,
    body: socialAppChange,
    answers: { 200: socialAppSaved, ...unreadable },
    handle: async ({ ctx, params, body }) => ({
      200: await changeSocialApp(ctx, parseId(params.social_app), body),
    }),
  }),
  route({
    id: 'checkSocialApp',
    summary: 'Check a social app',
    description:
      'Asks the provider, and tries the client id and the secret with a code that it does not know. Saves ' +
      'whether people can sign in, and says why not.',
    method: 'POST',
    path: '/api/auth/social-apps/:social_app/check',
    auth: signedIn,
    may: siteOwners,
    answers: { 200: socialAppCheck, ...unreadable },
    handle: async ({ ctx, params, url }) => ({
      200: await checkSocialApp(ctx, parseId(params.social_app), (handle) => callbackUrl(url, handle)),
    }),
  }),
  route({
    id: 'deleteSocialApp',
    summary: 'Delete a social app',
    method: 'DELETE',
    path: '/api/auth/social-apps/:social_app',
    auth: signedIn,
    may: siteOwners,
    answers: { 200: socialAppDeleted, 400: deleteBlocked },
    handle: async ({ ctx, params }) => ({ 200: await deleteSocialApp(ctx, parseId(params.social_app)) }),
  }),
]
