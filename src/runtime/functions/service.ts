/** Functions: the code and the webhooks of clients. Requests and events run them. E2. */
import type { RequestContext } from '../../kernel/context.ts'
import { callerOf } from '../../kernel/db/caller.ts'
import { requireCaller } from '../../kernel/db/entering.ts'
import { DatabaseFailure, isViolationOf } from '../../kernel/db/failures.ts'
import { inTenant, requireAccess } from '../../kernel/db/tenant.ts'
import { appNotFound, found, nameGivesNoSlug } from '../../kernel/errors.ts'
import { hasFixed, rejectOthers, requireSame } from '../../kernel/http/fixed-members.ts'
import { type Page, pageOf } from '../../kernel/http/lists/envelopes.ts'
import { chooseSlug } from '../../kernel/lib/slug.ts'
import { isAllowedAddress } from '../../kernel/outgoing/fetch.ts'
import {
  inTenantWithKeys,
  prepareEncryption,
  retryUntilConsistent,
  withCurrentKeys,
  writtenRow,
} from '../../secrets/tenant-keys/service.ts'
import {
  codeInvalid,
  functionExists,
  headersElsewhere,
  headerUnknown,
  modeError,
  modeIsFixed,
  noSigningSecret,
  rejectGuard,
  secretsNotReadable,
  webhookNotAllowed,
} from './errors.ts'
import {
  belongElsewhere,
  decryptSecrets,
  encryptSecrets,
  type FunctionSecrets,
  mask,
  newSigningSecret,
  originOf,
  rotated,
} from './function-secrets.ts'
import { missingFunction } from './missing-function.ts'
import { loadingProblem } from './runners/compile.ts'
import type {
  FunctionChange,
  FunctionRecord,
  FunctionsQuery,
  NewFunction,
  NewFunctionInput,
  RotatedSigningSecret,
  ShownFunction,
  SigningSecretRotation,
} from './schema.ts'
import * as store from './store.ts'
import { asFunction, asShown } from './views.ts'

export { rejectGuard } from './errors.ts'
export { belongElsewhere } from './function-secrets.ts'
export { queueMails, type SendMail } from './mails/queue.ts'
export type { KeptMail } from './mails/store.ts'
export { firstTick, ticksUntil } from './schedule.ts'
export { selectRunnables, selectSiteKeys } from './store.ts'

/** Returns a page of the functions of an app. Throws 404 if there is no such app. */
export async function listFunctions(
  ctx: RequestContext,
  app: string,
  url: string,
  query: FunctionsQuery,
): Promise<Page<ShownFunction>> {
  const statements = { app: store.selectApp(app), ...store.selectFunctions(app, query) }
  const answers = await inTenant(ctx, 'read', statements, { asService: { manager: selectIsManager(ctx) } })
  found(answers.app.first, () => appNotFound(app))
  return pageOf(answers, url, store.list, query, (row) => asShown(row, answers.manager.one.holds))
}

/** Returns a function. Throws 404 if the app has no such function. */
export async function readFunction(ctx: RequestContext, app: string, slug: string): Promise<ShownFunction> {
  const statements = { function: store.selectFunction(app, slug) }
  const answers = await inTenant(ctx, 'read', statements, { asService: { manager: selectIsManager(ctx) } })
  if (!answers.function.first) throw await missingFunction(ctx, app, slug)
  return asShown(answers.function.first, answers.manager.one.holds)
}

/** Returns the encrypted values of a function, for a transfer of its site. Null if it has none. */
export const readFunctionSecrets = (
  ctx: RequestContext,
  app: string,
  slug: string,
): Promise<FunctionSecrets | null> =>
  withCurrentKeys(async () => {
    const { answers, keys } = await inTenantWithKeys(ctx, 'read', { row: store.selectSecrets(app, slug) })
    const row = answers.row.first
    if (!row) throw await missingFunction(ctx, app, slug)
    const { sealed } = row
    return sealed === null ? null : decryptSecrets(ctx.config, keys, { ...row, sealed })
  })

const selectIsManager = (ctx: RequestContext) => store.selectHolds(ctx.tenant, callerOf(ctx), 'manage_site')

/**
 * Creates a function. Throws 400 if its code does not load, its URL is not allowed, or its slug is taken.
 * `signingSecret` is for a function in `proxy` mode; omitted: the function gets a new one.
 */
