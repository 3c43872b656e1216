/** Checks rows that are not written against records that exclude them, and against each other. D15, D19. */
import { emptySql, join, type Sql, sql } from '../../kernel/db/sql.ts'
import { excludedMessage } from '../failures/exclusion-errors.ts'
import type { ExclusionSchema } from '../model/exclusion-form.ts'
import { fieldsOfExclusion } from '../model/exclusions.ts'
import type { Field } from '../model/field.ts'
import { isInOrder, outOfOrder, rangePairs } from '../model/ranges.ts'
import { type Table, withColumns } from '../model/table.ts'
import { countsFor, excludedValues, excludeEachOther } from '../providers/ddl/exclusion-objects.ts'
import { fieldSql, row } from '../query/row.ts'

/** The fields of rows that have problems already, by the positions of the rows. */
export type BadFields = ReadonlyMap<number, ReadonlySet<string>>

/** Returns the positions of rows in which any of the fields has a problem. */
const placesOf = (fields: readonly string[], bad: BadFields): number[] =>
  [...bad].flatMap(([place, names]) => (fields.some((name) => names.has(name)) ? [place] : []))

/** Returns the rows that an exclusion is about, under an alias. */
type Candidates = (as: Sql) => Sql

/** Returns the checks of the exclusions of a table. `inputAs` has the values of a row as columns. */
export const exclusionChecks = (table: Table, inputAs: (row: Sql) => Table, bad: BadFields) =>
  (table.schema.exclusions ?? []).flatMap((exclusion) => {
    const inputTable = inputAs(sql`_input`)
    const fields = fieldsOfExclusion(table.schema, exclusion)
    const left = placesOf(fields, bad)
    const candidates: Candidates = (as) => sql`
      (select * from _input where not _n = any (${left}::bigint[])${andCounts(inputTable, exclusion)}) ${as}`
    const check = (isByRequest: boolean, rows: Sql) => ({
      fields,
      message: () => excludedMessage({ exclusion, fields, isByRequest }),
      rows,
    })
    const own = check(true, excludedByRows(inputAs, exclusion, candidates))
    return table.isMaterialized
      ? [check(false, excludedByRecords(table, inputTable, exclusion, candidates)), own]
      : [own]
  })

/** Returns the checks of the order of ranges, of which an end may be a default, or computed. */
export const rangeChecks = (table: Table, inputTable: Table, bad: BadFields) =>
  rangePairs(table.schema).map((fields) => {
    const left = placesOf(fields, bad)
    const ends = fields.map((name) => (inputTable.fields.get(name) as Field).column) as [Sql, Sql]
    return {
      fields,
      message: () => outOfOrder(fields),
      rows: sql`
        select _n, null::bigint as _first, false as _deleted from _input
         where not _n = any (${left}::bigint[]) and (${isInOrder(...ends)}) is false`,
    }
  })

const andCounts = (table: Table, exclusion: ExclusionSchema): Sql => {
  const counts = countsFor(table, exclusion)
  return counts ? sql` and (${counts})` : emptySql
}

function excludedByRecords(
  table: Table,
  inputTable: Table,
  exclusion: ExclusionSchema,
  candidates: Candidates,
): Sql {
  const stored = withColumns(table, (field) => fieldSql(field, row))
  const excludes = excludeEachOther(excludedValues(stored, exclusion), excludedValues(inputTable, exclusion))
  return sql`
    select _n, null::bigint as _first, false as _deleted from ${candidates(sql`_input`)}
     where exists (select from ${table.rows} ${row.alias} where ${excludes}${andCounts(stored, exclusion)})`
}

/**
 * Selects the later of two rows that exclude each other. Of rows in the order of their ranges, the neighbors
 * of those that overlap overlap, too; only with several ranges, each row is compared with all others.
 */
function excludedByRows(
  inputAs: (row: Sql) => Table,
  exclusion: ExclusionSchema,
  candidates: Candidates,
): Sql {
  const inputTable = inputAs(sql`_input`)
  const { equal, ranges } = excludedValues(inputTable, exclusion)
  const [range, ...others] = ranges as [Sql, ...Sql[]]
  const there = equal.map((value) => sql` and ${value} is not null`)
  if (others.length === 0) {
    const partition = equal.length > 0 ? sql`partition by ${join(equal)} ` : emptySql
    return sql`
      select greatest(_n, _other) as _n, min(least(_n, _other)) as _first, false as _deleted
        from (select _n, ${range} as _own, lag(_n) over _same as _other, lag(${range}) over _same as _before
                from ${candidates(sql`_input`)} where not isempty(${range})${join(there, emptySql)}
              window _same as (${partition}order by ${range}, _n)) _sorted
       where _own && _before group by 1`
  }
  const other = inputAs(sql`_other`)
  const excludes = excludeEachOther(excludedValues(inputTable, exclusion), excludedValues(other, exclusion))
  return sql`
    select _input._n, min(_other._n) as _first, false as _deleted
      from ${candidates(sql`_input`)}, ${candidates(sql`_other`)}
     where _other._n < _input._n and ${excludes} group by 1`
}
