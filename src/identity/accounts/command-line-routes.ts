/** /api/auth/cli: the tokens of the command line, for the code of a browser's page. */
import { anonymous } from '../../kernel/access/credentials.ts'
import { tokenPair } from '../../kernel/access/jwt/schema.ts'
import { databaseUnavailable } from '../../kernel/http/openapi/answers.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { codeInput } from './command-line/schema.ts'
import { exchangeCode } from './command-line/service.ts'
import { detailOrFields } from './passkeys/schema.ts'

export const commandLineRoutes: readonly Route[] = [
  route({
    id: 'createCommandLineToken',
    summary: 'Sign in the command line',
    description:
      'Exchanges a code for the tokens of a new sign-in. The page /accounts/cli/ sends the code to the ' +
      'command line. It works once, for one minute, together with the verifier of its challenge.',
    method: 'POST',
    path: '/api/auth/cli/token',
    auth: anonymous,
    body: codeInput,
    answers: { 200: tokenPair, 400: detailOrFields, 503: databaseUnavailable },
    handle: async ({ ctx, body }) => ({ 200: await exchangeCode(ctx, body) }),
  }),
]
