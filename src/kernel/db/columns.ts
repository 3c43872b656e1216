/**
 * Columns of the service's tables, typed by the tables of drizzle. A statement whose select list consists of
 * them needs no row type of its own, and a name that is no column does not compile.
 */
import type { Table } from 'drizzle-orm'
import { isoTimestamp } from './iso-timestamp.ts'
import { Columns, identifier, join, type RowOfParts, type Sql, sql } from './sql.ts'

/** The rows of a table, by the names of its columns in Postgres. */
type RowOf<Of extends Table, Missing> = {
  [Key in keyof Of['$inferSelect'] as Of['_']['columns'][Key & string]['_']['name']]:
    | Of['$inferSelect'][Key]
    | Missing
}

/** The name of a column; with the name that the answer has instead: `runs_as as as`. */
type Item<Row> = (keyof Row & string) | `${keyof Row & string} as ${string}`

type Selected<Row, Items extends string> = {
  [Each in Items as Each extends `${string} as ${infer Name}` ? Name : Each]: Row[keyof Row &
    (Each extends `${infer Name} as ${string}` ? Name : Each)]
}

/**
 * Returns functions that select columns of a table by its alias, as they are, or as times (isoTimestamp).
 * `Missing` is null for a table that is joined by a left join.
 */
export function of<Of extends Table, Missing = never>(alias: string) {
  type Row = RowOf<Of, Missing>
  const from = identifier(alias)
  const selecting =
    (shown: (column: Sql) => Sql) =>
    <const Items extends Item<Row>>(...items: Items[]): Columns<Selected<Row, Items>> =>
      new Columns(
        join(
          items.map((item) => {
            const [name = item, as = name] = item.split(' as ')
            return sql`${shown(sql`${from}.${identifier(name)}`)} as ${identifier(as)}`
          }),
        ),
      )
  return Object.assign(
    selecting((column) => column),
    { times: selecting(isoTimestamp) },
  )
}

/** The columns of a left join: all of them are null if it finds nothing. */
export type OrNulls<Row> = Row | { [Name in keyof Row]: null }

/** Returns columns that the statement computes. */
export const computed = <Row>(values: { readonly [Name in keyof Row]: Sql }): Columns<Row> =>
  new Columns(join(Object.entries<Sql>(values).map(([name, value]) => sql`${value} as ${identifier(name)}`)))

/** Returns columns together. */
export const columnsOf = <const Parts extends readonly Columns<unknown>[]>(...parts: Parts) =>
  new Columns<RowOfParts<Parts>>(join(parts))
