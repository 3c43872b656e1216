/**
 * Builds SQL from fragments. This is the only place where identifiers are quoted and values are marked.
 *
 * The text of a fragment comes from template literals of this program. An interpolated part is another
 * fragment or a value. Values are sent as one array, apart from the text; Postgres's `format` puts each as a
 * quoted literal into the statement (tessera.run). Only the call that enters a site and the largest text are
 * bound as parameters. Only two functions turn a string into SQL: `identifier`, and `literal` for DDL.
 */

/** A value that is bound to a statement as a parameter. */
export type Value =
  | string
  | number
  | boolean
  | null
  | readonly (string | number | null | OwnSchema)[]
  | Large
  | OwnSchema

/** The name of the schema of the site that a statement is sent to, for one plan that serves several sites. */
export class OwnSchema {
  readonly isOwn = true
}

/** A text that may be several megabytes long. It is sent as a separate parameter, and has the type `text`. */
export class Large {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/**
 * Marks a text as large. The longest large text of a batch is sent as a separate parameter. Others are quoted
 * like all values.
 */
export const large = (text: string): Large => new Large(text)

/** A fragment of SQL. A fragment that is a statement returns rows of the type `Row`. */
export class Sql<Row = unknown> {
  /** Exists only at compile time. */
  declare readonly row?: Row
  /** One more string than values: string, value, string, value, …, string. */
  readonly strings: readonly string[]
  readonly values: readonly Value[]
  /** A special way in which `public.run` runs the statement. Undefined: the text of the statement decides. */
  readonly kind: StatementKind | undefined

  constructor(strings: readonly string[], values: readonly Value[], kind?: StatementKind) {
    this.strings = strings
    this.values = values
    this.kind = kind
  }
}

/** A part of a select list. A statement that contains it returns these columns (columns.ts). */
export class Columns<Row> extends Sql<Row> {
  /** Exists only at compile time, and tells columns from other fragments. */
  declare readonly selected: Row

  constructor({ strings, values }: Sql) {
    super(strings, values)
  }
}

/** The columns of all parts. Unknown: none of them is a part of a select list. */
export type RowOfParts<Parts extends readonly unknown[]> = Parts extends readonly [infer First, ...infer Rest]
  ? (First extends Columns<infer Row> ? Row : unknown) & RowOfParts<Rest>
  : unknown

/**
 * A statement that returns at most one row. `read` converts the text of the row, a JSON object that is not
 * parsed before. `none` is what the statement returns instead of no row. `public.run` rejects a row that is
 * too long.
 */
export class OneSql<Row> extends Sql<Row> {
  readonly read: (text: string) => Row
  readonly none: Row | undefined

  constructor({ strings, values }: Sql, read: (text: string) => Row, none?: Row) {
    super(strings, values, 'one')
    this.read = read
    this.none = none
  }
}

/**
 * A special way to run a statement. `kept`: later statements get its rows as `$2`. `step`: like `kept`, in a
 * subtransaction; conflicts are a failure, and a failure has the number of the statement among these.
 * `ofStep`: it belongs to the next `step`, whose number its failure has. `parts`: like `kept`, for parts of
 * the large text, an array. `stopIfFound`: if it returns a row, the following statements do not run.
 * `dryRun`: it does not run, and all that the following statements write is rolled back. `one`: see OneSql.
 */
export type StatementKind = 'kept' | 'step' | 'ofStep' | 'parts' | 'stopIfFound' | 'dryRun' | 'one'

/** Returns a statement that `public.run` runs in a special way. */
export const runAs = <Row>(kind: StatementKind, { strings, values }: Sql<Row>): Sql<Row> =>
  new Sql<Row>(strings, values, kind)

/**
 * Builds a fragment: `` sql<{ id: number }>`select ${column} as id from ${table} where ${column} = ${value}`
 * ``. A select list of Columns gives a statement the type of its rows.
 */
export function sql<const Parts extends readonly (Sql | Value)[]>(
  template: TemplateStringsArray,
  ...parts: unknown extends RowOfParts<Parts> ? never : Parts
): Sql<RowOfParts<Parts>>
export function sql<Row = unknown>(template: TemplateStringsArray, ...parts: (Sql | Value)[]): Sql<Row>
export function sql<Row>(template: TemplateStringsArray, ...parts: (Sql | Value)[]): Sql<Row> {
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
      if (part === undefined) throw new TypeError('undefined is not an SQL value.')
      strings.push(text)
      values.push(part)
      text = ''
    }
    text += texts[index + 1]
  })
  strings.push(text)
  return new Sql(strings, values)
}

/** The empty fragment. */
export const emptySql = sql``

export function join(fragments: readonly Sql[], separator: Sql = sql`, `): Sql {
  const parts = fragments.flatMap((fragment, position) =>
    position === 0 ? [fragment] : [separator, fragment],
  )
  return parts.length === 0 ? emptySql : concatenate(Array(parts.length + 1).fill(''), parts)
}

/**
 * Quotes an identifier. Throws RangeError for a name of more than 63 bytes, because Postgres would truncate
 * it, so that two names could mean the same thing.
 */
