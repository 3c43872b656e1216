/** The operations of /api/cloud/events, and the list of the subscribers in an app. */

import * as z from 'zod'
import { signedInOrKey } from '../../kernel/access/credentials.ts'
import { eventSubscribers } from '../../kernel/access/policies.ts'
import { detail, fieldMessages, success } from '../../kernel/http/openapi/bodies.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import {
  appEventView,
  eventFailure,
  eventList,
  eventsQuery,
  subscribed,
  subscribersQuery,
  subscription,
  unsubscribed,
  unsubscription,
} from './schema.ts'
import { listEvents, readAppEvent, subscribe, unsubscribe } from './service.ts'

const invalid = { 400: z.union([eventFailure, detail, fieldMessages]) }

const ofBlocking = 'PRE_USER_CREATE can refuse new accounts, so its subscriptions need `manage_site`.'

/** The operations on events and subscriptions. */
export const eventRoutes: readonly Route[] = [
  route({
    id: 'listEvents',
    summary: 'List events',
    method: 'GET',
    path: '/api/cloud/events',
    auth: signedInOrKey,
    may: eventSubscribers,
    query: eventsQuery,
    answers: { 200: eventList },
    handle: async ({ ctx, query }) => ({
      200: success('Events retrieved successfully.', { events: [...(await listEvents(ctx, query))] }),
    }),
  }),
  route({
    id: 'subscribeToEvent',
    summary: 'Subscribe a function to an event',
    description: `A function of a record event can be limited to some tables. ${ofBlocking}`,
    method: 'POST',
    path: '/api/cloud/events/:event/subscribe',
    auth: signedInOrKey,
    may: eventSubscribers,
    body: subscription,
    answers: { 201: subscribed, ...invalid },
    handle: async ({ ctx, params, body }) => {
      const data = await subscribe(ctx, params.event, body)
      return { 201: success('The function has been subscribed to the event.', data) }
    },
  }),
  route({
    id: 'unsubscribeFromEvent',
    summary: 'Unsubscribe a function from an event',
    description: ofBlocking,
    method: 'POST',
    path: '/api/cloud/events/:event/unsubscribe',
    auth: signedInOrKey,
    may: eventSubscribers,
    body: unsubscription,
    answers: {
      200: unsubscribed,
      ...invalid,
      404: z.union([eventFailure, detail]),
    },
    handle: async ({ ctx, params, body }) => {
      await unsubscribe(ctx, params.event, body.function_id)
      return {
        200: success('The function has been unsubscribed from the event.', {}),
      }
    },
  }),
]

/** The operations on the events of an app. */
export const appEventRoutes: readonly Route[] = [
  route({
    id: 'listEventSubscribers',
    summary: 'List the subscribers of an event in an app',
    method: 'GET',
    path: '/api/apps/:app/events/:event',
    auth: signedInOrKey,
    may: eventSubscribers,
    query: subscribersQuery,
    answers: {
      200: appEventView,
      400: eventFailure,
    },
    handle: async ({ ctx, params, query }) => ({
      200: success(
        'Subscribers retrieved successfully.',
        await readAppEvent(ctx, params.app, params.event, query),
      ),
    }),
  }),
]