export async function createFunction(
  ctx: RequestContext,
  app: string,
  input: NewFunctionInput,
  signingSecret?: string,
): Promise<NewFunction> {
  const { slug, field } = chooseSlug(input)
  if (!slug) throw nameGivesNoSlug()
  const row = { userId: requireCaller(ctx).userId, app, slug, uuid: crypto.randomUUID(), sealed: null }
  if (input.execution_mode === 'proxy') return createProxy(ctx, row, { input, field, signingSecret })
  if (input.secrets.length > 0 && !(await inTenantWithKeys(ctx, 'read', {})).mayRead)
    throw secretsNotReadable()
  if (input.execution_mode === 'app') await requireLoadable(ctx, input.code)
  const { created } = await inTenant(ctx, 'write', { created: store.insertFunction(row, input) }).catch(
    constraintError(slug, field),
  )
  return asFunction(found(created.first, () => appNotFound(app)))
}

interface ProxyToCreate {
  input: NewFunctionInput
  /** The field from which the slug was made. */
  field: 'name' | 'slug'
  signingSecret: string | undefined
}

/** Creates a function in `proxy` mode, in two round trips: the first one reads the data keys. */
const createProxy = (
  ctx: RequestContext,
  row: store.NewFunctionRow,
  { input, field, signingSecret }: ProxyToCreate,
): Promise<NewFunction> =>
  retryUntilConsistent(async () => {
    const tenant = await inTenantWithKeys(ctx, 'read', {})
    requireAllowed(ctx, input.webhook_url)
    const headers = unmasked(input.headers, {})
    const prepared = await prepareEncryption(ctx, tenant, true)
    const signing_secret = signingSecret ?? newSigningSecret()
    const secrets = { signing_secret, headers, origin: originOf(input.webhook_url) }
    const keys = prepared.keys ?? tenant.keys
    const sealed = await encryptSecrets(ctx.config, keys, { uuid: row.uuid, version: 1 }, secrets)
    const statements = { created: store.insertFunction({ ...row, sealed }, input) }
    const { answers } = await inTenantWithKeys(ctx, 'write', statements, prepared).catch(
      constraintError(row.slug, field),
    )
    // This is the only response with the secret.
    return { ...asFunction(found(answers.created.first, () => appNotFound(row.app))), signing_secret }
  })

/**
 * Changes a function. Throws 404 if the app has no such function, and 400 as `createFunction` does and for
 * another mode.
 */
export async function changeFunction(
  ctx: RequestContext,
  app: string,
  slug: string,
  change: FunctionChange,
): Promise<FunctionRecord> {
  await requireLoadable(ctx, change.code ?? '')
  const update = { userId: requireCaller(ctx).userId, app, slug, change, secrets: null }
  if (change.headers || change.webhook_url !== undefined || hasFixed(change, 'signing_secret'))
    return (await changeSealed(ctx, update, ({ current, url }) => readdressed(current, change, url))).changed
  const statements = {
    found: store.selectFunction(app, slug),
    same: requireSame(change, store.selectFunction(app, slug)),
    changed: store.updateFunction(update),
  }
  const { answers } = await inTenantWithKeys(ctx, 'write', statements).catch(constraintError(slug))
  if (!answers.found.first) throw await missingFunction(ctx, app, slug)
  if (!answers.changed.first) throw secretsNotReadable()
  return asFunction(answers.changed.first)
}

type Headers = Readonly<Record<string, string>>

interface Sealed {
  /** The stored values of the function. */
  current: FunctionSecrets
  /** The URL that the function will call. */
  url: string
}

/**
 * Changes a function and its encrypted values. The values of headers and the signing secret are encrypted in
 * one text. That text is read first, and replaced only if it has not changed since. `next` returns the new
 * values. `secrets` is null for a function without encrypted values.
 */
