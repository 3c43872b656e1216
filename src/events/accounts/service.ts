/**
 * Events of accounts. Whoever makes one asks for its listeners, has them run before it is saved, and announces it in the
 * transaction that saves it. Spec: Events, rules 2 and 3; E1.
 */
import type { RequestContext } from '../../context.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { asService } from '../../db/tenant.ts'
import { contextOf, endOf } from '../../functions/invocations/service.ts'
import { failure, type Outcome, type RunUser, runFunction } from '../../functions/runners/service.ts'
import { selectSiteKeys } from '../../functions/service.ts'
import { eachAtOnce } from '../../lib/pool.ts'
import type { SiteKeys } from '../../secrets/encryption/service.ts'
import type { UserEvent } from '../catalog.ts'
import { givenUp } from './errors.ts'
import * as store from './store.ts'

export type { RunUser } from '../../functions/runners/service.ts'
export type { Listener } from './store.ts'
export { selectListeners } from './store.ts'

/** What a function has that an account waits for, and what all of them together have. E2. */
const runMs = 30_000
const allMs = 60_000
/** For the query of the sites' keys. */
const keysMs = 10_000
/** More isolates than these no request may have at once. */
const runningAtOnce = 4

/**
 * Runs the functions that are subscribed to PRE_USER_CREATE, and notes their runs. Fails, so that no account is made, when
 * one of them fails or is not done in time. `account` is what is to be saved, without the password; `user` who is the cause.
 */
export async function beforeUserCreate(
  ctx: RequestContext,
  listeners: readonly store.Listener[],
  account: object,
  user: RunUser | null,
): Promise<void> {
  if (listeners.length === 0) return
  const event: UserEvent = 'PRE_USER_CREATE'
  const params = JSON.stringify(account)
  const until = Date.now() + allMs
  const keys = await keysOf(ctx, listeners)
  const runs: Awaited<ReturnType<typeof runOne>>[] = []
  await eachAtOnce(listeners, runningAtOnce, async (listener) => {
    runs.push(await runOne(listener))
  })
  for (const [siteId, own] of Map.groupBy(runs, ({ site }) => site)) {
    await asService(ctx.database, siteId, { runs: store.insertRuns(event, params, user?.id ?? null, own) })
  }
  const failures = runs.flatMap(({ function_name: name, status, error }) => (status === 'FAILURE' ? { name, error: error ?? '' } : []))
  if (failures.length > 0) throw givenUp(failures)

  async function runOne({ site_id, invocation_id, delivery_id, runnable }: store.Listener) {
    const startedAt = new Date().toISOString()
    const outcome = await outcomeOf()
    const { id: function_id, name: function_name, slug: function_slug } = runnable
    return { ...endOf({ id: invocation_id, attempt: 1, startedAt }, outcome), site: site_id, delivery_id, function_id, function_name, function_slug }

    async function outcomeOf(): Promise<Outcome> {
      const withinMs = Math.min(runMs, until - Date.now())
      if (withinMs <= 0) return failure('It could not be started in time.')
      const context = contextOf({ id: invocation_id, attempts: 1, trigger_type: 'event', event }, runnable, user)
      return runFunction({
        env: ctx.env,
        config: ctx.config,
        keys: { siteId: site_id, keys: keys.get(site_id) ?? [] },
        function: { ...runnable, is_active: true },
        params,
        context,
        timeoutMs: Math.min(withinMs, runnable.timeout_seconds * 1000),
        withinMs,
      })
    }
  }
}

/** The keys of the sites that have something encrypted in their functions: most have not. */
async function keysOf(ctx: RequestContext, listeners: readonly store.Listener[]): Promise<Map<number, SiteKeys['keys']>> {
  const sites = [...new Set(listeners.flatMap(({ site_id, runnable }) => (runnable.sealed === null ? [] : site_id)))]
  if (sites.length === 0) return new Map()
  const { keys } = await ctx.database.batch({ keys: sites.map((site) => selectSiteKeys(sql`${site}`)) }, keysMs)
  return new Map(sites.map((site, position) => [site, keys[position]?.all ?? []]))
}

/**
 * Puts an event into the outbox: an expression, for a statement of the transaction that does what it says. `account` is a
 * row of `public.users`, as it is then, or as it was when it is gone.
 */
export const announceAccount = (ctx: RequestContext, event: UserEvent, account: Sql): Sql =>
  sql`public.announce_account(${event}, ${ctx.tenant.host}, ${ctx.tenant.slug}, ${ctx.caller?.userId ?? null}, ${account})`
