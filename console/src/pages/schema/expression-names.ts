/** The names of fields in the expressions of checks and generated fields. */

/** Texts in quotes, and names with or without quotes. */
const parts = /'(?:[^']|'')*'|"(?:[^"]|"")*"|[A-Za-z]\w*/g

/** Returns the field that a part names: two underscores separate it from a property. */
const fieldOf = (part: string): string =>
  part.startsWith('"') ? part.slice(1, -1) : (part.split('__')[0] ?? '')

/** Tells whether an expression names a field. */
export const isNamedIn = (expression: string, field: string): boolean =>
  (expression.match(parts) ?? []).some((part) => fieldOf(part) === field)

/** Returns an expression with another name of a field. A function of the same name keeps its own. */
export const renamedIn = (expression: string, before: string, after: string): string =>
  expression.replace(parts, (part, at: number) => {
    const isCall = /^\s*\(/.test(expression.slice(at + part.length))
    return fieldOf(part) === before && !isCall ? part.replace(before, after) : part
  })
