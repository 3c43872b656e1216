/** The same tables in a datasource of each kind, with functions that get the events of their records. */
import { createEventful, type Eventful, noop } from './events.ts'
import { addDocuments, addTables } from './fixtures.ts'

/** The kinds of datasources. */
export const providers = ['flat_table', 'jsonb'] as const

export interface BothProviders extends Eventful {
  /** Returns the path of a table's records, by the provider that stores them. */
  data: Readonly<Record<(typeof providers)[number], (table: string) => string>>
}

/**
 * Creates the tables of these resources in the apps `shop` (flat tables) and `papers` (jsonb) of a new site,
 * each with a function that is subscribed to the events.
 */
export async function createInBothProviders(
  name: string,
  resources: readonly unknown[],
  events: readonly string[],
): Promise<BothProviders> {
  const eventful = await createEventful(name)
  const { app, shop, owner, subscribe } = eventful
  await addTables(app, shop, resources)
  const documents = await addDocuments(app, shop, resources)
  for (const slug of ['shop', 'papers']) {
    const { body } = await owner.post(`/apps/${slug}/functions/`, { name: `heard ${slug}`, ...noop })
    for (const event of events) await subscribe(event, body.id)
  }
  return { ...eventful, data: { flat_table: shop.data, jsonb: documents } }
}
