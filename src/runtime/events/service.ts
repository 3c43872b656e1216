/** Events and the functions that are subscribed to them. Spec: Events, endpoints; E7. */
import type { RequestContext } from '../../kernel/context.ts'
import { isViolationOf } from '../../kernel/db/failures.ts'
import { inTenant, requireAccess } from '../../kernel/db/tenant.ts'
import { appNotFound, found } from '../../kernel/errors.ts'
import { bareListOf } from '../../kernel/http/lists/envelopes.ts'
import { partOf } from '../../kernel/http/lists/range.ts'
import { type EventName, eventNames, events } from './catalog.ts'
import {
  alreadySubscribed,
  invalidEvent,
  noTables,
  notSubscribed,
  unknownFunction,
  unknownTables,
} from './errors.ts'
import {
  type AppEvent,
  type EventsQuery,
  type Subscriber,
  type SubscribersQuery,
  type Subscription,
  wholeCatalog,
} from './schema.ts'
import * as store from './store.ts'

export { tableNames } from './store.ts'

/**
 * Returns the names of the events, or a part of them. The catalog is the same for every site, so only access
 * is checked.
 */
export async function listEvents(ctx: RequestContext, query: EventsQuery): Promise<EventName[]> {
  await requireAccess(ctx)
  return partOf(eventNames, query, wholeCatalog)
}

/** Throws the 400 for an unknown event, but only to callers with access. */
async function requireEvent(ctx: RequestContext, event: string): Promise<void> {
  if (events.has(event)) return
  await requireAccess(ctx)
  throw invalidEvent(event)
}

/**
 * Throws the 400 for an unknown event, as `requireEvent`. An operation waits for the functions of a blocking
 * event and fails with them, so changing their subscriptions needs `manage_site`, which the entry checks. E8.
 */
async function requireSubscribable(ctx: RequestContext, event: string): Promise<void> {
  await requireEvent(ctx, event)
  if (events.get(event)?.blocking) ctx.permission = 'manage_site'
}

/**
 * Subscribes a function to an event. Throws 400 for an unknown event, function or table, and for a duplicate;
 * 403 without `manage_site` for a blocking event.
 */
export async function subscribe(
  ctx: RequestContext,
  event: string,
  { function_id: functionId, tables }: Pick<Subscription, 'function_id' | 'tables'>,
): Promise<Subscriber> {
  await requireSubscribable(ctx, event)
  if (tables && !events.get(event)?.ofRecords) {
    await requireAccess(ctx)
    throw noTables(event)
  }
  const { subscriber, unknown } = await inTenant(ctx, 'write', {
    subscriber: store.insertSubscriber(event, functionId, tables),
    unknown: store.selectUnknownTables(functionId, tables ?? []),
  }).catch((error: unknown) => {
    throw isViolationOf(error, '_subscribers_event_function_id_key')
      ? alreadySubscribed(functionId, event)
      : error
  })
  if (unknown.all.length > 0) throw unknownTables(unknown.all.map(({ name }) => name))
  if (!subscriber.first) throw unknownFunction(functionId)
  return subscriber.first
}

/**
 * Removes a subscription. Throws 400 for an unknown event or function, 404 if the function is not subscribed,
 * and 403 as `subscribe` does.
 */
export async function unsubscribe(ctx: RequestContext, event: string, functionId: number): Promise<void> {
  await requireSubscribable(ctx, event)
  const statements = {
    function: store.selectFunctionId(functionId),
    deleted: store.deleteSubscriber(event, functionId),
  }
  const answers = await inTenant(ctx, 'write', statements)
  if (!answers.function.first) throw unknownFunction(functionId)
  if (!answers.deleted.first) throw notSubscribed(functionId, event)
}

/** Returns the subscribers of an event in an app. Throws 400 for an unknown event, 404 for an unknown app. */
export async function readAppEvent(
  ctx: RequestContext,
  app: string,
  event: string,
  query: SubscribersQuery,
): Promise<AppEvent> {
  await requireEvent(ctx, event)
  const statements = { app: store.selectApp(app), ...store.selectSubscribers(app, event, query) }
  const answers = await inTenant(ctx, 'read', statements)
  const { total, items } = bareListOf(answers, (subscriber) => subscriber)
  return {
    event: event as AppEvent['event'],
    app: found(answers.app.first, () => appNotFound(app)),
    total_subscribers: total,
    subscribers: items,
  }
}
