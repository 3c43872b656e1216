/** Writes the key of a record for a path or a list: see "Keys" in docs/guide/conventions.md. */

/** The key of a record: one value, or the values of a composite key in the order of its fields. */
export type AnyKey = string | number | readonly (string | number)[]

/**
 * Returns the last part of a record's path, percent-encoded. Throws for a text that cannot be the end of a
 * path.
 */
export function keyPath(key: AnyKey): string {
  const text = typeof key === 'object' ? key.map(quoted).join(',') : quotedAlone(String(key))
  if (text === '' || text === '.' || text === '..')
    throw new TypeError(`"${text}" is not the key of a record.`)
  return encodeURIComponent(text)
}

/** Returns keys as a list, for `ids`. A composite key has one place per field. */
export const keyList = (keys: readonly AnyKey[]): string => keys.flat().map(quoted).join(',')

const quoted = (part: string | number): string => {
  const text = String(part)
  return /[",]|^$/.test(text) ? inQuotes(text) : text
}

/** A key of one field is read as it is, unless it begins with a quote. */
const quotedAlone = (text: string): string => (text.startsWith('"') ? inQuotes(text) : text)

const inQuotes = (text: string): string => `"${text.replaceAll('"', '""')}"`
