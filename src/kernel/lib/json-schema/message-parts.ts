/** Parts of messages about a schema. They quote the schema, and never the value. */

const textMax = 300

/** Quotes a value of the schema, truncated if it is long. */
export function quoteJson(value: unknown): string {
  return truncate(JSON.stringify(value), textMax)
}

export const truncate = (text: string, lengthMax: number): string =>
  text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text

/** Lists values as `a, b or c`. Omits values that do not fit. */
export function listWithOr(values: readonly string[]): string {
  const shown: string[] = []
  let length = 0
  for (const value of values) {
    length += value.length
    if (shown.length > 0 && length > textMax)
      return `${shown.join(', ')} or one of ${values.length - shown.length} more`
    shown.push(value)
  }
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}` : (shown[0] ?? '')
}

/** Returns a number with its noun: `1 element`, `2 elements`. */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const isList = (value: unknown): value is string[] => Array.isArray(value)

/** Describes a schema with only one keyword. */
const descriptions: Record<string, (value: unknown) => string> = {
  const: (value) => `be ${quoteJson(value)}`,
  enum: (values) => `be ${listWithOr(isList(values) ? values.map(quoteJson) : [])}`,
  type: (types) => `be of type ${listWithOr(isList(types) ? types : [String(types)])}`,
  pattern: (pattern) => `match the pattern ${pattern}`,
  format: (format) => `be in the format ${format}`,
  required: (names) =>
    isList(names)
      ? `have ${names.length === 1 ? 'the field' : 'all the fields'} ${names.map(quoteJson).join(', ')}`
      : '',
  minimum: (limit) => `be greater than or equal to ${limit}`,
  maximum: (limit) => `be less than or equal to ${limit}`,
}

/**
 * Returns the requirement of a schema if it has only one keyword, otherwise the place of the schema.
 * Continues a sentence after `must`.
 */
export function describeSchema(schema: unknown, path: string): string {
  const entries = typeof schema === 'object' && schema !== null ? Object.entries(schema) : []
  const [[keyword, value] = ['', undefined]] = entries
  const words =
    entries.length === 1 && Object.hasOwn(descriptions, keyword) ? descriptions[keyword]?.(value) : undefined
  return words ?? `match the schema at ${path}`
}
