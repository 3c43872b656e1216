/** Ends the attempt of a sign-in, and reads the app that it was started with. S4. */
import { placeOf, type SignInPlace, selectHost } from '../../../kernel/access/sign-in-hosts.ts'
import type { RequestContext } from '../../../kernel/context.ts'
import { found } from '../../../kernel/errors.ts'
import type { SiteKeys } from '../../../secrets/encryption/service.ts'
import { inTenantWithKeys, withCurrentKeys } from '../../../secrets/tenant-keys/service.ts'
import type { EndedAttempt } from '../exchange/attempt.ts'
import type { AppWithCredentials } from '../exchange/redeem.ts'
import { decryptCredentials } from '../social-apps/credentials.ts'
import type { SocialAppRow } from '../social-apps/store.ts'
import { attemptUnknown, otherRedirect } from './errors.ts'
import * as store from './store.ts'

/** The parts of a request that identify an attempt. */
interface AttemptRequest {
  /** The name of the social app in paths. S2. */
  handle: string
  /** Null if the client made the authorization request itself, without an attempt. */
  state: string | null
  /** The redirect URI that the client sent. Undefined if it sent none. */
  redirectUri: string | undefined
  finisher: store.Finisher
}

/** An attempt that has ended, and its app. */
interface EndedSignIn {
  app: AppWithCredentials
  /** Where the sign-in counts. */
  place: SignInPlace
  attempt: EndedAttempt | null
  /** Whether the attempt links a provider to the account of the caller who completes it. */
  isLink: boolean
  /** Whether it began at the provider instead of at the site. */
  isUnsolicited: boolean
}

/**
 * Ends an attempt, so that nobody can complete it again. Takes one round trip. Throws 404 for an unknown app,
 * 400 if the attempt is not open or was started with another redirect URI, and as `placeOf` does.
 */
export async function endAttempt(
  ctx: RequestContext,
  { handle, state, redirectUri, finisher }: AttemptRequest,
): Promise<EndedSignIn> {
  const { keys, answers } = await inTenantWithKeys(
    ctx,
    'write',
    { app: store.selectByHandle(handle), attempt: store.endAttempt(handle, state, finisher) },
    undefined,
    selectHost(ctx, null),
  )
  const row = found(answers.app.first)
  const attempt = answers.attempt.first ?? null
  if (state !== null && !attempt) throw attemptUnknown()
  if (attempt && redirectUri !== undefined && attempt.redirectUri !== redirectUri) throw otherRedirect()
  const isLink = attempt?.isLink === true
  const isUnsolicited = attempt?.isUnsolicited === true
  const place = placeOf(ctx, answers.beside.one)
  return { app: await decryptApp(ctx, handle, { row, keys }), place, attempt, isLink, isUnsolicited }
}

/** An app with encrypted credentials, and the keys to decrypt them. */
interface EncryptedApp {
  row: SocialAppRow
  keys: SiteKeys
}

/**
 * Decrypts an app's credentials. Reads the app again if it was encrypted with a newer key than those of
 * `encrypted`.
 */
const decryptApp = (
  ctx: RequestContext,
  handle: string,
  encrypted: EncryptedApp,
): Promise<AppWithCredentials> =>
  withCurrentKeys(async (isFirst) => {
    const { row, keys } = isFirst ? encrypted : await readEncryptedApp(ctx, handle)
    return { ...row, credentials: await decryptCredentials(ctx.config, keys, row) }
  })

async function readEncryptedApp(ctx: RequestContext, handle: string): Promise<EncryptedApp> {
  const { keys, answers } = await inTenantWithKeys(ctx, 'read', { app: store.selectByHandle(handle) })
  return { row: found(answers.app.first), keys }
}
