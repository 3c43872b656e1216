/** Finds the values that a conversion loses: those that, converted back, are other values. D8. */
import { join, literal, sql } from '../../../kernel/db/sql.ts'
import type { Field, Table } from '../../model/table.ts'
import { type Conversion, conversionOf, isLost } from '../conversions.ts'
import type { DdlStep, LostValues } from '../provider.ts'

/** The most values that are shown, and the most characters of each. */
const [samplesMax, charactersMax] = [3, 200]

/** Returns the query of a conversion of `before`, a field of the table as it is, to `after`. */
export function losingOf(table: Table, before: Field, after: Field): DdlStep['losing'] {
  const value = sql`_row.${before.column}`
  const lost = isLost(before, after, value)
  if (!lost) return undefined
  const { cast } = conversionOf(before, after) as Conversion
  const shown = (one: typeof value) => sql`left(to_json(${one}) #>> '{}', ${literal(charactersMax)})`
  const key = join(table.primaryKey.map(({ name, column }) => sql`${literal(name)}, _row.${column}`))
  const rows = sql`
    select json_build_object(${key}) as key, ${shown(value)} as value, ${shown(cast(value))} as becomes
      from ${table.rows} _row where ${value} is not null and ${lost}`
  return {
    field: after.name,
    statement: sql<LostValues>`
      with _lost as materialized (${rows})
      select (select count(*) from _lost)::integer as count,
             (select coalesce(json_agg(_one), '[]')
                from (select * from _lost limit ${literal(samplesMax)}) _one) as samples`,
  }
}
