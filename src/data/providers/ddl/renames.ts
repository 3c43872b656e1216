/** Orders renames so that no name is used twice at any time. */

/** A rename of a column, constraint or index. */
export interface Rename {
  from: string
  to: string
}

/**
 * Returns the renames in a possible order. If a new name is still in use, its present owner gets a temporary
 * name first. In reverse order, the renames restore the old names.
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
