/** How the texts of a column write their values: the members of a Table Schema field that say so. */
export interface Form {
  /** The sign before the fraction of a number. Omitted: a point. */
  readonly decimalChar?: string
  /** The sign between the thousands of a number. Omitted: none. */
  readonly groupChar?: string
  /** `false`: numbers may have a unit before or after them. */
  readonly bareNumber?: boolean
  /** The pattern of dates and times, for example `%d.%m.%Y`. Omitted: ISO 8601. */
  readonly format?: string
  /** The words for true, and those for false. Omitted: `true` and `false` in three spellings, `1` and `0`. */
  readonly trueValues?: readonly string[]
  readonly falseValues?: readonly string[]
}

const isText = (value: unknown) => typeof value === 'string' && value !== ''
const checks: Record<keyof Form, (value: unknown) => boolean> = {
  decimalChar: isText,
  groupChar: isText,
  bareNumber: (value) => typeof value === 'boolean',
  format: isText,
  trueValues: Array.isArray,
  falseValues: Array.isArray,
}

const known = new WeakMap<object, Form>()

/** Returns the members of a field that describe its form. Those of a wrong type have no effect. */
export function formOf(field: Readonly<Record<string, unknown>>): Form {
  let form = known.get(field)
  if (!form) {
    const names = Object.keys(checks) as (keyof Form)[]
    form = Object.fromEntries(
      names.flatMap((name) => (checks[name](field[name]) ? [[name, field[name]]] : [])),
    )
    known.set(field, form as Form)
  }
  return form as Form
}

/** Describes a form in a few words, for a message or a list. The usual form has none. */
export function describeForm({ decimalChar, groupChar, format, trueValues, falseValues }: Form): string {
  const words = (some: readonly string[]) => some[0] ?? ''
  const parts = [
    decimalChar === undefined ? [] : `the decimal sign "${decimalChar}"`,
    groupChar === undefined ? [] : `"${groupChar}" between thousands`,
    format === undefined || format === 'default' ? [] : `the format ${format}`,
    trueValues && falseValues ? `${words(trueValues)} for true and ${words(falseValues)} for false` : [],
  ]
  return parts.flat().join(' and ')
}
