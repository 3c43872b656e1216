/** The check of a social app by its owner: asks the provider, and tries the client id and the secret there. */
import type { RequestContext } from '../../../kernel/context.ts'
import { inTenant } from '../../../kernel/db/tenant.ts'
import { found } from '../../../kernel/errors.ts'
import { OutgoingFailure } from '../../../kernel/outgoing/failure.ts'
import { inTenantWithKeys, withCurrentKeys } from '../../../secrets/tenant-keys/service.ts'
import { type AppWithCredentials, redeem } from '../exchange/redeem.ts'
import { logFailure } from '../providers/failure-log.ts'
import { reasonFor } from '../providers/problem.ts'
import { providerOf } from '../providers/registry.ts'
import { askProvider, type ProviderState } from '../social-apps/ask-provider.ts'
import { decryptCredentials } from '../social-apps/credentials.ts'
import type { SocialAppCheck } from '../social-apps/schema.ts'
import * as store from '../social-apps/store.ts'

/**
 * Asks the provider of an app, saves whether people can sign in with it, and returns why they cannot.
 * `callbackOf` returns the callback address of an app by its handle. Throws 404.
 */
export async function checkSocialApp(
  ctx: RequestContext,
  id: number,
  callbackOf: (handle: string) => string,
): Promise<SocialAppCheck> {
  const app = await withCurrentKeys(async () => {
    const { keys, answers } = await inTenantWithKeys(ctx, 'read', { app: store.selectApp(id) })
    const row = found(answers.app.first)
    return { ...row, credentials: await decryptCredentials(ctx.config, keys, row) }
  })
  const asked = await askProvider(ctx.config, app)
  const state = asked.problem === null ? await tryCredentials(ctx, app, asked, callbackOf(app.handle)) : asked
  if (state.cause !== undefined) logFailure(ctx.requestId, app, state.cause)
  await inTenant(ctx, 'write', { saved: store.updateIssuer(app.id, app.revision, state.issuer) })
  return { success: true, is_configured: state.issuer !== null, problem: state.problem }
}

/** The errors with which a token endpoint rejects a client; the last one is GitHub's. */
const clientErrors: readonly unknown[] = [
  'invalid_client',
  'unauthorized_client',
  'incorrect_client_credentials',
]

/**
 * Redeems a code that the provider cannot know. It rejects the client before the code if the client id or the
 * secret is wrong.
 */
async function tryCredentials(
  { config }: RequestContext,
  app: AppWithCredentials,
  asked: ProviderState,
  redirectUri: string,
): Promise<ProviderState> {
  if (providerOf(app).protocol === 'saml') return asked
  const response = { code: 'check', iss: null, redirectUri, attempt: null }
  const error = await redeem(config, app, response).then(
    () => undefined,
    (failure: Error) => failure.cause,
  )
  const causes = causesOf(error)
  const outgoing = causes.find((one) => one instanceof OutgoingFailure)
  if (outgoing) return { issuer: asked.issuer, problem: reasonFor(outgoing), cause: error }
  if (!causes.some(rejectsClient)) return asked
  const problem = 'The provider rejects the client_id or the secret.'
  return { issuer: null, problem, cause: error }
}

const rejectsClient = (failure: Error): boolean =>
  ('error' in failure && clientErrors.includes(failure.error)) ||
  ('status' in failure && failure.status === 401)

function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}
