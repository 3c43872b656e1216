/** /api/auth/sign-up and /api/auth/join: signing up at a site with a password or a passkey, or joining it. */
import { anonymous, signedIn } from '../../kernel/access/credentials.ts'
import { siteVisitors } from '../../kernel/access/policies.ts'
import { databaseUnavailable, notSignedIn } from '../../kernel/http/openapi/answers.ts'
import { detail } from '../../kernel/http/openapi/bodies.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { user } from '../users/schema.ts'
import { joinSite } from './join/service.ts'
import { creationOptions, detailOrFields } from './passkeys/schema.ts'
import { done } from './password/schema.ts'
import { beginPasskeySignUp, confirmPasskeySignUp, signUpWithPasskey } from './sign-up/passkey.ts'
import {
  passkeySignUp,
  passkeySignUpConfirmation,
  passkeySignUpStart,
  signedUpByPasskey,
  signUpConfirmation,
  signUpInput,
} from './sign-up/schema.ts'
import { confirmSignUp, signUp } from './sign-up/service.ts'

/** The answer to every sign-up. It is the same if an account has the address already. */
const sent = { detail: 'An e-mail was sent to this address, if it can sign up here. Follow its link.' }

export const signUpRoutes: readonly Route[] = [
  route({
    id: 'signUp',
    summary: 'Sign up at a site',
    description:
      'Mails a link that completes the sign-up, if the site allows sign-ups (`sign_up`). An ' +
      'address that has an account receives an e-mail that says so; the answer is the same.',
    method: 'POST',
    path: '/api/auth/sign-up',
    auth: anonymous,
    may: siteVisitors,
    body: signUpInput,
    answers: { 200: done, 403: detail, 422: detail, 503: databaseUnavailable },
    handle: async ({ ctx, body }) => {
      await signUp(ctx, body)
      return { 200: sent }
    },
  }),
  route({
    id: 'confirmSignUp',
    summary: 'Finish a sign-up',
    description:
      'Creates the account. Both the mailed link and the password that was chosen are needed. ' +
      'The link works once, for 30 minutes. Functions for the event PRE_USER_CREATE can refuse it.',
    method: 'POST',
    path: '/api/auth/sign-up/confirm',
    auth: anonymous,
    may: siteVisitors,
    body: signUpConfirmation,
    answers: { 201: user, 422: detail, 503: databaseUnavailable },
    handle: async ({ ctx, body }) => ({ 201: await confirmSignUp(ctx, body) }),
  }),
  route({
    id: 'joinSite',
    summary: 'Join a site',
    description:
      'Makes your account belong to the site, where you could also sign up with its e-mail address. Until ' +
      'then, access rules for `user` do not include you. Functions for PRE_USER_CREATE can refuse it.',
    method: 'POST',
    path: '/api/auth/join',
    auth: signedIn,
    may: siteVisitors,
    answers: { 204: null, 400: detailOrFields, 403: detail, 422: detail },
    handle: async ({ ctx }) => {
      await joinSite(ctx)
      return { 204: null }
    },
  }),
  route({
    id: 'createSignUpOptions',
    summary: 'Start signing up with a passkey',
    description:
      'Returns the WebAuthn options with which a browser creates the passkey of a new account, as JSON. ' +
      'Stores nothing about the person.',
    method: 'POST',
    path: '/api/auth/sign-up/passkey/options',
    auth: anonymous,
    may: siteVisitors,
    body: passkeySignUpStart,
    answers: { 200: creationOptions, 400: detailOrFields, 403: detail, 503: databaseUnavailable },
    handle: async ({ ctx, body }) => ({ 200: await beginPasskeySignUp(ctx, body) }),
  }),
  route({
    id: 'signUpWithPasskey',
    summary: 'Sign up at a site with a passkey',
    description:
      'Mails a link that completes the sign-up with the passkey that a browser created. An address that ' +
      'has an account receives an e-mail that says so; the answer is the same.',
    method: 'POST',
    path: '/api/auth/sign-up/passkey',
    auth: anonymous,
    may: siteVisitors,
    body: passkeySignUp,
    answers: { 200: done, 400: detailOrFields, 403: detail, 503: databaseUnavailable },
    handle: async ({ ctx, body }) => {
      await signUpWithPasskey(ctx, body)
      return { 200: sent }
    },
  }),
  route({
    id: 'confirmPasskeySignUp',
    summary: 'Finish a sign-up with a passkey',
    description:
      'Creates the account. Both the mailed link and the passkey are needed. The passkey signs a ' +
      'challenge from /api/auth/passkeys/options/. The account has recovery codes and no password. ' +
      'The link works once, for 30 minutes. Functions for the event PRE_USER_CREATE can refuse it.',
    method: 'POST',
    path: '/api/auth/sign-up/passkey/confirm',
    auth: anonymous,
    may: siteVisitors,
    body: passkeySignUpConfirmation,
    answers: {
      201: signedUpByPasskey,
      400: detailOrFields,
      401: notSignedIn,
      422: detail,
      503: databaseUnavailable,
    },
    handle: async ({ ctx, body }) => ({ 201: await confirmPasskeySignUp(ctx, body) }),
  }),
]
