/** Subscriptions on the wire. Spec: Events; Event subscriber. */
import { z } from 'zod'
import { listQuery } from '../http/lists/list.ts'
import { oneWay, rangeParameters } from '../http/lists/range.ts'
import { count, id, timestamp } from '../http/openapi/bodies.ts'
import { eventNames, events } from './catalog.ts'
import { webhookBody } from './payloads.ts'
import { list } from './store.ts'

export const subscription = z.strictObject({ function_id: id.describe('The id of the function.') })

const name = z.enum(eventNames)

/** The events themselves are few, and in an order of their own. */
export const wholeCatalog = { isWhole: true } as const
export const eventsQuery = z.object(rangeParameters(wholeCatalog)).superRefine(oneWay)
export type EventsQuery = z.infer<typeof eventsQuery>

export const subscribersQuery = listQuery(list, {})
export type SubscribersQuery = z.infer<typeof subscribersQuery>

const answer = <Data extends z.ZodType>(data: Data) =>
  z.object({
    success: z.literal(true).describe('The request succeeded.'),
    message: z.string().describe('What was done, in a sentence.'),
    data: data.describe('The answer itself.'),
  })

export const eventList = answer(z.object({ events: z.array(name).describe('The names of the events.') })).meta({
  id: 'Events',
  description: 'The events that functions can subscribe to.',
})

const subscriber = z
  .object({
    id: id.describe('The id of the subscription.'),
    event: name.describe('The name of the event.'),
    function: id.describe('The id of the function.'),
    function_name: z.string().describe('The name of the function.'),
    function_slug: z.string().describe('The slug of the function.'),
    app_name: z.string().describe('The name of the app of the function.'),
    app_slug: z.string().describe('The slug of the app of the function.'),
    created_at: timestamp.describe('When the function was subscribed.'),
    updated_at: timestamp.describe('When the subscription was last changed.'),
  })
  .meta({ id: 'Subscriber', description: 'A function that runs for an event.' })
export type Subscriber = z.infer<typeof subscriber>

export const subscribed = answer(subscriber)
export const unsubscribed = answer(z.object({}))

/** In the view of an app. */
const appSubscriber = z.object({
  subscriber_id: id.describe('The id of the subscription.'),
  event: name.describe('The name of the event.'),
  function_id: id.describe('The id of the function.'),
  function_name: z.string().describe('The name of the function.'),
  function_slug: z.string().describe('The slug of the function.'),
  app_id: id.describe('The id of the app of the function.'),
  app_name: z.string().describe('The name of the app of the function.'),
  app_slug: z.string().describe('The slug of the app of the function.'),
  created_at: timestamp.describe('When the function was subscribed.'),
  filter_conditions: z.string().describe('The CEL expression that has to hold for the function to run; empty: it always runs.'),
})
export type AppSubscriber = z.infer<typeof appSubscriber>

const appEvent = z.object({
  event: name.describe('The name of the event.'),
  app: z
    .object({
      id: id.describe('The id of the app.'),
      name: z.string().describe('The name of the app.'),
      slug: z.string().describe('The slug of the app.'),
    })
    .describe('The app whose functions are subscribed.'),
  total_subscribers: count.describe('How many functions of the app are subscribed.'),
  subscribers: z.array(appSubscriber).describe('The functions.'),
})
export type AppEvent = z.infer<typeof appEvent>
export const appEventView = answer(appEvent).meta({ id: 'AppEvent', description: 'The functions of an app that run for an event.' })

/** What servers of `proxy` functions get, by the event. */
export const webhooks: ReadonlyMap<string, z.ZodType> = new Map([...events].map(([event, { payload }]) => [event, webhookBody(event, payload)]))

/** Spec: Errors, events. */
export const eventFailure = z
  .object({ success: z.literal(false).describe('The request failed.'), message: z.string().describe('What failed.') })
  .meta({ id: 'EventFailure', description: 'A failure.' })
