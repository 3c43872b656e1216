/**
 * The events for which functions of a site have run. The runs of all functions for an event contain the
 * event.
 */
import type { Client } from '../../../client/src/index.ts'
import type { Invocation } from '../../../client/src/site/functions.ts'
import { exitCodes } from '../exit-codes.ts'
import { Problem } from '../problem.ts'

/** Selects events by name and by table. */
export interface EventFilter {
  type?: string
  table?: string
}

/** The parameters of a run that an event caused. */
export interface EventParameters {
  type: string
  app_slug?: string
  datatable?: string
  record_id?: string | number | readonly (string | number)[]
  [member: string]: unknown
}

/** Returns the event that caused an invocation; undefined if it has another trigger. */
export const eventOf = ({ trigger_type, params }: Invocation): EventParameters | undefined =>
  trigger_type === 'event' ? (params as EventParameters) : undefined

/** Returns whether an event is selected. Events of accounts belong to no app. */
export const isAsked = (
  { type, app_slug, datatable }: EventParameters,
  app: string | undefined,
  filter: EventFilter,
): boolean =>
  (filter.type === undefined || type === filter.type) &&
  (filter.table === undefined || datatable === filter.table) &&
  (app === undefined || app_slug === undefined || app_slug === app)

/** The maximum number of invocations to search for the latest event. */
const lookedThrough = 1000

/** Returns the invocation with the latest event of an app. Throws a Problem if there is none. */
export async function latestEvent(
  client: Client,
  app: string,
  filter: EventFilter,
): Promise<{ id: number; params: EventParameters }> {
  const pageSize = 100
  for (let page = 1; page <= lookedThrough / pageSize; page++) {
    const { data } = await client.invocations.list({ trigger: 'event', ordering: ['-id'], page, pageSize })
    for (const invocation of data) {
      const params = eventOf(invocation)
      if (params && isAsked(params, app, filter)) return { id: invocation.id, params }
    }
    if (data.length < pageSize) break
  }
  const what = [filter.type, filter.table && `of the table ${filter.table}`].filter(Boolean).join(' ')
  throw new Problem(
    `No function was run for an event${what && ` ${what}`} of the app ${app}. Subscribe one to it, ` +
      'or write the event into a file for --event.',
    exitCodes.notFound,
  )
}
