/** The file of an app's subscriptions. */
import type { Members } from '../../../src/operation/transfers/source/source.ts'
import {
  isSubscribedFunction,
  partsOf,
  type SubscribedFunction,
  subscribedFunction,
} from '../../../src/operation/transfers/source/subscribed-function.ts'
import type { Parts } from './parts.ts'

export const subscriptionsFile = 'subscriptions.json'

/** Reads the subscriptions. Adds each problem to `problems`. */
export function subscriptionsOf(
  members: Members,
  functions: ReadonlyMap<string, unknown>,
  problems: string[],
): Parts['subscriptions'] {
  const lists = Object.entries(members).flatMap(([event, list]): [string, SubscribedFunction[]][] => {
    const read = Array.isArray(list) && list.every(isSubscribedFunction) ? list : []
    if (read !== list)
      problems.push(
        `${subscriptionsFile}: ${event} must be an array of functions: their slugs, or ` +
          '{"function": slug, "tables": [names]}',
      )
    const bySlug = new Map(read.map(partsOf).map(({ slug, tables }) => [slug, tables]))
    const all = [...bySlug]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([slug, tables]) => subscribedFunction(slug, tables))
    for (const slug of [...bySlug.keys()].filter((one) => !functions.has(one)))
      problems.push(`${subscriptionsFile}: ${event} names ${slug}, and there is no functions/${slug}.json`)
    return all.length > 0 ? [[event, all]] : []
  })
  return Object.fromEntries(lists)
}
