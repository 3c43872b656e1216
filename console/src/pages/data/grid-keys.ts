/** The keys that move between the cells of a grid. */

/** A cell, or with the row -1 the title of a column. */
export interface Place {
  row: number
  column: number
}

type Step = (at: Place, page: number, last: Place) => Place

const steps: Readonly<Record<string, Step>> = {
  ArrowDown: (at) => ({ ...at, row: at.row + 1 }),
  ArrowUp: (at) => ({ ...at, row: at.row - 1 }),
  ArrowRight: (at) => ({ ...at, column: at.column + 1 }),
  ArrowLeft: (at) => ({ ...at, column: at.column - 1 }),
  PageDown: (at, page) => ({ ...at, row: at.row + page }),
  PageUp: (at, page) => ({ ...at, row: at.row - page }),
  Home: (at) => ({ ...at, column: 0 }),
  End: (at, _, last) => ({ ...at, column: last.column }),
}

/** With Ctrl: the first and the last loaded cell. */
const farSteps: Readonly<Record<string, Step>> = {
  Home: () => ({ row: 0, column: 0 }),
  End: (_, __, last) => last,
}

/** Returns the id of a cell in the page. */
export const placeOf = ({ row, column }: Place): string => `${row} ${column}`

/**
 * Returns the cell to which a key moves; undefined if the key does not move. `page`: the number of rows on
 * the screen.
 */
export function stepOf(
  { key, altKey, metaKey, ctrlKey }: Pick<KeyboardEvent, 'key' | 'altKey' | 'metaKey' | 'ctrlKey'>,
  at: Place,
  page: number,
  last: Place,
): Place | undefined {
  if (altKey || metaKey) return undefined
  const next = (ctrlKey ? farSteps : steps)[key]?.(at, page, last)
  return (
    next && {
      row: Math.min(Math.max(next.row, -1), last.row),
      column: Math.min(Math.max(next.column, 0), last.column),
    }
  )
}
