/** Lists the latest runs of functions, and follows new ones. */

import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from '../../../client/src/index.ts'
import type { Invocation } from '../../../client/src/site/functions.ts'
import { allItems } from '../all-items.ts'
import type { Output } from '../terminal/output.ts'

/** Selects runs by app and function. */
export interface Filter {
  app: string
  /** A function; omitted: all functions of the app. */
  slug: string | undefined
}

/** The runs to list. */
interface Listed {
  slug?: string | undefined
  trigger?: string
}

/** How often to check for new runs, in ms. */
const pollMs = 1000

/** Returns the latest runs, oldest first. Throws 404 for an unknown app or function. */
export async function recentInvocations(
  client: Client,
  filter: Filter,
  limit: number,
): Promise<Invocation[]> {
  const isWanted = await matching(client, filter)
  const found: Invocation[] = []
  for await (const invocation of latest(client, filter)) {
    if (isWanted(invocation)) found.push(invocation)
    if (found.length === limit) break
  }
  return found.toReversed()
}

/** Returns the id of the latest run of the site; 0 if there is none. */
export const newestInvocation = async (client: Client): Promise<number> =>
  (await client.invocations.list({ ordering: ['-id'], pageSize: 1 })).data[0]?.id ?? 0

/** How many ids to look back, because concurrent runs may not be stored in the order of their ids. */
const overlap = 100

/** The runs to follow, and the start. */
interface Following extends Listed {
  isWanted(invocation: Invocation): boolean
  /** Returns whether a run can be shown yet. */
  isReady(invocation: Invocation): boolean
  /** The runs that were already shown, and those that were not ready. */
  known: readonly Invocation[]
  /** The id of the latest run before the followed ones. */
  start: number
}

/** Shows each run of functions after `start` when it has finished. Never returns. */
export const followFunctions = async (
  client: Client,
  filter: Filter,
  { known, start }: Pick<Following, 'known' | 'start'>,
  show: (invocation: Invocation) => void,
): Promise<never> => {
  const isWanted = await matching(client, filter)
  return followInvocations(client, { slug: filter.slug, isWanted, isReady: isFinished, known, start }, show)
}

/** Shows each run after `start` when it is ready. Never returns. */
export async function followInvocations(
  client: Client,
  { known, start, isWanted, isReady, ...listed }: Following,
  show: (invocation: Invocation) => void,
): Promise<never> {
  const seen = new Set(known.map(({ id }) => id))
  let last = start
  let pending = known.filter((one) => !isReady(one)).map(({ id }) => id)
  for (;;) {
    await wait(pollMs)
    const found: Invocation[] = []
    const floor = Math.max(start, last - overlap)
    for await (const invocation of latest(client, listed)) {
      if (invocation.id <= floor) break
      if (isWanted(invocation) && !seen.has(invocation.id)) found.unshift(invocation)
    }
    const waiting = await Promise.all(pending.map((id) => client.invocations.get(id)))
    const all = [...waiting, ...found]
    for (const invocation of all.filter(isReady)) show(invocation)
    pending = all.filter((one) => !isReady(one)).map(({ id }) => id)
    for (const { id } of found) seen.add(id)
    last = Math.max(last, ...found.map(({ id }) => id))
  }
}

/** Returns whether a run has ended. Only then is its output complete. */
export const isFinished = ({ finished_at }: Invocation): boolean => typeof finished_at === 'string'

/**
 * Returns a test for the runs of an app. The list has the runs of the whole site, and functions of other apps
 * may have the same slug.
 */
async function matching(client: Client, { app, slug }: Filter): Promise<(invocation: Invocation) => boolean> {
  const calls = client.app(app).$functions
  if (slug !== undefined) {
    const { id } = await calls.get(slug)
    return (invocation) => invocation.function === id
  }
  const ids = new Set<unknown>((await allItems(calls.list)).map(({ id }) => id))
  return (invocation) => ids.has(invocation.function)
}

/** Reads runs page by page, the latest first. */
async function* latest(client: Client, { slug, trigger }: Listed): AsyncGenerator<Invocation> {
  for (let page = 1; ; page++) {
    const { data } = await client.invocations.list({
      functionSlug: slug,
      trigger,
      ordering: ['-id'],
      page,
      pageSize: 100,
    })
    yield* data
    if (data.length < 100) return
  }
}

interface Line {
  level: string
  message: string
}

/** Shows a run with the lines that it printed. */
export function showInvocation(output: Output, invocation: Invocation): void {
  const { id, function_slug, status, trigger_type, event, duration_ms, created_at, error } = invocation
  const trigger = event ?? trigger_type
  const isFailure = status === 'FAILURE'
  output.line(
    `${created_at} #${id} ${function_slug} ${trigger} ${status}${duration_ms === null ? '' : ` ${duration_ms} ms`}`,
    isFailure ? 'red' : 'dim',
  )
  for (const { level, message } of (invocation.logs ?? []) as Line[]) output.line(`  ${level}: ${message}`)
  if (isFailure && error) output.line(`  ${error}`, 'red')
}
