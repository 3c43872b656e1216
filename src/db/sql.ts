/**
 * The fragment of SQL that everything is written in, and the one place where identifiers are quoted and values bound.
 *
 * Text comes from template literals of this program alone. What is interpolated is either another fragment or a value,
 * and a value never becomes text: it leaves as `$n`. There is no way to turn a string into SQL but `identifier` and,
 * for DDL, which takes no parameters, `literal`.
 */

export type Value = string | number | boolean | null | readonly (string | number | null)[] | Large

/** A text that may be megabytes long: it is sent beside the statement, and is a `text` in it. See `large`. */
export class Large {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Of one batch, one text can be sent so: that of the request's body. */
export const large = (text: string): Large => new Large(text)

/** A fragment. As a statement it answers with rows of the type `Row`. */
export class Sql<Row = unknown> {
  /** Exists for the compiler alone. */
  declare readonly row?: Row
  /** One more string than values: string, value, string, value, …, string. */
  readonly strings: readonly string[]
  readonly values: readonly Value[]

  constructor(strings: readonly string[], values: readonly Value[]) {
    this.strings = strings
    this.values = values
  }
}

/** `` sql<{ id: number }>`select ${column} as id from ${table} where ${column} = ${value}` `` */
export function sql<Row = unknown>(template: TemplateStringsArray, ...parts: (Sql | Value)[]): Sql<Row> {
  return concatenate(template, parts)
}

function concatenate<Row>(texts: readonly string[], parts: readonly (Sql | Value)[]): Sql<Row> {
  const strings: string[] = []
  const values: Value[] = []
  /** The text since the last value. */
  let text = texts[0] as string
  parts.forEach((part, index) => {
    if (part instanceof Sql) {
      part.values.forEach((value, position) => {
        strings.push(text + part.strings[position])
        values.push(value)
        text = ''
      })
      text += part.strings[part.values.length]
    } else {
      if (part === undefined) throw new TypeError('undefined is no SQL value')
      strings.push(text)
      values.push(part)
      text = ''
    }
    text += texts[index + 1]
  })
  strings.push(text)
  return new Sql(strings, values)
}

export const nothing = sql``

/** Fragments one after the other, between them a separator. */
export function join(fragments: readonly Sql[], separator: Sql = sql`, `): Sql {
  const parts = fragments.flatMap((fragment, position) => (position === 0 ? [fragment] : [separator, fragment]))
  return parts.length === 0 ? nothing : concatenate(Array(parts.length + 1).fill(''), parts)
}

/** A name, quoted. Postgres would cut a longer one without a word, so that two names could mean one thing: refused. */
export function identifier(name: string): Sql {
  if (name === '' || name.includes('\0') || !name.isWellFormed() || utf8Length(name) > identifierBytesMax) {
    throw new RangeError(`not an identifier: ${JSON.stringify(name)}`)
  }
  return new Sql([`"${name.replaceAll('"', '""')}"`], [])
}

/** The longest name that Postgres keeps whole. */
export const identifierBytesMax = 63

/** A constant, quoted, for DDL alone: everywhere else values are bound. */
export function literal(value: string | number | boolean | null): Sql {
  return new Sql([quoted(value)], [])
}

function quoted(value: string | number | boolean | null): string {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new RangeError('not a finite number')
    return value < 0 ? `(${value})` : String(value)
  }
  if (value.includes('\0') || !value.isWellFormed()) throw new RangeError('not a string that Postgres can hold')
  // With a backslash in it, the E form means the same whatever standard_conforming_strings says.
  const doubled = value.replaceAll("'", "''")
  return doubled.includes('\\') ? `E'${doubled.replaceAll('\\', '\\\\')}'` : `'${doubled}'`
}

/** A statement with its values as parameters, as a connection of its own sends it (session.ts). */
export interface Statement {
  text: string
  values: Exclude<Value, Large>[]
}

export function render(fragment: Sql): Statement {
  let text = fragment.strings[0] as string
  for (let index = 1; index < fragment.strings.length; index++) text += `$${index}${fragment.strings[index]}`
  return { text, values: fragment.values.map((value) => (value instanceof Large ? value.text : value)) }
}

/**
 * A statement as `public.run` takes it: a template of Postgres's `format`, in which each value stands as `%n$L`. Postgres
 * itself quotes the values, which are added to `values`; the large one, `$1`, is added to `larges`.
 */
export function renderTemplate(fragment: Sql, values: (string | null)[], larges: string[]): string {
  let text = escaped(fragment.strings[0] as string)
  fragment.values.forEach((value, index) => {
    text += placed(value, values, larges) + escaped(fragment.strings[index + 1] as string)
  })
  return text
}

const escaped = (text: string): string => text.replaceAll('%', '%%')

function placed(value: Value, values: (string | null)[], larges: string[]): string {
  if (value instanceof Large && (larges.length === 0 || larges[0] === value.text)) {
    larges[0] = value.text
    return '$1'
  }
  values.push(value instanceof Large ? value.text : printed(value))
  return `%${values.length}$L${value instanceof Large ? '::text' : ''}`
}

/** A value as the text that Postgres reads it from. */
function printed(value: Exclude<Value, Large>): string | null {
  if (value === null || typeof value === 'string') return value
  if (typeof value !== 'object') return String(value)
  const elements = value.map((element) => (element === null ? 'NULL' : `"${String(element).replace(/["\\]/g, '\\$&')}"`))
  return `{${elements.join(',')}}`
}

/** The text of a fragment without values, as it is kept in the history of schema changes. */
export function renderText(fragment: Sql): string {
  if (fragment.values.length > 0) throw new TypeError('DDL takes no parameters')
  return fragment.strings[0] as string
}

const encoder = new TextEncoder()

export function utf8Length(text: string): number {
  return encoder.encode(text).length
}

/** The same with its values written into the text as constants: for DDL, where a condition cannot have parameters. */
export function inlined(fragment: Sql): Sql {
  const constants = fragment.values.map((value) => {
    if (value instanceof Large) return literal(value.text)
    return typeof value === 'object' && value !== null ? sql`array[${join(value.map(literal))}]` : literal(value)
  })
  return concatenate(fragment.strings, constants)
}
