/**
 * The events of accounts: functions that run before an account is created, and the outbox rows of later
 * events. E1.
 */
import type { RequestContext } from '../../../kernel/context.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { asService } from '../../../kernel/db/tenant.ts'
import { eachAtOnce } from '../../../kernel/lib/each-at-once.ts'
import type { SiteKeys } from '../../../secrets/encryption/service.ts'
import {
  finishedAttempt,
  insertMails,
  invocationContext,
  queueMails,
  trimSkipped,
} from '../../functions/invocations/service.ts'
import {
  type AttemptResult,
  failure,
  type InvocationUser,
  runFunction,
} from '../../functions/runners/service.ts'
import { selectSiteKeys } from '../../functions/service.ts'
import type { UserEvent } from '../catalog.ts'
import type { Phase } from '../payloads.ts'
import { functionsFailed, sitePaused } from './errors.ts'
import * as store from './store.ts'

export type { InvocationUser } from '../../functions/runners/service.ts'
export type { Listener } from './store.ts'
export { selectListeners } from './store.ts'

/** The deadline of the query for the keys of the sites. */
const keysMs = 10_000
/** The maximum number of isolates that a request may have at a time. */
const attemptsAtOnce = 4

/** An account that is about to be created. */
interface PreUserCreate {
  ctx: RequestContext
  /** The text of the JSON of the first argument: the account without its password. */
  params: string
  /** The account that caused the event. */
  user: InvocationUser | null
  /** When all functions must have finished, in milliseconds since 1970. */
  until: number
  /** The data keys by the id of the site. */
  keys: ReadonlyMap<number, SiteKeys['keys']>
}

const event: UserEvent = 'PRE_USER_CREATE'

/**
 * Runs the functions that are subscribed to PRE_USER_CREATE, and records their invocations. `account` is the
 * account as it will be stored, without the password, and `phase` says how it is created; `user` is the
 * account that caused the event. Throws 400 if a function fails or takes too long, and 422 if the site of one
 * is paused. The account must not be created in these cases. Spec: Events, rule 2; E8.
 */
export async function runPreUserCreate(
  ctx: RequestContext,
  listeners: readonly store.Listener[],
  account: object & { phase: Phase },
  user: InvocationUser | null,
): Promise<void> {
  if (listeners.length === 0) return
  requireActing(listeners)
  const params = JSON.stringify(account)
  const until = Date.now() + allFunctionsMs(ctx)
  const keys = await keysOf(ctx, listeners)
  const finished: { siteId: number; invocation: store.FinishedInvocation }[] = []
  await eachAtOnce(listeners, attemptsAtOnce, async (listener) => {
    const invocation = await invoke({ ctx, params, user, until, keys }, listener)
    finished.push({ siteId: listener.site_id, invocation })
  })
  const failures = finished
    .filter(({ invocation }) => invocation.status === 'FAILURE')
    .map(({ invocation }) => ({ name: invocation.function_name, error: invocation.error ?? '' }))
  for (const [siteId, ofSite] of Map.groupBy(finished, (one) => one.siteId)) {
    const invocations = ofSite.map(({ invocation }) => invocation)
    const cause = { event, params, userId: user?.id ?? null }
    const { mails } = await asService(ctx.database, siteId, {
      recorded: store.insertFinished(cause, invocations),
      // No function writes to somebody who gets no account.
      mails: failures.length > 0 ? undefined : insertMails(invocations),
      trimmed: trimSkipped(invocations),
    })
    await queueMails(ctx.env, siteId, mails.all)
  }
  if (failures.length > 0) throw functionsFailed(failures)
}

/** Throws 422 if the site of a function is paused: it cannot decide, so no account is created. */
export function requireActing(listeners: readonly store.Listener[]): void {
  if (listeners.some(({ paused }) => paused)) throw sitePaused()
}

/** Returns how long all functions together may delay the account. E8. */
const allFunctionsMs = ({ config }: RequestContext): number => config.ACCOUNT_WAIT_SECONDS * 1000

async function invoke(create: PreUserCreate, listener: store.Listener): Promise<store.FinishedInvocation> {
  const startedAt = new Date().toISOString()
  const result = await resultOf(create, listener)
  const { invocation_id: id, delivery_id, runnable } = listener
  return {
    ...finishedAttempt({ id, attempt: 1, startedAt }, result),
    delivery_id,
    function_id: runnable.id,
    function_name: runnable.name,
    function_slug: runnable.slug,
  }
}

async function resultOf(
  { ctx, params, user, until, keys }: PreUserCreate,
  { site_id, site_slug, invocation_id, runnable }: store.Listener,
): Promise<AttemptResult> {
  const withinMs = until - Date.now()
  if (withinMs <= 0)
    return failure(
      `It was not started: an account waits at most ${allFunctionsMs(ctx) / 1000} seconds for all functions.`,
      { neverStarted: true },
    )
  const invocation = { id: invocation_id, attempts: 1, trigger_type: 'event', event } as const
  return runFunction({
    env: ctx.env,
    config: ctx.config,
    keys: { siteId: site_id, keys: keys.get(site_id) ?? [] },
    function: { ...runnable, is_active: true },
    params,
    context: invocationContext(invocation, runnable, user),
    acting: { site: site_slug, isStored: false, depth: 1, caller: user && ctx.caller },
    timeoutMs: Math.min(withinMs, runnable.timeout_seconds * 1000),
    withinMs,
  })
}

/**
 * Returns the data keys of the sites whose listeners have encrypted secrets. Most sites have no such
 * listener.
 */
async function keysOf(
  ctx: RequestContext,
  listeners: readonly store.Listener[],
): Promise<Map<number, SiteKeys['keys']>> {
  const encrypted = listeners.filter(
    ({ runnable }) => runnable.sealed !== null || runnable.secrets.length > 0,
  )
  const sites = [...new Set(encrypted.map(({ site_id }) => site_id))]
  if (sites.length === 0) return new Map()
  const { keys } = await ctx.database.batch(
    { keys: sites.map((site) => selectSiteKeys(sql`${site}`)) },
    keysMs,
  )
  return new Map(sites.map((site, position) => [site, keys[position]?.all ?? []]))
}

/**
 * Returns an SQL expression that inserts the outbox rows of an event, for a statement of the transaction that
 * makes the change. `account` is a row of `public.users`: the account after the change, or the deleted
 * account. `phase` says how it was created, or that an invitation was accepted.
 */
export const publishAccountEvent = (
  ctx: RequestContext,
  event: UserEvent,
  account: Sql,
  phase: Phase | null = null,
): Sql => {
  const { host, slug } = ctx.tenant
  return sql`
    public.announce_account(${event}, ${host}, ${slug}, ${ctx.caller?.userId ?? null}, ${account}, ${phase})`
}
