/** /api/users/me/factors, /api/auth/factor: second factors, and the sign-ins that wait for one. */
import { anonymous, signedIn } from '../../kernel/access/credentials.ts'
import { tokenPair } from '../../kernel/access/jwt/schema.ts'
import { startTokens } from '../../kernel/access/record-sign-in.ts'
import { databaseUnavailable } from '../../kernel/http/openapi/answers.ts'
import { detail } from '../../kernel/http/openapi/bodies.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import {
  codeAnswer,
  keysUnavailable,
  newRecoveryCodes,
  newTotp,
  ownFactors,
  totpConfirmation,
  turnedOn,
} from './factors/schema.ts'
import {
  answerWithCode,
  beginTotp,
  confirmTotp,
  readFactors,
  removeFactor,
  replaceCodes,
  withTokens,
} from './factors/service.ts'

const needsFreshSignIn =
  'Needs a recent sign-in that was not through a provider, because such a sign-in ' +
  "is valid only in the provider's organization."

/** The routes of second factors. */
export const factorRoutes: readonly Route[] = [
  route({
    id: 'getOwnFactors',
    summary: 'Read your second factors',
    description: "Returns the second factors of the caller's account.",
    method: 'GET',
    path: '/api/users/me/factors',
    auth: signedIn,
    answers: { 200: ownFactors },
    handle: async ({ ctx }) => ({ 200: await readFactors(ctx) }),
  }),
  route({
    id: 'createTotp',
    summary: 'Get a secret for an authenticator app',
    description:
      'Returns a secret, only once. Send its first code to /api/users/me/totp/confirm/ to turn it on, ' +
      `within 15 minutes. ${needsFreshSignIn}`,
    method: 'POST',
    path: '/api/users/me/totp',
    auth: signedIn,
    answers: { 200: newTotp, 400: detail, 403: detail, 500: keysUnavailable },
    handle: async ({ ctx }) => ({ 200: await beginTotp(ctx) }),
  }),
  route({
    id: 'confirmTotp',
    summary: 'Turn on your authenticator app',
    description:
      'Turns on the app. From then on, every sign-in needs a second factor. All earlier ' +
      `sessions and tokens end; API keys stay. ${needsFreshSignIn}`,
    method: 'POST',
    path: '/api/users/me/totp/confirm',
    auth: signedIn,
    body: totpConfirmation,
    answers: { 200: turnedOn, 403: detail, 500: keysUnavailable },
    handle: async ({ ctx, body }) => ({ 200: await withTokens(ctx, await confirmTotp(ctx, body.code)) }),
  }),
  route({
    id: 'deleteTotp',
    summary: 'Turn off your authenticator app',
    description:
      'Ends the other sign-ins. Without a second factor, the recovery codes end, too. ' +
      `${needsFreshSignIn}`,
    method: 'DELETE',
    path: '/api/users/me/totp',
    auth: signedIn,
    answers: { 204: null, 403: detail, 404: detail },
    handle: async ({ ctx }) => {
      await removeFactor(ctx, null)
      return { 204: null }
    },
  }),
  route({
    id: 'replaceRecoveryCodes',
    summary: 'Get new recovery codes',
    description: `Returns ten codes, this once. The earlier ones do not work any more. ${needsFreshSignIn}`,
    method: 'POST',
    path: '/api/users/me/recovery-codes',
    auth: signedIn,
    answers: { 200: newRecoveryCodes, 400: detail, 403: detail },
    handle: async ({ ctx }) => ({ 200: await replaceCodes(ctx) }),
  }),
  route({
    id: 'answerChallenge',
    summary: 'Finish a sign-in with a second factor',
    description:
      'Exchanges the `challenge` of a sign-in, and a code of the authenticator app or a recovery ' +
      'code, for an access token and a refresh token. A challenge is valid for five minutes and allows ' +
      'five wrong codes.',
    method: 'POST',
    path: '/api/auth/factor',
    auth: anonymous,
    body: codeAnswer,
    answers: { 200: tokenPair, 500: keysUnavailable, 503: databaseUnavailable },
    handle: async ({ ctx, body }) => ({ 200: await startTokens(ctx, await answerWithCode(ctx, body)) }),
  }),
]
