/** Names that go from one thing to another. */

export interface Rename {
  from: string
  to: string
}

/**
 * The same renames, one after the other: what has the name that another gets goes aside before. Undone, each the other
 * way round and the last one first, they lead back.
 */
export function inOrder<Kind extends Rename>(renames: readonly Kind[]): Kind[] {
  const wanted = new Set(renames.map(({ to }) => to))
  const inTheWay = renames.filter(({ from }) => wanted.has(from))
  const places = new Map(inTheWay.map(({ from }, position) => [from, `_aside_${position}`]))
  return [
    ...inTheWay.map((rename) => ({ ...rename, to: places.get(rename.from) as string })),
    ...renames.map((rename) => ({ ...rename, from: places.get(rename.from) ?? rename.from })),
  ]
}
