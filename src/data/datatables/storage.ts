/**
 * How the rows of a physical table keep the fields of its records: each in a column of its own, or all of them in one
 * document. Whoever reads does not see the difference: records are selected from `rows`, where each field is a column.
 */
import { identifier, join, literal, nothing, renderText, type Sql, sql } from '../../db/sql.ts'
import { baseOf, type Typed } from './types.ts'

/** What is kept of a record. */
export interface Stored {
  name: string
  schema: Typed
  column: Sql
}

export interface Storage {
  /** A field of a row of the physical table: of the one with this alias, else of the only one of a statement. */
  field(field: Stored, of?: Sql): Sql
  /** What records are selected from, with their fields as columns and `xmin`. `source` has rows of the physical table, as it keeps them. */
  rows(source: Sql): Sql
  /** What makes a selection from `rows` a `source` of them again, of a row by its alias. */
  kept(of: Sql): Sql
  /** From where the fields of a written row of the physical table are selected as columns, in what it returns. */
  written(of: Sql): Sql
  /** What an insert names, and what it selects for that. */
  insertion(values: readonly (readonly [Stored, Sql])[]): { columns: Sql; values: Sql }
  /** What follows the `set` of an update of `_row`. */
  assignment(values: readonly (readonly [Stored, Sql])[]): Sql
  /** Whether Postgres has a column for each field: with its default, with a NOT NULL, and open to foreign keys. */
  hasColumns: boolean
  /** The sequence that numbers records, as an expression for its name. */
  sequence(field: Stored): Sql
}

interface Physical {
  namespace: Sql
  relation: Sql
  /** The name of a sequence of its own. */
  identitySequence: string
  fields: readonly Stored[]
  /** What is searched, as an expression of fields, and the column that has it. */
  search(columnOf: (field: string) => Sql): { value: Sql; column: Sql } | undefined
}

/** By the type of provider; what others there may be keep columns until they say otherwise. */
export const storageOf = (providerType: string, table: Physical): Storage => (providerType === 'jsonb' ? inDocument(table) : inColumns(table))

const own = sql`_row`

function inColumns({ relation }: Physical): Storage {
  const field = ({ column }: Stored, of?: Sql) => (of ? sql`${of}.${column}` : column)
  return {
    field,
    rows: (source) => source,
    kept: (of) => sql`${of}.*`,
    written: () => nothing,
    insertion: (values) => ({ columns: join(values.map(([one]) => one.column)), values: join(values.map(([, value]) => value)) }),
    assignment: (values) => join(values.map(([one, value]) => sql`${one.column} = ${value}`)),
    hasColumns: true,
    sequence: ({ name }) => sql`pg_get_serial_sequence(${renderText(relation)}, ${name})`,
  }
}

/** The column that is the document. No field's name begins with an underscore. */
export const documentColumn = sql`_data`

function inDocument({ namespace, identitySequence, fields, search }: Physical): Storage {
  const sequence = literal(renderText(sql`${namespace}.${identifier(identitySequence)}`))
  const stored = sql`_stored`
  const field = (one: Stored, of?: Sql) => typed(one, of ? sql`${of}.${documentColumn}` : documentColumn)
  const vector = search((name) => field(fields.find((one) => one.name === name) as Stored, stored))
  const columns = [
    ...fields.map((one) => sql`${field(one, stored)} as ${one.column}`),
    ...(vector ? [sql`(${vector.value}) as ${vector.column}`] : []),
    sql`${stored}.${documentColumn}`,
    sql`${stored}.xmin as xmin`,
  ]
  const selected = join(columns)
  const rows = (source: Sql) => sql`(select ${selected} from ${source} ${stored})`
  const kept = (of: Sql) => sql`${of}.${documentColumn}, ${of}.xmin`
  return {
    field,
    rows,
    kept,
    written: (of) => sql` from ${rows(sql`(select ${kept(of)})`)} ${of}`,
    insertion: (values) => ({ columns: documentColumn, values: documentOf(values) }),
    assignment: (values) => sql`${documentColumn} = ${own}.${documentColumn} || ${documentOf(values)}`,
    hasColumns: false,
    sequence: () => sequence,
  }
}

/** A function takes no more than a hundred arguments. */
const membersMax = 50

/** Values as a document. Of a field without a value it says null. */
export function documentOf(values: readonly (readonly [Stored, Sql])[]): Sql {
  const parts: Sql[] = []
  for (let start = 0; start < values.length; start += membersMax) {
    const members = values.slice(start, start + membersMax).map(([{ name }, value]) => sql`${literal(name)}, ${value}`)
    parts.push(sql`jsonb_build_object(${join(members)})`)
  }
  return parts.length === 0 ? sql`'{}'::jsonb` : join(parts, sql` || `)
}

/** A member of a document as a value of its field's type; every one is an expression that indexes can be made of. */
function typed({ name, schema }: Stored, document: Sql): Sql {
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
    // JSON of any kind: where there is none, the document may say so with a null of its own.
    default:
      return sql`(nullif(${document} -> ${literal(name)}, 'null'))`
  }
}
