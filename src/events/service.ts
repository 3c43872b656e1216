/** Who is subscribed to what. Spec: Events, endpoints; E7. */
import type { RequestContext } from '../context.ts'
import { isViolationOf } from '../db/failures.ts'
import { inTenant, requireAccess } from '../db/tenant.ts'
import { found } from '../errors.ts'
import { bareOf } from '../http/lists/envelopes.ts'
import { rangeOf } from '../http/lists/range.ts'
import { eventNames, events } from './catalog.ts'
import { alreadySubscribed, invalidEvent, notSubscribed, unknownFunction } from './errors.ts'
import { type AppEvent, type AppSubscriber, type EventsQuery, type Subscriber, type SubscribersQuery, wholeCatalog } from './schema.ts'
import * as store from './store.ts'

/** Whoever may ask is told; what there is, is the same everywhere. */
export async function listEvents(ctx: RequestContext, query: EventsQuery): Promise<typeof eventNames> {
  await requireAccess(ctx)
  const { offset, limit } = rangeOf(query, wholeCatalog)
  return eventNames.slice(offset, limit === null ? undefined : offset + limit)
}

/** An event that is none is told only to who may ask. */
async function known(ctx: RequestContext, event: string): Promise<void> {
  if (events.has(event)) return
  await requireAccess(ctx)
  throw invalidEvent(event)
}

export async function subscribe(ctx: RequestContext, event: string, functionId: number): Promise<Subscriber> {
  await known(ctx, event)
  const { subscriber } = await inTenant(ctx, 'write', { subscriber: store.insertSubscriber(event, functionId) }).catch((error: unknown) => {
    throw isViolationOf(error, '_subscribers_event_function_id_key') ? alreadySubscribed(functionId, event) : error
  })
  if (!subscriber.first) throw unknownFunction(functionId)
  return subscriber.first
}

export async function unsubscribe(ctx: RequestContext, event: string, functionId: number): Promise<void> {
  await known(ctx, event)
  const statements = { subscribable: store.selectFunctionId(functionId), deleted: store.deleteSubscriber(event, functionId) }
  const { subscribable, deleted } = await inTenant(ctx, 'write', statements)
  if (!subscribable.first) throw unknownFunction(functionId)
  if (!deleted.first) throw notSubscribed(functionId, event)
}

export async function readAppEvent(ctx: RequestContext, app: string, event: string, query: SubscribersQuery): Promise<AppEvent> {
  await known(ctx, event)
  const { results } = await inTenant(ctx, 'read', [store.selectApp(app), ...store.selectSubscribers(app, event, query)])
  const { total, items } = bareOf(results.rest(), (subscriber: AppSubscriber) => subscriber)
  return { event: event as AppEvent['event'], app: found(results.row<AppEvent['app']>(0)), total_subscribers: total, subscribers: items }
}
