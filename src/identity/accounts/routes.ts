/** /api/auth/password, /api/auth/email: passwords, and the links in e-mails to users. */
import { anonymous, signedIn, signedInOrAnybody } from '../../kernel/access/credentials.ts'
import { tokenPair } from '../../kernel/access/jwt/schema.ts'
import { databaseUnavailable } from '../../kernel/http/openapi/answers.ts'
import { detail } from '../../kernel/http/openapi/bodies.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { addressConfirmation, verifiedAddress } from './address/schema.ts'
import { confirmAddress, requestVerification } from './address/service.ts'
import { done, linkRequest, passwordChange, passwordReset } from './password/schema.ts'
import { changePassword, requestReset, resetPassword } from './password/service.ts'

/** The answer to every request for a link. It is the same if no account has the address. */
const linkSent = { detail: 'If an account has this e-mail address, a link was sent to it.' }
const passwordSet = { detail: 'The password was set. Sign in with it.' }

/** The routes of passwords and of verifying e-mail addresses. */
export const accountRoutes: readonly Route[] = [
  route({
    id: 'changePassword',
    summary: 'Change your password',
    description:
      'Ends all sessions, and revokes all tokens and API keys of the account. ' + 'Returns new tokens.',
    method: 'POST',
    path: '/api/auth/password/change',
    auth: signedIn,
    body: passwordChange,
    answers: { 200: tokenPair, 403: detail },
    handle: async ({ ctx, body }) => ({ 200: await changePassword(ctx, body) }),
  }),
  route({
    id: 'requestPasswordReset',
    summary: 'Request a link that resets a password',
    description:
      'Mails a link if an account has the address. The answer is always the same. ' +
      'The link works once, for 30 minutes.',
    method: 'POST',
    path: '/api/auth/password/reset',
    auth: anonymous,
    body: linkRequest,
    answers: { 200: done, 503: databaseUnavailable },
    handle: async ({ ctx, body }) => {
      await requestReset(ctx, body.email)
      return { 200: linkSent }
    },
  }),
  route({
    id: 'resetPassword',
    summary: 'Reset a password',
    description:
      'Sets the password of the account that the link was mailed to. Ends all sessions, and revokes all ' +
      'tokens and API keys. Passwords, API keys and providers that others may have added are removed.',
    method: 'POST',
    path: '/api/auth/password/reset/confirm',
    auth: anonymous,
    body: passwordReset,
    answers: { 200: done, 503: databaseUnavailable },
    handle: async ({ ctx, body }) => {
      await resetPassword(ctx, body)
      return { 200: passwordSet }
    },
  }),
  route({
    id: 'requestEmailVerification',
    summary: 'Request a link that verifies an e-mail address',
    description:
      'Mails a link to the address, if an account has it and it is not verified yet. The answer is always ' +
      'the same. The link works once, for 30 minutes.',
    method: 'POST',
    path: '/api/auth/email/verify',
    auth: anonymous,
    body: linkRequest,
    answers: { 200: done, 503: databaseUnavailable },
    handle: async ({ ctx, body }) => {
      await requestVerification(ctx, body.email)
      return { 200: linkSent }
    },
  }),
  route({
    id: 'confirmEmail',
    summary: 'Verify an e-mail address',
    description:
      'Verifies the address that the link was mailed to. A password, API keys and providers that others ' +
      'may have added are removed. For a new address of an account, the caller has to be signed in to it.',
    method: 'POST',
    path: '/api/auth/email/verify/confirm',
    auth: signedInOrAnybody,
    body: addressConfirmation,
    answers: { 200: verifiedAddress, 403: detail },
    handle: async ({ ctx, body }) => ({ 200: await confirmAddress(ctx, body.token) }),
  }),
]
