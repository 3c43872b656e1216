/** /api/users/me, /api/auth/sessions: the requests of users about their own account. */
import { signedIn } from '../../kernel/access/credentials.ts'
import { detail, fieldMessages, pageOfItems } from '../../kernel/http/openapi/bodies.ts'
import { parseId, parseUuid } from '../../kernel/http/params.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { accountExport, exportHeaders, ownAccount, ownChange, plannedDeletion } from './own/schema.ts'
import { changeOwn, exportOwn, keepAccount, planDeletion, readOwn } from './own/service.ts'
import { ownProvider, ownProvidersQuery } from './providers/schema.ts'
import { listProviders, unlinkProvider } from './providers/service.ts'
import { signIn, signInsQuery } from './sign-ins/schema.ts'
import { endOtherSignIns, endSignIn, listSignIns } from './sign-ins/service.ts'

/** The routes of the caller's own account. */
export const ownRoutes: readonly Route[] = [
  route({
    id: 'getCurrentUser',
    summary: 'Read your own account',
    description: "The caller's account.",
    method: 'GET',
    path: '/api/users/me',
    auth: signedIn,
    answers: { 200: ownAccount },
    handle: async ({ ctx }) => ({ 200: await readOwn(ctx) }),
  }),
  route({
    id: 'updateCurrentUser',
    summary: 'Change your own account',
    description:
      'Changes the names and the language immediately. A new e-mail address receives a link, and becomes ' +
      "the account's address when somebody who is signed in to the account opens it. Needs a recent sign-in.",
    method: 'PATCH',
    path: '/api/users/me',
    auth: signedIn,
    body: ownChange,
    answers: { 200: ownAccount, 403: detail },
    handle: async ({ ctx, body }) => ({ 200: await changeOwn(ctx, body) }),
  }),
  route({
    id: 'deleteCurrentUser',
    summary: 'Delete your own account',
    description:
      'Schedules the deletion of the account in seven days. Ends all sessions, and revokes all ' +
      'tokens and API ' +
      'keys. To keep the account, sign in again and restore it. Needs a recent sign-in.',
    method: 'DELETE',
    path: '/api/users/me',
    auth: signedIn,
    answers: { 200: plannedDeletion, 400: fieldMessages, 403: detail },
    handle: async ({ ctx }) => ({ 200: await planDeletion(ctx) }),
  }),
  route({
    id: 'restoreCurrentUser',
    summary: 'Keep your own account',
    description: 'Cancels the scheduled deletion of the account.',
    method: 'POST',
    path: '/api/users/me/restore',
    auth: signedIn,
    answers: { 200: ownAccount, 403: detail },
    handle: async ({ ctx }) => ({ 200: await keepAccount(ctx) }),
  }),
  route({
    id: 'exportCurrentUser',
    summary: 'Export your own data',
    description:
      'Returns what is stored about the account: memberships, permissions, API keys, providers, second ' +
      'factors, passkeys, sign-ins, invitations, what directories say of it, and what the account has ' +
      'changed. It needs a recent sign-in.',
    method: 'GET',
    path: '/api/users/me/export',
    auth: signedIn,
    answers: { 200: { body: accountExport, headers: ['Content-Disposition'] }, 403: detail },
    handle: async ({ ctx }) => ({
      200: await exportOwn(ctx),
      headers: exportHeaders,
    }),
  }),
  route({
    id: 'listOwnProviders',
    summary: 'List the providers linked to your account',
    description: "Returns the providers that can sign in to the caller's account.",
    method: 'GET',
    path: '/api/users/me/providers',
    auth: signedIn,
    query: ownProvidersQuery,
    answers: { 200: pageOfItems(ownProvider), 403: detail },
    handle: async ({ ctx, query, url }) => ({ 200: await listProviders(ctx, url, query) }),
  }),
  route({
    id: 'unlinkProvider',
    summary: 'Unlink a provider from your account',
    description: 'Unlinks a provider. The last way to sign in cannot be removed. Needs a recent sign-in.',
    method: 'DELETE',
    path: '/api/users/me/providers/:link',
    auth: signedIn,
    answers: { 204: null, 400: detail, 403: detail, 404: detail },
    handle: async ({ ctx, params }) => {
      await unlinkProvider(ctx, parseId(params.link))
      return { 204: null }
    },
  }),
  route({
    id: 'listSignIns',
    summary: 'List where your account is signed in',
    description: 'Returns the open sign-ins with device, country and last use.',
    method: 'GET',
    path: '/api/auth/sessions',
    auth: signedIn,
    query: signInsQuery,
    answers: { 200: pageOfItems(signIn) },
    handle: async ({ ctx, query, url }) => ({ 200: await listSignIns(ctx, url, query) }),
  }),
  route({
    id: 'endSignIn',
    summary: 'End a sign-in',
    description: 'Ends the tokens or the session of a sign-in at once.',
    method: 'DELETE',
    path: '/api/auth/sessions/:sign_in',
    auth: signedIn,
    answers: { 204: null, 404: detail },
    handle: async ({ ctx, params }) => {
      await endSignIn(ctx, parseUuid(params.sign_in))
      return { 204: null }
    },
  }),
  route({
    id: 'endOtherSignIns',
    summary: 'End all other sign-ins',
    description: 'Ends all sign-ins of the account except the one that sends this request. API keys stay.',
    method: 'DELETE',
    path: '/api/auth/sessions',
    auth: signedIn,
    answers: { 204: null },
    handle: async ({ ctx }) => {
      await endOtherSignIns(ctx)
      return { 204: null }
    },
  }),
]
