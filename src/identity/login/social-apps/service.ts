/** Social apps: the providers with which users sign in to a site. Spec: Social apps; S1–S3. */
import type { RequestContext } from '../../../kernel/context.ts'
import { requireCaller } from '../../../kernel/db/entering.ts'
import { isViolationOf } from '../../../kernel/db/failures.ts'
import { inTenant } from '../../../kernel/db/tenant.ts'
import { found, invalidFields } from '../../../kernel/errors.ts'
import { rejectOthers } from '../../../kernel/http/fixed-members.ts'
import { boundedRangeOf, pageNumber } from '../../../kernel/http/lists/range.ts'
import { noteBranding, wantedBranding } from '../../../kernel/page/branding.ts'
import {
  inTenantWithKeys,
  prepareEncryption,
  retryUntilConsistent,
  withCurrentKeys,
  writtenRow,
} from '../../../secrets/tenant-keys/service.ts'
import { logFailure } from '../providers/failure-log.ts'
import { hasOwnId } from '../providers/registry.ts'
import { signerProblems } from '../saml/signer.ts'
import { askProvider, type ProviderState } from './ask-provider.ts'
import { decryptCredential, encryptCredentials } from './credentials.ts'
import { appExists, appInUse, secretElsewhere } from './errors.ts'
import { destinationOf, problemsOf } from './rules.ts'
import {
  mask,
  type SocialApp,
  type SocialAppChange,
  type SocialAppDeleted,
  type SocialAppInput,
  type SocialAppSaved,
  type SocialAppsPage,
  type SocialAppsQuery,
} from './schema.ts'
import * as store from './store.ts'
import { asListItem, asSocialApp, isConfigured } from './views.ts'

/**
 * Lists the apps for anybody, so that a login page can show them. Returns an empty page beyond the last one.
 */
export async function listSocialApps(ctx: RequestContext, query: SocialAppsQuery): Promise<SocialAppsPage> {
  const part = boundedRangeOf(query, store.list)
  const answers = await inTenant(ctx, 'read', store.selectApps(query))
  const { count } = answers.count.one
  return {
    success: true,
    message: 'Social apps retrieved successfully.',
    data: answers.page.all.map(asListItem),
    total: count,
    page: pageNumber(part),
    page_size: part.limit,
    total_pages: Math.max(1, Math.ceil(count / part.limit)),
  }
}

/** The content of the login page. */
export interface LoginOptions {
  siteName: string
  /** Whether everyone may sign up with a password. */
  takesSignUps: boolean
  /** The configured apps, the oldest first. */
  apps: { handle: string; provider: string; name: string; icon: string; autoRedirect: boolean }[]
}

/** Reads the content of the login page. */
export async function readLoginOptions(ctx: RequestContext): Promise<LoginOptions> {
  const { host, slug } = ctx.tenant
  const wanted = wantedBranding(ctx)
  const asService = { site: store.selectSiteName(host, slug), branding: wanted }
  const { site, apps, branding } = await inTenant(ctx, 'read', { apps: store.selectAllApps }, { asService })
  if (wanted) noteBranding(ctx, branding?.first)
  return {
    siteName: site.one.name,
    takesSignUps: site.one.is_open,
    apps: apps.all.filter(isConfigured).map(({ handle, provider, name, settings }) => ({
      handle,
      provider,
      name,
      icon: settings.icon ?? '',
      autoRedirect: settings.auto_redirect ?? false,
    })),
  }
}

/** Reads an app. The secret is masked; so is the key unless the caller owns the organization. Throws 404. */
export const readSocialApp = (ctx: RequestContext, id: number): Promise<SocialApp> =>
  withCurrentKeys(async () => {
    const { keys, isOwner, answers } = await inTenantWithKeys(ctx, 'read', { app: store.selectApp(id) })
    const row = found(answers.app.first)
    const key = isOwner ? await decryptCredential(ctx.config, keys, row, 'key') : row.key && mask
    return asSocialApp(row, key)
  })

/**
 * Creates an app and returns it with its secret, which is never shown again. Takes two round trips: the first
 * one reads the data keys, and the discovery document is read between them. Throws 400 for invalid fields and
 * for a handle that is taken.
 */
export const createSocialApp = (ctx: RequestContext, input: SocialAppInput): Promise<SocialAppSaved> =>
  retryUntilConsistent(async () => {
    const tenant = await inTenantWithKeys(ctx, 'read', {})
    const app = withOwnId(input)
    requireValid(problemsOf(ctx.config, app))
    requireSigner(app.settings, app)
    const prepared = await prepareEncryption(ctx, tenant, true)
    const keys = prepared.keys ?? tenant.keys
    const uid = crypto.randomUUID()
    const encrypted = await encryptCredentials(ctx.config, keys, { uid, version: 1 }, app)
    const state = await asked(ctx, app)
    const { issuer } = state
    const insert = store.insertApp(requireCaller(ctx).userId, { ...app, ...encrypted, uid, issuer })
    const { answers } = await inTenantWithKeys(ctx, 'write', { created: insert }, prepared).catch(
      rejectTaken(app),
    )
    return {
      success: true,
      message: 'Social app created successfully.',
      data: asSocialApp(answers.created.one, app.key, app.secret),
      ...problemMember(state),
    }
  })

