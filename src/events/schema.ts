/** Subscriptions on the wire. Spec: Events; Event subscriber. */
import { z } from 'zod'
import { listQuery } from '../http/lists/list.ts'
import { oneWay, rangeParameters } from '../http/lists/range.ts'
import { count, id, timestamp } from '../http/openapi/bodies.ts'
import { eventNames, events } from './catalog.ts'
import { webhookBody } from './payloads.ts'
import { list } from './store.ts'

export const subscription = z.strictObject({ function_id: id })

const name = z.enum(eventNames)

/** The events themselves are few, and in an order of their own. */
export const wholeCatalog = { isWhole: true } as const
export const eventsQuery = z.object(rangeParameters(wholeCatalog)).superRefine(oneWay)
export type EventsQuery = z.infer<typeof eventsQuery>

export const subscribersQuery = listQuery(list, {})
export type SubscribersQuery = z.infer<typeof subscribersQuery>

const answer = <Data extends z.ZodType>(data: Data) => z.object({ success: z.literal(true), message: z.string(), data })

export const eventList = answer(z.object({ events: z.array(name) })).meta({ id: 'Events' })

const subscriber = z
  .object({
    id,
    event: name,
    function: id,
    function_name: z.string(),
    function_slug: z.string(),
    app_name: z.string(),
    app_slug: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Subscriber' })
export type Subscriber = z.infer<typeof subscriber>

export const subscribed = answer(subscriber)
export const unsubscribed = answer(z.object({}))

/** In the view of an app. */
const appSubscriber = z.object({
  subscriber_id: id,
  event: name,
  function_id: id,
  function_name: z.string(),
  function_slug: z.string(),
  app_id: id,
  app_name: z.string(),
  app_slug: z.string(),
  created_at: timestamp,
  filter_conditions: z.string(),
})
export type AppSubscriber = z.infer<typeof appSubscriber>

const appEvent = z.object({
  event: name,
  app: z.object({ id, name: z.string(), slug: z.string() }),
  total_subscribers: count,
  subscribers: z.array(appSubscriber),
})
export type AppEvent = z.infer<typeof appEvent>
export const appEventView = answer(appEvent).meta({ id: 'AppEvent' })

/** What servers of `proxy` functions get, by the event. */
export const webhooks: ReadonlyMap<string, z.ZodType> = new Map([...events].map(([event, { payload }]) => [event, webhookBody(event, payload)]))

/** Spec: Errors, events. */
export const eventFailure = z.object({ success: z.literal(false), message: z.string() }).meta({ id: 'EventFailure' })
