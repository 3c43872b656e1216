/** Finds the values that a conversion loses: those that, converted back, are other values. D8. */
import { emptySql, join, literal, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Field } from '../../model/field.ts'
import type { Table } from '../../model/table.ts'
import { type Conversion, conversionOf, isLost } from '../conversions.ts'
import type { Losing, LostPage, LostValues } from '../lost-values.ts'
import { keyedPage } from './keyed-page.ts'

/** The most values that are shown, and the most characters of each. */
const [samplesMax, charactersMax] = [3, 200]

/** The rows to look at: their source, the value, and the values of the primary key. */
interface Source {
  rows: Sql
  value: Sql
  key: readonly Sql[]
}

/** Returns the queries of a conversion of `before`, a field of the table as it is, to `after`. */
export function losingOf(table: Table, before: Field, after: Field): Losing | undefined {
  const conversion = conversionOf(before, after)
  if (!conversion || !isLost(before, after, emptySql)) return undefined
  const found = foundBy(table, { before, after, conversion })
  const [row, page] = [sql`_row`, sql`_page`]
  return {
    field: after.name,
    all(isWanted) {
      const source = {
        rows: sql`${table.rows} ${row}`,
        value: sql`${row}.${before.column}`,
        key: table.primaryKey.map(({ column }) => sql`${row}.${column}`),
      }
      return sql<LostValues>`with ${found(source, isWanted)} select ${result}`
    },
    page(last, limit) {
      const value = sql`${table.storage.field(before, row)} as _value`
      const { cte, keys, result: read } = keyedPage(table, value, last, limit, { locks: false })
      const source = { rows: page, value: sql`${page}._value`, key: keys }
      return sql<LostPage>`with ${cte}, ${found(source)} select ${read}, ${result}`
    },
  }
}

/** Returns the CTE of the lost values of a source. `isWanted` false: without looking at any. */
const foundBy =
  (
    { primaryKey }: Table,
    { before, after, conversion }: { before: Field; after: Field; conversion: Conversion },
  ) =>
  ({ rows, value, key }: Source, isWanted?: Sql): Sql => {
    const shown = (one: Sql) => sql`left(to_json(${one}) #>> '{}', ${literal(charactersMax)})`
    const named = join(primaryKey.map(({ name }, position) => sql`${literal(name)}, ${key[position] as Sql}`))
    const wanted = isWanted ? sql`${isWanted} and ` : emptySql
    return sql`
      _lost as materialized (
        select json_build_object(${named}) as key, ${shown(value)} as value,
               ${shown(conversion.cast(value))} as becomes
          from ${rows} where ${wanted}${value} is not null and ${isLost(before, after, value) as Sql})`
  }

const result = sql`
  (select count(*) from _lost)::integer as count,
  (select coalesce(json_agg(_one), '[]')
     from (select * from _lost limit ${literal(samplesMax)}) _one) as samples`
