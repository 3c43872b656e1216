/** /api/cloud/events, and an app's view of an event */
import { Hono } from 'hono'
import { z } from 'zod'
import { eventSubscribers } from '../access/policies.ts'
import type { AppEnv } from '../http/app-env.ts'
import { detail, fieldMessages } from '../http/openapi/bodies.ts'
import { operation } from '../http/openapi/describe.ts'
import { body, query } from '../http/validate.ts'
import { appEventView, eventFailure, eventList, eventsQuery, subscribed, subscribersQuery, subscription, unsubscribed } from './schema.ts'
import { listEvents, readAppEvent, subscribe, unsubscribe } from './service.ts'

const refusals = { 400: z.union([eventFailure, detail, fieldMessages]) }

export const eventRoutes = new Hono<AppEnv>()
  .get('/', operation('listEvents', 'List events', { 200: eventList }), eventSubscribers, query(eventsQuery), async (c) =>
    c.json({ success: true, message: 'Events retrieved successfully.', data: { events: await listEvents(c.var.ctx, c.req.valid('query')) } }),
  )
  .post(
    '/:event/subscribe',
    operation('subscribeToEvent', 'Subscribe a function to an event', { 201: subscribed, ...refusals }),
    eventSubscribers,
    body(subscription),
    async (c) => {
      const data = await subscribe(c.var.ctx, c.req.param('event'), c.req.valid('json').function_id)
      return c.json({ success: true, message: 'The function has been subscribed to the event.', data }, 201)
    },
  )
  .post(
    '/:event/unsubscribe',
    operation('unsubscribeFromEvent', 'Unsubscribe a function from an event', {
      200: unsubscribed,
      ...refusals,
      404: z.union([eventFailure, detail]),
    }),
    eventSubscribers,
    body(subscription),
    async (c) => {
      await unsubscribe(c.var.ctx, c.req.param('event'), c.req.valid('json').function_id)
      return c.json({ success: true, message: 'The function has been unsubscribed from the event.', data: {} })
    },
  )

export const appEventRoutes = new Hono<AppEnv, Record<never, never>, '/:app/events'>().get(
  '/:event',
  operation('listEventSubscribers', 'List the subscribers of an event in an app', { 200: appEventView, 400: eventFailure }),
  eventSubscribers,
  query(subscribersQuery),
  async (c) =>
    c.json({
      success: true,
      message: 'Subscribers retrieved successfully.',
      data: await readAppEvent(c.var.ctx, c.req.param('app'), c.req.param('event'), c.req.valid('query')),
    }),
)
