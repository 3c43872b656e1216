/** The text of a value in a cell: one line. */

/** The maximum length of the text of a cell, in characters. */
const lengthMax = 200

export function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text
}
