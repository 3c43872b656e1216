/** Applies the events of a list to the list that a follower has. */
import type { LiveEvent } from './events.ts'

/** A list that is followed, as it is at this moment. It never changes: a later list is another object. */
export interface LiveList<Item> {
  readonly data: readonly Item[]
  /** The number of all matching records; null if it is not known. */
  readonly total: number | null
  /** The whole answer, with `meta` or `aggregates`. */
  readonly answer: Readonly<Record<string, unknown>>
}

type Item = Readonly<Record<string, unknown>>

/** What `change` brings. docs/guide/live.md describes it. */
interface Change {
  entered: readonly { at: number; record: Item }[]
  left: readonly unknown[]
  changed: readonly Item[]
  order?: readonly unknown[]
  list?: string
}

/**
 * Returns the list after an event. `key`: the fields of a record's key. Records that stay are the same objects.
 */
export function applied(
  before: LiveList<Item> | undefined,
  { event, data }: LiveEvent,
  key: readonly string[],
): LiveList<Item> | undefined {
  if (event === 'list') {
    const { list: _name, ...answer } = data
    const records = answer.data
    const total = (answer.total as number | null | undefined) ?? null
    return { data: (Array.isArray(records) ? records : [records]) as Item[], total, answer }
  }
  if (event !== 'change' || !before) return before
  const { list: _name, entered, left, changed, order, ...beside } = data as unknown as Change
  const keyOf = (record: Item) =>
    keyText(key.length === 1 ? record[key[0] as string] : key.map((name) => record[name]))
  const gone = new Set(left.map(keyText))
  const news = new Map(changed.map((record) => [keyOf(record), record]))
  let records = before.data.flatMap((record) => {
    const own = keyOf(record)
    return gone.has(own) ? [] : [news.get(own) ?? record]
  })
  for (const { at, record } of entered) records.splice(at, 0, record)
  if (order) {
    const byKey = new Map(records.map((record) => [keyOf(record), record]))
    records = order.flatMap((one) => {
      const record = byKey.get(keyText(one))
      return record ? [record] : []
    })
  }
  const answer = { ...before.answer, ...beside, data: records }
  return { data: records, total: (answer as { total?: number | null }).total ?? null, answer }
}

const keyText = (key: unknown): string => JSON.stringify(key)
