/** How messages say what a schema wants. They quote the schema, and never the value. */

const textMax = 300

/** A value of the schema, cut where it is long. */
export function quoted(value: unknown): string {
  return cut(JSON.stringify(value), textMax)
}

export const cut = (text: string, lengthMax: number): string => (text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text)

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

/** By the one keyword that a simple schema has: what it demands of a value. */
const traits: Record<string, (value: unknown) => string> = {
  const: (value) => `be ${quoted(value)}`,
  enum: (values) => `be ${either(isList(values) ? values.map(quoted) : [])}`,
  type: (types) => `be of type ${either(isList(types) ? types : [String(types)])}`,
  pattern: (pattern) => `match the pattern ${pattern}`,
  format: (format) => `be in the format ${format}`,
  required: (names) => (isList(names) ? `have ${names.length === 1 ? 'the field' : 'all the fields'} ${names.map(quoted).join(', ')}` : ''),
  minimum: (limit) => `be greater than or equal to ${limit}`,
  maximum: (limit) => `be less than or equal to ${limit}`,
}

/** What a schema demands, if it is a simple one; otherwise where the schema is. Continues `must`. */
export function trait(schema: unknown, path: string): string {
  const entries = typeof schema === 'object' && schema !== null ? Object.entries(schema) : []
  const [[keyword, value] = ['', undefined]] = entries
  const words = entries.length === 1 && Object.hasOwn(traits, keyword) ? traits[keyword]?.(value) : undefined
  return words ?? `match the schema at ${path}`
}
