/** Functions: what clients have run, by their own request or by events. E2. */
import type { RequestContext } from '../context.ts'
import { callerOf } from '../db/caller.ts'
import { DatabaseFailure, isViolationOf } from '../db/failures.ts'
import { inTenant, requireAccess, signedIn } from '../db/tenant.ts'
import { found } from '../errors.ts'
import { type Page, pageOf } from '../http/lists/envelopes.ts'
import { chosenSlug } from '../lib/slug.ts'
import { isAllowedAddress } from '../outgoing/fetch.ts'
import { inVault, prepare, untilItHolds } from '../secrets/vault/service.ts'
import { codeInvalid, functionExists, headerUnknown, modeIsFixed, nameGivesNoSlug, unfitForMode, webhookNotAllowed } from './errors.ts'
import { loadingProblem } from './runners/compile.ts'
import type { FunctionChange, FunctionInput, FunctionRecord, FunctionsQuery, NewFunction, NewFunctionInput, ShownFunction } from './schema.ts'
import { mask, newSigningSecret, open, seal } from './sealed.ts'
import * as store from './store.ts'
import { asFunction, asShown, type FunctionRow } from './views.ts'

export { selectRunnables, selectSiteKeys } from './store.ts'

export async function listFunctions(ctx: RequestContext, app: string, url: string, query: FunctionsQuery): Promise<Page<ShownFunction>> {
  const { before, results } = await inTenant(ctx, 'read', [store.selectApp(app), ...store.selectFunctions(app, query)], undefined, [
    selectManages(ctx),
  ])
  found(results.row(0))
  const { holds } = before.one<{ holds: boolean }>()
  return pageOf(results.rest(), url, store.list, query, (row: FunctionRow) => asShown(row, holds))
}

export async function readFunction(ctx: RequestContext, app: string, slug: string): Promise<ShownFunction> {
  const statements = { function: store.selectFunction(app, slug) }
  const answers = await inTenant(ctx, 'read', statements, { asService: { manages: selectManages(ctx) } })
  return asShown(found(answers.function.first), answers.manages.one.holds)
}

const selectManages = (ctx: RequestContext) => store.selectHolds(ctx.tenant, callerOf(ctx), 'manage_site')

export async function createFunction(ctx: RequestContext, app: string, input: NewFunctionInput): Promise<NewFunction> {
  const { slug, field } = chosenSlug(input)
  if (!slug) throw nameGivesNoSlug()
  const insert = (uuid: string, sealed: string | null) => store.insertFunction(signedIn(ctx).userId, app, slug, input, uuid, sealed)
  if (input.execution_mode === 'proxy') return createProxy(ctx, input, insert, refuse(slug, field))
  if (input.execution_mode === 'app') await refuseBroken(ctx, input.code)
  const { made } = await inTenant(ctx, 'write', { made: insert(crypto.randomUUID(), null) }).catch(refuse(slug, field))
  return asFunction(found(made.first))
}

type Insert = (uuid: string, sealed: string) => ReturnType<typeof store.insertFunction>

/** Two round trips: the keys to encrypt with are read first. */
const createProxy = (
  ctx: RequestContext,
  { webhook_url, headers }: FunctionInput,
  insert: Insert,
  refused: (error: unknown) => never,
): Promise<NewFunction> =>
  untilItHolds(async () => {
    const vault = await inVault(ctx, 'read', {})
    refuseForbidden(ctx, webhook_url)
    const kept = Object.entries(headers).find(([, value]) => value === mask)
    if (kept) throw headerUnknown(kept[0])
    const prepared = await prepare(ctx, vault, true)
    const uuid = crypto.randomUUID()
    const signing_secret = newSigningSecret()
    const sealed = await seal(ctx.config, prepared.keys ?? vault.keys, { uuid, version: 1 }, { signing_secret, headers })
    const { results } = await inVault(ctx, 'write', { made: insert(uuid, sealed) }, prepared).catch(refused)
    // The one time that the secret is shown.
    return { ...asFunction(found(results.made.first)), signing_secret }
  })

export async function changeFunction(ctx: RequestContext, app: string, slug: string, change: FunctionChange): Promise<FunctionRecord> {
  const update = (sealed: store.Resealed | null) => store.updateFunction(signedIn(ctx).userId, app, slug, change, sealed)
  await refuseBroken(ctx, change.code ?? '')
  if (change.headers) return changeHeaders(ctx, app, slug, change, change.headers, update)
  if (change.webhook_url) {
    await requireAccess(ctx)
    refuseForbidden(ctx, change.webhook_url)
  }
  const { changed } = await inTenant(ctx, 'write', { changed: update(null) }).catch(refuse(slug))
  return asFunction(found(changed.first))
}

type Headers = Readonly<Record<string, string>>
type Update = (sealed: store.Resealed | null) => ReturnType<typeof store.updateFunction>

/** The values of headers are encrypted in one text with the signing secret: that text is read first, and replaced only if it is still the same. */
const changeHeaders = (
  ctx: RequestContext,
  app: string,
  slug: string,
  change: FunctionChange,
  headers: Headers,
  update: Update,
): Promise<FunctionRecord> =>
  untilItHolds(async () => {
    const vault = await inVault(ctx, 'read', { sealed: store.selectSealed(app, slug) })
    const row = found(vault.results.sealed.first)
    if (change.webhook_url) refuseForbidden(ctx, change.webhook_url)
    const { sealed: text } = row
    const prepared = await prepare(ctx, vault, text !== null)
    let resealed: store.Resealed | null = null
    if (text !== null && prepared.keys) {
      const present = await open(ctx.config, vault.keys, { ...row, sealed: text })
      const next = { uuid: row.uuid, version: row.version + 1 }
      resealed = {
        version: next.version,
        text: await seal(ctx.config, prepared.keys, next, { ...present, headers: merged(present.headers, headers) }),
      }
    }
    const { results } = await inVault(ctx, 'write', { changed: update(resealed) }, prepared).catch(refuse(slug))
    const changed = results.changed.first
    return changed && asFunction(changed)
  })

/** What is masked stays what it is. */
function merged(present: Headers, given: Headers): Record<string, string> {
  const values = Object.entries(given).map(([name, value]) => {
    const stands = value === mask ? present[name] : value
    if (stands === undefined) throw headerUnknown(name)
    return [name, stands]
  })
  return Object.fromEntries(values)
}

function refuseForbidden(ctx: RequestContext, webhookUrl: string): void {
  if (webhookUrl !== '' && !isAllowedAddress(ctx.config, webhookUrl)) throw webhookNotAllowed()
}

/** Whether the caller may is asked first, in a round trip of its own: nobody else has an isolate started. */
async function refuseBroken(ctx: RequestContext, code: string): Promise<void> {
  if (code === '') return
  await requireAccess(ctx)
  const problem = await loadingProblem(ctx.env.LOADER, code)
  if (problem !== undefined) throw codeInvalid(problem)
}

/** With its subscriptions; the history of its runs stays. */
export async function deleteFunction(ctx: RequestContext, app: string, slug: string): Promise<void> {
  const { deleted } = await inTenant(ctx, 'write', { deleted: store.deleteFunction(app, slug) })
  found(deleted.first)
}

const refuse =
  (slug: string, field: 'name' | 'slug' = 'name') =>
  (error: unknown): never => {
    if (isViolationOf(error, '_functions_app_id_slug_key')) throw functionExists(slug, field)
    if (error instanceof DatabaseFailure && error.column === 'execution_mode') throw modeIsFixed()
    throw (error instanceof DatabaseFailure && unfitForMode(error.constraint)) || error
  }
