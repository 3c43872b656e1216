/** Compares a list with the one that its followers have. */

/** A record of a list: its key as JSON, and a digest of its text. */
export interface Known {
  key: string
  digest: string
}

/** A record with its text, as the list shows it. */
export interface Listed extends Known {
  text: string
}

/**
 * Returns the JSON of the change that leads from one list to another; undefined if there is none. A follower
 * takes the records of `left` away, replaces those of `changed` in their places, puts each of `entered`, one
 * after the other, to its place in the new list, and then, with `order`, takes that order of all keys.
 */
export function differenceOf(before: readonly Known[], after: readonly Listed[]): string | undefined {
  const digests = new Map(before.map(({ key, digest }) => [key, digest]))
  const kept = new Set(after.map(({ key }) => key))
  const left = before.filter(({ key }) => !kept.has(key)).map(({ key }) => key)
  const changed = after.filter(({ key, digest }) => digests.has(key) && digests.get(key) !== digest)
  const entered = after.flatMap((one, at) => (digests.has(one.key) ? [] : [{ at, one }]))
  const order = before.filter(({ key }) => kept.has(key)).map(({ key }) => key)
  for (const { at, one } of entered) order.splice(at, 0, one.key)
  const isOrdered = after.every(({ key }, at) => key === order[at])
  if (isOrdered && left.length + changed.length + entered.length === 0) return undefined
  const members = [
    `"entered":[${entered.map(({ at, one }) => `{"at":${at},"record":${one.text}}`).join(',')}]`,
    `"left":[${left.join(',')}]`,
    `"changed":[${changed.map(({ text }) => text).join(',')}]`,
    ...(isOrdered ? [] : [`"order":[${after.map(({ key }) => key).join(',')}]`]),
  ]
  return `{${members.join(',')}}`
}
