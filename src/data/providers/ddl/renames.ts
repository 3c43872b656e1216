/** Orders renames so that no name is used twice at any time. */

/** A rename of a column, constraint or index. */
export interface Rename {
  from: string
  to: string
}

/**
 * Returns the renames in a possible order. A thing whose name another one gets first takes a temporary name.
 * Reversed, from the last to the first, they restore the old names.
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
