/** Quotes values of clients in messages. */

const lengthMax = 60

/** Returns a value as JSON text, truncated if it is long. */
export function quoteValue(value: unknown): string {
  const text =
    typeof value === 'string' ? JSON.stringify(value.slice(0, lengthMax + 1)) : JSON.stringify(value)
  return text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text
}
