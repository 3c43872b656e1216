/** How messages say what a schema wants. They quote the schema, and never the value. */

const textMax = 300

/** A value of the schema, cut where it is long. */
export function quoted(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > textMax ? `${text.slice(0, textMax)}…` : text
}

/** `a, b or c`: as many as have room. */
export function either(values: readonly string[]): string {
  const shown: string[] = []
  let length = 0
  for (const value of values) {
    length += value.length
    if (shown.length > 0 && length > textMax) return `${shown.join(', ')} or one of ${values.length - shown.length} more`
    shown.push(value)
  }
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}` : (shown[0] ?? '')
}

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const isList = (value: unknown): value is string[] => Array.isArray(value)

/** By the one keyword that a simple schema has: what a value that fits it is. */
const traits: Record<string, (value: unknown) => string> = {
  const: (value) => quoted(value),
  enum: (values) => either(isList(values) ? values.map(quoted) : []),
  type: (types) => `of type ${either(isList(types) ? types : [String(types)])}`,
  pattern: (pattern) => `a text that matches the pattern ${pattern}`,
  format: (format) => `in the format ${format}`,
  required: (names) => (isList(names) ? `an object with ${names.map(quoted).join(' and ')}` : ''),
  minimum: (limit) => `a number from ${limit}`,
  maximum: (limit) => `a number up to ${limit}`,
}

/** What a value that fits a simple schema is; of another schema, where it stands. */
export function trait(schema: unknown, path: string): string {
  const entries = typeof schema === 'object' && schema !== null ? Object.entries(schema) : []
  const [[keyword, value] = ['', undefined]] = entries
  const words = entries.length === 1 && Object.hasOwn(traits, keyword) ? traits[keyword]?.(value) : undefined
  return words ?? `what ${path} of the schema describes`
}
