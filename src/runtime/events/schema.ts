/** Events and subscriptions in the API. Spec: Events; Event subscriber. */
import * as z from 'zod'
import { type ListForm, listQuery } from '../../kernel/http/lists/list.ts'
import { rangeParameters, rejectMixedPaging } from '../../kernel/http/lists/range.ts'
import { count, errorCode, id, timestamp } from '../../kernel/http/openapi/bodies.ts'
import { withReadOnly } from '../../kernel/http/with-read-only.ts'
import { eventNames, events } from './catalog.ts'
import { webhookBody } from './payloads.ts'

/** How clients can sort and search the list of subscribers. */
export const listForm = {
  orderings: ['subscriber_id', 'function_name', 'function_slug', 'created_at'],
  ordering: 'subscriber_id',
  searched: 'the name or the slug of the function',
  isWhole: true,
} as const satisfies ListForm

const name = z.enum(eventNames)
/** The maximum number of tables of a subscription. */
const tablesMax = 200

/** The list of events: by default all of them, in the order of the catalog. */
export const wholeCatalog = { isWhole: true } as const
/** The query parameters of the list of events. */
export const eventsQuery = z.object(rangeParameters(wholeCatalog)).superRefine(rejectMixedPaging)
/** The parsed query parameters. */
export type EventsQuery = z.infer<typeof eventsQuery>

/** The query parameters of the list of subscribers. */
export const subscribersQuery = listQuery(listForm, {})
/** The parsed query parameters. */
export type SubscribersQuery = z.infer<typeof subscribersQuery>

/** The envelope of successful responses. */
const successOf = <Data extends z.ZodType>(data: Data) =>
  z.object({
    success: z.literal(true).describe('The request succeeded.'),
    message: z.string().describe('A confirmation.'),
    data: data.describe('The content of the response.'),
  })

/** The response with the names of events. */
export const eventList = successOf(
  z.object({ events: z.array(name).describe('The names of the events.') }),
).meta({
  id: 'Events',
  description: 'The events that functions can subscribe to.',
})

const tables = z
  .array(z.string())
  .nullable()
  .describe(
    'The names of the tables whose records run the function, in alphabetical order. Null: all tables of ' +
      'its app. Always null for events of accounts.',
  )

const subscriber = z
  .object({
    id: id.describe('The id of the subscription.'),
    event: name.describe('The name of the event.'),
    function: id.describe('The id of the function.'),
    function_name: z.string().describe('The name of the function.'),
    function_slug: z.string().describe('The slug of the function.'),
    app_name: z.string().describe('The name of the app of the function.'),
    app_slug: z.string().describe('The slug of the app of the function.'),
    tables,
    created_at: timestamp.describe('When the function was subscribed.'),
    updated_at: timestamp.describe('When the subscription was last changed.'),
  })
  .meta({ id: 'Subscriber', description: 'A function that is subscribed to an event.' })
/** A subscription in responses. */
export type Subscriber = z.infer<typeof subscriber>

/** The response to subscribe. */
export const subscribed = successOf(subscriber)
/** The response to unsubscribe. */
export const unsubscribed = successOf(z.object({}))

/** A subscriber in the list of an app. */
const appSubscriber = z.object({
  subscriber_id: id.describe('The id of the subscription.'),
  event: name.describe('The name of the event.'),
  function_id: id.describe('The id of the function.'),
  function_name: z.string().describe('The name of the function.'),
  function_slug: z.string().describe('The slug of the function.'),
  app_id: id.describe('The id of the app of the function.'),
  app_name: z.string().describe('The name of the app of the function.'),
  app_slug: z.string().describe('The slug of the app of the function.'),
  tables,
  created_at: timestamp.describe('When the function was subscribed.'),
  filter_conditions: z
    .string()
    .describe(
      'The CEL expression that must be true for the function to run. If it is empty, the function ' +
        'always runs.',
    ),
})
/** A subscriber in the list of an app. */
export type AppSubscriber = z.infer<typeof appSubscriber>

/** The body of unsubscribe. */
export const unsubscription = withReadOnly({ function_id: id }, appSubscriber, subscriber)

/** The body of subscribe. */
export const subscription = withReadOnly(
  { function_id: id, tables: tables.unwrap().min(1).max(tablesMax).nullable().default(null) },
  appSubscriber,
  subscriber,
)
/** The parsed body of subscribe. */
export type Subscription = z.infer<typeof subscription>

const appEvent = z.object({
  event: name.describe('The name of the event.'),
  app: z
    .object({
      id: id.describe('The id of the app.'),
      name: z.string().describe('The name of the app.'),
      slug: z.string().describe('The slug of the app.'),
    })
    .describe('The app whose functions are subscribed.'),
  total_subscribers: count.describe('The number of subscribed functions of the app.'),
  subscribers: z.array(appSubscriber).describe('The subscribed functions.'),
})
/** An event with its subscribers in an app. */
export type AppEvent = z.infer<typeof appEvent>
/** The response with the subscribers in an app. */
export const appEventView = successOf(appEvent).meta({
  id: 'AppEvent',
  description: 'The functions of an app that are subscribed to an event.',
})

/** The bodies of the calls of `proxy` functions, by event. */
export const webhooks: ReadonlyMap<string, z.ZodType> = new Map(
  [...events].map(([event, { payload }]) => [event, webhookBody(event, payload)]),
)

/** The body of errors. Spec: Errors, events. */
export const eventFailure = z
  .object({
    success: z.literal(false).describe('The request failed.'),
    message: z.string().describe('The reason.'),
    code: errorCode,
  })
  .meta({ id: 'EventFailure', description: 'An error.' })
