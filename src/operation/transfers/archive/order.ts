/** Sorts the members in files, so that equal contents make equal files that are easy to read. */

/** Members that come first, in this order. All others follow in alphabetical order. */
const first = [
  'name',
  'title',
  'description',
  'datasource',
  'materialized',
  'type',
  'format',
  'primaryKey',
  'fields',
  'constraints',
  'default',
  'uniqueKeys',
  'foreignKeys',
  'indexes',
  'reference',
  'who',
  'can',
  'where',
  'schema',
]

const rank = new Map(first.map((name, index) => [name, index]))

const compare = (a: string, b: string): number => {
  const [left = first.length, right = first.length] = [rank.get(a), rank.get(b)]
  if (left !== right) return left - right
  return a < b ? -1 : 1
}

/** Returns JSON with its members in order, at every depth. */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => compare(a, b))
      .map(([name, member]) => [name, inOrder(member)]),
  )
}
