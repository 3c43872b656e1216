/**
 * How a physical table stores the fields of its records: each in a column, or all of them in one JSON
 * document. Readers see no difference: they select records from `rows`, where each field is a column.
 */
import { emptySql, identifier, join, literal, renderText, type Sql, sql } from '../../kernel/db/sql.ts'
import { baseOf, type Typed } from './types.ts'

export interface StoredField {
  name: string
  schema: Typed
  column: Sql
}

/** The SQL that depends on how a table stores its records. */
export interface Storage {
  /**
   * Returns a field of a row of the physical table. `of` is the row's alias; omitted, the statement has one
   * table.
   */
  field(field: StoredField, of?: Sql): Sql
  /**
   * Returns the source from which records are selected, with a column for each field and `xmin`. `source` has
   * rows of the physical table.
   */
  rows(source: Sql): Sql
  /**
   * Returns the columns to select from `rows` so that the result can be a `source` again. `of` is the row's
   * alias. The result needs only `fields`; omitted: all.
   */
  sourceColumns(of: Sql, fields?: ReadonlySet<StoredField>): Sql
  /** Returns the `from` clause by which `returning` selects the fields of a written row as columns. */
  returnedFrom(of: Sql): Sql
  /** Returns the column list of an insert, and the expressions to select for it. */
  insertion(values: readonly (readonly [StoredField, Sql])[]): { columns: Sql; values: Sql }
  /** Returns the SQL after `set` in an update of `_row`. */
  assignment(values: readonly (readonly [StoredField, Sql])[]): Sql
  /** Whether each field has a column, with its default and its NOT NULL, which foreign keys can reference. */
  hasColumns: boolean
  /** Returns an expression for the name of the sequence that numbers records. */
  sequence(field: StoredField): Sql
}

interface PhysicalTable {
  namespace: Sql
  relation: Sql
  /** The name of the sequence in a table that has no columns for fields. */
  identitySequence: string
  fields: readonly StoredField[]
  /** Returns the search vector as an expression of fields, and its column; undefined without a search. */
  search(columnOf: (field: string) => Sql): { value: Sql; column: Sql } | undefined
}

/** The types of providers that the specification names. */
export const providerTypes = ['flat_table', 'jsonb', 'mongodb'] as const

export type StoredType = (typeof providerTypes)[number]

/** How each type of provider stores rows. `providers/registry.ts` has a row for each of them. */
const storages: Readonly<Record<StoredType, (table: PhysicalTable) => Storage>> = {
  flat_table: columnStorage,
  jsonb: documentStorage,
  // The statements of such tables only say where to ask (providers/mongodb).
  mongodb: columnStorage,
}

const storageByType = new Map<string, (table: PhysicalTable) => Storage>(Object.entries(storages))

export const storageOf = (providerType: string, table: PhysicalTable): Storage =>
  (storageByType.get(providerType) ?? columnStorage)(table)

const rowAlias = sql`_row`

function columnStorage({ relation }: PhysicalTable): Storage {
  const field = ({ column }: StoredField, of?: Sql) => (of ? sql`${of}.${column}` : column)
  return {
    field,
    rows: (source) => source,
    sourceColumns: (of, fields) =>
      fields ? join([...fields].map(({ column }) => sql`${of}.${column}`)) : sql`${of}.*`,
    returnedFrom: () => emptySql,
    insertion: (values) => ({
      columns: join(values.map(([one]) => one.column)),
      values: join(values.map(([, value]) => value)),
    }),
    assignment: (values) => join(values.map(([one, value]) => sql`${one.column} = ${value}`)),
    hasColumns: true,
    sequence: ({ name }) => sql`pg_get_serial_sequence(${renderText(relation)}, ${name})`,
  }
}

/** The column of the document. No field's name begins with an underscore. */
export const documentColumn = sql`_data`

function documentStorage({ namespace, identitySequence, fields, search }: PhysicalTable): Storage {
  const stored = sql`_stored`
  const field = (one: StoredField, of?: Sql) =>
    memberOf(one, of ? sql`${of}.${documentColumn}` : documentColumn)
  const vector = search((name) => field(fields.find((one) => one.name === name) as StoredField, stored))
  const columns = [
    ...fields.map((one) => sql`${field(one, stored)} as ${one.column}`),
    ...(vector ? [sql`(${vector.value}) as ${vector.column}`] : []),
    sql`${stored}.${documentColumn}`,
    sql`${stored}.xmin as xmin`,
  ]
  const selected = join(columns)
  const rows = (source: Sql) => sql`(select ${selected} from ${source} ${stored})`
  const sourceColumns = (of: Sql) => sql`${of}.${documentColumn}, ${of}.xmin`
  return {
    field,
    rows,
    sourceColumns,
    returnedFrom: (of) => sql` from ${rows(sql`(select ${sourceColumns(of)})`)} ${of}`,
    insertion: (values) => ({ columns: documentColumn, values: documentOf(values) }),
    assignment: (values) => sql`${documentColumn} = ${rowAlias}.${documentColumn} || ${documentOf(values)}`,
    hasColumns: false,
    sequence: () => literal(renderText(sql`${namespace}.${identifier(identitySequence)}`)),
  }
}

/** A function call of Postgres can have at most a hundred arguments: two for each member. */
const membersMax = 50

/** Returns an expression for a document of values. A field without a value is null in it. */
export function documentOf(values: readonly (readonly [StoredField, Sql])[]): Sql {
  const parts: Sql[] = []
  for (let start = 0; start < values.length; start += membersMax) {
    const members = values
      .slice(start, start + membersMax)
      .map(([{ name }, value]) => sql`${literal(name)}, ${value}`)
    parts.push(sql`jsonb_build_object(${join(members)})`)
  }
  return parts.length === 0 ? sql`'{}'::jsonb` : join(parts, sql` || `)
}

/**
 * Returns a member of a document as a value of its field's type. The expression is immutable: indexes can use
 * it.
 */
function memberOf({ name, schema }: StoredField, document: Sql): Sql {
  const text = sql`(${document} ->> ${literal(name)})`
  switch (baseOf(schema)) {
    case 'string':
      return text
    case 'integer':
      return sql`(${text}::bigint)`
    case 'number':
      return sql`(${text}::numeric)`
    case 'boolean':
      return sql`(${text}::boolean)`
    case 'uuid':
      return sql`(${text}::uuid)`
    case 'date':
      return sql`(tessera.as_date(${text}))`
    case 'time':
      return sql`(tessera.as_time(${text}))`
    case 'datetime':
      return sql`(tessera.as_datetime(${text}))`
    // JSON of any kind. A member that is JSON's null has no value.
    default:
      return sql`(nullif(${document} -> ${literal(name)}, 'null'))`
  }
}