export function identifier(name: string): Sql {
  if (name === '' || name.includes('\0') || !name.isWellFormed() || utf8Length(name) > identifierBytesMax) {
    throw new RangeError(`Not an identifier: ${JSON.stringify(name)}`)
  }
  return new Sql([`"${name.replaceAll('"', '""')}"`], [])
}

/** The length of the longest name that Postgres does not truncate, in bytes of UTF-8. */
export const identifierBytesMax = 63

/**
 * Quotes a constant. Only for DDL: everywhere else values are bound. Throws RangeError for values that SQL
 * does not have.
 */
export function literal(value: string | number | boolean | null): Sql {
  return new Sql([quoted(value)], [])
}

function quoted(value: string | number | boolean | null): string {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new RangeError('Not a finite number.')
    return value < 0 ? `(${value})` : String(value)
  }
  if (value.includes('\0') || !value.isWellFormed())
    throw new RangeError('Not a string that Postgres can store.')
  // The E form of a string with a backslash does not depend on standard_conforming_strings.
  const doubled = value.replaceAll("'", "''")
  return doubled.includes('\\') ? `E'${doubled.replaceAll('\\', '\\\\')}'` : `'${doubled}'`
}

/** A statement and its parameters, as a session sends it (session.ts). */
export interface Statement {
  text: string
  values: Exclude<Value, Large | OwnSchema>[]
}

/** Renders a statement with numbered parameters. Throws TypeError if it names the schema of its site. */
export function render(fragment: Sql): Statement {
  let text = fragment.strings[0] as string
  for (let index = 1; index < fragment.strings.length; index++) text += `$${index}${fragment.strings[index]}`
  const values = fragment.values.map((value) => {
    if (value instanceof OwnSchema) throw new TypeError('A parameter cannot be the name of a schema.')
    return value instanceof Large ? value.text : value
  })
  return { text, values }
}

/**
 * Renders a statement for `public.run`, as a template of Postgres's function `format` with `%n$L` for each
 * value, and `%n$I` for the name of the site's schema. Postgres quotes them. Adds the values to `values`.
 * `largest` is the large text that is `$1`. `own`: the schema of the site; null: the statement names none.
 */
export function renderTemplate(
  fragment: Sql,
  values: (string | null | OwnSchema)[],
  largest: string | null,
  own: string | OwnSchema | null,
): string {
  let text = escapePercent(fragment.strings[0] as string)
  fragment.values.forEach((value, index) => {
    text +=
      placeholderFor(value, values, { largest, own }) + escapePercent(fragment.strings[index + 1] as string)
  })
  return text
}

/** Returns the longest large text of statements; null if they have none. */
export function largestOf(statements: readonly Sql[]): string | null {
  const texts = statements.flatMap(({ values }) =>
    values.flatMap((value) => (value instanceof Large ? value.text : [])),
  )
  return texts.reduce<string | null>(
    (longest, text) => (longest !== null && longest.length >= text.length ? longest : text),
    null,
  )
}

const escapePercent = (text: string): string => text.replaceAll('%', '%%')

/** What values stand for in one call. */
interface Meant {
  largest: string | null
  own: string | OwnSchema | null
}

function placeholderFor(
  value: Value,
  values: (string | null | OwnSchema)[],
  { largest, own }: Meant,
): string {
  if (value instanceof Large && value.text === largest) return '$1'
  if (value instanceof OwnSchema) return `%${values.push(required(own))}$I`
  const text = value instanceof Large ? value.text : textOf(value, own)
  return `%${values.push(text)}$L${value instanceof Large ? '::text' : ''}`
}

function required(own: Meant['own']): string | OwnSchema {
  if (own === null) throw new TypeError('The statement is sent to no site of several.')
  return own
}

/** Returns the text that Postgres parses the value from. */
function textOf(value: Exclude<Value, Large | OwnSchema>, own: Meant['own']): string | null {
  if (value === null || typeof value === 'string') return value
  if (typeof value !== 'object') return String(value)
  const elements = value.map((element) => {
    if (element === null) return 'NULL'
    const text = element instanceof OwnSchema ? required(own) : element
    return `"${String(text).replace(/["\\]/g, '\\$&')}"`
  })
  return `{${elements.join(',')}}`
}

/**
 * Returns the text of a fragment without values, as the history of schema changes stores it. Throws if it has
 * values.
 */
export function renderText(fragment: Sql): string {
  if (fragment.values.length > 0) throw new TypeError('DDL takes no parameters.')
  return fragment.strings[0] as string
}

const encoder = new TextEncoder()

/** Returns the length of a text in bytes of UTF-8. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length
}

/**
 * Replaces the values of a fragment by constants in its text, for conditions in DDL, which take no
 * parameters.
 */
export function withInlineValues(fragment: Sql): Sql {
  const constants = fragment.values.map((value) => {
    if (value instanceof Large) return literal(value.text)
    return typeof value === 'object' && value !== null && !(value instanceof OwnSchema)
      ? sql`array[${join(value.map(constantOf))}]`
      : constantOf(value)
  })
  return concatenate(fragment.strings, constants)
}

/** The name of the site's schema stays one. */
const constantOf = (value: Parameters<typeof literal>[0] | OwnSchema): Sql =>
  value instanceof OwnSchema ? sql`${value}` : literal(value)
