/** A shop with functions that are subscribed to events, and a queue that the test controls. */
import { events } from '../../src/runtime/events/catalog.ts'
import { type Site, siteIdOf, startApp, type TestApp } from './app.ts'
import { createShop, ownerOf, type Shop } from './fixtures.ts'
import { type HeldQueue, heldQueue } from './queue.ts'

export interface Eventful {
  app: TestApp
  shop: Shop
  queue: HeldQueue
  owner: ReturnType<typeof ownerOf>
  /** Creates a function, and subscribes it to events. Returns its id. */
  listener(name: string, events: readonly string[], fields?: object): Promise<number>
  subscribe(event: string, functionId: number): ReturnType<TestApp['request']>
  unsubscribe(event: string, functionId: number): ReturnType<TestApp['request']>
  /** The invocations of a function, the oldest first. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert whole bodies
  runs(slug: string): Promise<any[]>
}

/** Creates a shop in a new app. `variables` replace those of the environment. */
export async function createEventful(
  name: string,
  variables: Record<string, string> = {},
): Promise<Eventful> {
  const queue = heldQueue()
  const app = await startApp(variables)
  app.env.EVENTS = queue.binding
  return eventfulShop(app, name, queue)
}

export async function eventfulShop(app: TestApp, name: string, queue: HeldQueue): Promise<Eventful> {
  const shop = await createShop(app, name)
  const owner = ownerOf(app, shop, '')
  const subscribe = (event: string, functionId: number) =>
    owner.post(`/cloud/events/${event}/subscribe/`, { function_id: functionId })
  return {
    app,
    shop,
    queue,
    owner,
    subscribe,
    unsubscribe: (event, functionId) =>
      owner.post(`/cloud/events/${event}/unsubscribe/`, { function_id: functionId }),
    async listener(slug, events, fields = { code: 'export default (params) => params' }) {
      const { body } = await owner.post('/apps/shop/functions/', { name: slug, ...fields })
      for (const event of events) {
        const answer = await subscribe(event, body.id)
        if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
      }
      return body.id
    },
    async runs(slug) {
      const { body } = await owner.get(`/invocations/?function_slug=${slug}&page_size=100`)
      return body.results.reverse()
    },
  }
}

export const noop = { execution_mode: 'system', system_function: 'noop' }
export const fail = { execution_mode: 'system', system_function: 'fail' }

/**
 * Validates the payloads of a site's invocations against the catalog. Returns the events that occurred, and
 * the problems.
 */
export async function checkPayloads(
  app: TestApp,
  site: Site,
): Promise<{ seen: string[]; problems: string[] }> {
  const runs = await app.sql<{ event: string; params: unknown }>(
    `select distinct event, params::jsonb as params from tenant._invocations
      where site_id = $1 and event is not null`,
    [siteIdOf(site)],
  )
  const problems = runs.flatMap(({ event, params }) => {
    const checked = events.get(event)?.payload.safeParse(params)
    return checked?.success ? [] : [`${event} ${JSON.stringify(params)}: ${checked?.error.message}`]
  })
  return { seen: [...new Set(runs.map(({ event }) => event))].sort(), problems }
}
