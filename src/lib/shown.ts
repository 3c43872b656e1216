const shownMax = 60

/** A value of a client's as it is shown to it in a message: quoted, and cut where it is long. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, shownMax + 1)) : JSON.stringify(value)
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text
}