const changeSealed = (
  ctx: RequestContext,
  update: store.FunctionUpdate,
  next: (sealed: Sealed) => FunctionSecrets,
): Promise<{ changed: FunctionRecord; secrets: FunctionSecrets | null }> =>
  retryUntilConsistent(async () => {
    const { app, slug, change } = update
    const tenant = await inTenantWithKeys(ctx, 'read', {
      secrets: store.selectSecrets(app, slug),
      shown: store.selectFunction(app, slug),
    })
    const { secrets: found, shown } = tenant.answers
    const row = found.first
    if (!row) throw await missingFunction(ctx, app, slug)
    if (!tenant.mayRead && (change.secrets ?? row.secrets).length > 0) throw secretsNotReadable()
    if (change.webhook_url) requireAllowed(ctx, change.webhook_url)
    const { sealed } = row
    const current = sealed === null ? null : await decryptSecrets(ctx.config, tenant.keys, { ...row, sealed })
    rejectOthers(change, { ...asFunction(shown.one), signing_secret: current?.signing_secret ?? null })
    const prepared = await prepareEncryption(ctx, tenant, sealed !== null)
    let secrets: FunctionSecrets | null = null
    let stored: store.NewSecrets | null = null
    if (current && prepared.keys) {
      secrets = next({ current, url: change.webhook_url ?? row.webhook_url })
      const version = row.version + 1
      const text = await encryptSecrets(ctx.config, prepared.keys, { uuid: row.uuid, version }, secrets)
      stored = { version, text }
    }
    const statements = { changed: store.updateFunction({ ...update, secrets: stored }) }
    const { answers } = await inTenantWithKeys(ctx, 'write', statements, prepared).catch(
      constraintError(slug),
    )
    return { changed: asFunction(writtenRow(answers.changed.first)), secrets }
  })

/**
 * Returns the encrypted values for a URL and for the headers of a change. Throws 400 if a stored value would
 * be sent to another host than that for which it was entered.
 */
function readdressed(current: FunctionSecrets, { headers }: FunctionChange, url: string): FunctionSecrets {
  const next = { ...current, headers: headers ? unmasked(headers, current.headers) : current.headers }
  const keepsValues = headers === undefined || Object.values(headers).includes(mask)
  if (url !== '' && keepsValues && belongElsewhere(next, url)) throw headersElsewhere()
  return { ...next, origin: originOf(url) }
}

/** Replaces the signing secret of a function. Throws 404, and 400 for a function without one. */
export async function rotateSigningSecret(
  ctx: RequestContext,
  app: string,
  slug: string,
  { overlap_seconds: overlapSeconds }: SigningSecretRotation,
): Promise<RotatedSigningSecret> {
  const update = { userId: requireCaller(ctx).userId, app, slug, change: {}, secrets: null }
  const { secrets } = await changeSealed(ctx, update, ({ current }) => rotated(current, overlapSeconds))
  if (!secrets) throw noSigningSecret()
  return { signing_secret: secrets.signing_secret, previous_until: secrets.previous?.until ?? null }
}

/** Replaces masked values of headers by the stored values. Throws 400 if one of them has no stored value. */
function unmasked(headers: Headers, stored: Headers): Headers {
  const values = Object.entries(headers).map(([name, value]) => {
    if (value !== mask) return [name, value]
    if (!Object.hasOwn(stored, name)) throw headerUnknown(name)
    return [name, stored[name]]
  })
  return Object.fromEntries(values)
}

function requireAllowed(ctx: RequestContext, webhookUrl: string): void {
  if (webhookUrl !== '' && !isAllowedAddress(ctx.config, webhookUrl)) throw webhookNotAllowed()
}

/**
 * Checks the caller's permission first, in a separate round trip, because only permitted callers may start an
 * isolate.
 */
async function requireLoadable(ctx: RequestContext, code: string): Promise<void> {
  if (code === '') return
  await requireAccess(ctx)
  const problem = await loadingProblem(ctx.env.LOADER, code)
  if (problem !== undefined) throw codeInvalid(problem)
}

/**
 * Deletes a function and its subscriptions. Its invocations stay. Throws 404 if the app has no such function,
 * and 409 if it guards an event.
 */
export async function deleteFunction(ctx: RequestContext, app: string, slug: string): Promise<void> {
  const statements = { deleted: store.deleteFunction(app, slug) }
  const { deleted } = await inTenant(ctx, 'write', statements).catch(rejectGuard)
  if (!deleted.first) throw await missingFunction(ctx, app, slug)
}

/** Creates a handler that throws the 400 for a constraint failure, and rethrows any other error. */
const constraintError =
  (slug: string, slugField: 'name' | 'slug' = 'name') =>
  (error: unknown): never => {
    if (isViolationOf(error, '_functions_app_id_slug_key')) throw functionExists(slug, slugField)
    if (!(error instanceof DatabaseFailure)) throw error
    if (error.column === 'execution_mode') throw modeIsFixed()
    return rejectGuard(modeError(error.constraint) ?? error)
  }
