/** Samples of events, for `tessera functions run --event`. */
import type { Client } from '../../../client/src/index.ts'
import { type EventName, eventNames } from '../../../src/runtime/events/catalog.ts'
import { recordEvents, type SampledTable, sampleEvent } from '../../../src/runtime/events/sample.ts'
import { exitCodes } from '../exit-codes.ts'
import { Problem } from '../problem.ts'

interface Described {
  json_schema: Omit<SampledTable, 'app' | 'name'>
}

/** Returns the sample of an event; `table` is needed for events of records. Throws a Problem for others. */
export async function sampleFor(
  client: Client,
  app: string,
  event: string,
  table: string | undefined,
): Promise<object> {
  if (!isEvent(event))
    throw new Problem(`There is no event ${event}. Events: ${eventNames.join(', ')}.`, exitCodes.usage)
  if (!(recordEvents as readonly string[]).includes(event)) return sampleEvent(event, undefined)
  if (table === undefined)
    throw new Problem(`${event} needs --table: the table of the record.`, exitCodes.usage)
  const path = `/api/apps/${encodeURIComponent(app)}/datatables/${encodeURIComponent(table)}/`
  const { json_schema } = await client.request<Described>({ path })
  return sampleEvent(event, { app, name: table, ...json_schema })
}

const isEvent = (name: string): name is EventName => (eventNames as readonly string[]).includes(name)
