/** Queries whose rows have a long text, which is not made JSON a second time. */
import type { LongText } from './long-text.ts'
import { emptySql, identifier, join, literal, Sql, sql } from './sql.ts'

/** A row with a column `data` that may be megabytes of text, usually JSON. */
export interface DataRow {
  data: string | null
  /** What follows `data`, if it is long and the statement allows it (`inParts`). */
  rest?: LongText
}

/**
 * A query whose rows have `data`, which `public.run` returns as text. Rows of other queries are returned as
 * JSON, in which a JSON text would be escaped once more. That takes longer than building the text.
 */
export class DataSql<Row extends DataRow, Read = Row> extends Sql<Read> {
  /** The columns apart from `data`. */
  readonly columns: readonly string[]
  /** Converts a row to the form that the program uses. */
  readonly read: (row: Row) => Read
  /** The `with` clause, which may write, and the query. */
  readonly parts: readonly [ctes: Sql, query: Sql<Row>]
  /** Whether a long `data` is not read as a whole. */
  readonly isInParts: boolean

  constructor(
    query: Sql<Row>,
    columns: readonly string[],
    read: (row: Row) => Read,
    ctes = emptySql,
    isInParts = false,
  ) {
    const { strings, values } = join([ctes, query], emptySql)
    super(strings, values)
    this.columns = columns
    this.read = read
    this.parts = [ctes, query]
    this.isInParts = isInParts
  }
}

/**
 * Marks a query whose rows have `data`; `columns` are the others. It must not write. The JSON of the other
 * columns may contain no line feed, because `readDataRow` takes a line feed for their end. `json_agg` puts
 * line feeds between its elements: convert such a column to text.
 */
export const withData = <Row extends DataRow>(
  query: Sql<Row>,
  columns: readonly (Exclude<keyof Row, keyof DataRow> & string)[],
): DataSql<Row> => new DataSql(query, columns, (row) => row)

/**
 * Returns the statement so that a `data` of more than a megabyte comes as the `rest` of its row, if it is a
 * DataSql and alone in its site. The `rest` has to be read or ended.
 */
export const inParts = <Row>(statement: Sql<Row>): Sql<Row> =>
  statement instanceof DataSql
    ? new DataSql(statement.parts[1], statement.columns, statement.read, statement.parts[0], true)
    : statement

/** Returns the query that `public.run` runs for the statement of this number: it returns a text for each row. */
export function rawRows(query: DataSql<DataRow, unknown>, number: number): Sql {
  const [ctes, rows] = query.parts
  const others = join(query.columns.map((column) => sql`_raw.${identifier(column)}`))
  const line = sql`json_build_array(${others})::text || chr(10)`
  return sql`${ctes}select ${literal(number)}, ${line} || coalesce(_raw.data, '') from (${rows}) _raw`
}