/**
 * Changes an app. Credentials that are omitted or masked are kept; if one of them changes, both are encrypted
 * for the new version. Throws 404, and 400 as `createSocialApp` does.
 */
export const changeSocialApp = (
  ctx: RequestContext,
  id: number,
  change: SocialAppChange,
): Promise<SocialAppSaved> =>
  retryUntilConsistent(async () => {
    const tenant = await inTenantWithKeys(ctx, 'read', { app: store.selectApp(id) })
    const previous = found(tenant.answers.app.first)
    rejectOthers(change, asListItem(previous))
    const { secret: newSecret, key: newKey } = change
    const app = withOwnId({
      ...previous,
      provider: change.provider ?? previous.provider,
      provider_id: change.provider_id ?? previous.provider_id,
      name: change.name ?? previous.name,
      client_id: change.client_id ?? previous.client_id,
      settings: change.settings ?? previous.settings,
    })
    requireValid(problemsOf(ctx.config, app))

    const keepsSecret = newSecret === undefined || newSecret === mask
    if (keepsSecret && destinationOf(app) !== destinationOf(previous)) throw secretElsewhere()
    const keepsKey = newKey === undefined || newKey === mask
    const prepared = await prepareEncryption(ctx, tenant, !keepsSecret || !keepsKey)
    const decrypted = (name: 'secret' | 'key') => decryptCredential(ctx.config, tenant.keys, previous, name)
    const key = keepsKey ? await decrypted('key') : newKey
    if (app.settings.saml?.sign_requests)
      requireSigner(app.settings, { secret: keepsSecret ? await decrypted('secret') : newSecret, key })
    const nextVersion = { uid: previous.uid, version: previous.version + 1 }
    const credentials =
      prepared.keys &&
      (await encryptCredentials(ctx.config, prepared.keys, nextVersion, {
        secret: keepsSecret ? await decrypted('secret') : newSecret,
        key,
      }))

    const isKnown = previous.issuer !== null && sourceOf(app) === sourceOf(previous)
    const state = isKnown ? { issuer: previous.issuer, problem: null } : await asked(ctx, app)
    const userId = requireCaller(ctx).userId
    const next = { ...app, issuer: state.issuer }
    const update = store.updateApp({ userId, previous, app: next, credentials })
    const { answers } = await inTenantWithKeys(ctx, 'write', { changed: update }, prepared).catch(
      rejectTaken(app),
    )
    return {
      success: true,
      message: 'Social app updated successfully.',
      data: asSocialApp(writtenRow(answers.changed.first), key),
      ...problemMember(state),
    }
  })

/**
 * Deletes an app. Counts its users in the same transaction, so that nobody starts to use an app that is being
 * deleted. Throws 404, and 400 if users sign in with it.
 */
export async function deleteSocialApp(ctx: RequestContext, id: number): Promise<SocialAppDeleted> {
  const statements = { app: store.selectApp(id), deleted: store.deleteApp(id) }
  const asService = { locked: store.lockApp(ctx.tenant.host, ctx.tenant.slug, id) }
  const { locked, app } = await inTenant(ctx, 'write', statements, { asService })
  const { name } = found(app.first)
  const { users } = locked.one
  if (users > 0) throw appInUse(name, users)
  return { success: true, message: `The social app "${name}" has been deleted.` }
}

/** Clears the `provider_id` of a provider that a site can have only once. */
const withOwnId = <App extends { provider: string; provider_id: string }>(app: App): App => ({
  ...app,
  provider_id: hasOwnId(app.provider) ? app.provider_id : '',
})

/** Returns what decides whether people can sign in with an app. */
const sourceOf = ({ provider, settings: { server_url, saml } }: AppToAsk): string =>
  JSON.stringify([provider, server_url, saml?.metadata_url, saml?.metadata])

type AppToAsk = Pick<store.SocialAppRow, 'provider' | 'settings'> & { id?: number }

/** Asks the provider as `askProvider` does, and logs a problem. */
async function asked(ctx: RequestContext, app: AppToAsk): Promise<ProviderState> {
  const state = await askProvider(ctx.config, app)
  if (state.cause !== undefined) logFailure(ctx.requestId, app, state.cause)
  return state
}

/** Returns the member of an answer that says why people cannot sign in with an app. */
const problemMember = ({ issuer, problem }: ProviderState) =>
  issuer === null && problem !== null ? { problem } : {}

/** Throws a 400 if requests must be signed but the credentials cannot sign them. */
function requireSigner({ saml }: store.SocialAppRow['settings'], credentials: store.Credentials): void {
  if (saml?.sign_requests) requireValid(signerProblems(credentials))
}

function requireValid(problems: Record<string, string[]>): void {
  if (Object.keys(problems).length > 0) throw invalidFields(problems)
}

const rejectTaken = (app: { provider: string; provider_id: string }) => (error: unknown) => {
  if (!isViolationOf(error, '_social_apps_handle_key')) throw error
  throw app.provider_id ? appExists('provider_id', app.provider_id) : appExists('provider', app.provider)
}
