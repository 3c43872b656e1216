/** New references to records that are soft-deleted: for a write these are not there. A reference that a record has already may stay. R10. */
import { identifier, join, literal, nothing, type Sql, sql } from '../../../db/sql.ts'
import type { Field, Table } from '../../datatables/table.ts'
import type { Reference } from '../../query/relationships.ts'
import type { Given } from '../../records/validate.ts'
import { defaultOf, givenColumn, whereSaid } from '../given.ts'
import type { Objections } from '../steps.ts'

/** Queries for `_n`, the place of a record, and `_reference`, the position of the reference that is at fault. */
type Faults = readonly Sql[]

/** The objection of a write that makes such references; none where it cannot make any. */
export const unreferenced = (faults: Faults): Objections =>
  faults.length === 0
    ? {}
    : {
        unreferenced: sql`select json_agg(json_build_array(_n, _reference) order by _n, _reference) from (${join(faults, sql` union all `)}) _faults`,
      }

/** Of the records of `_given` that are created. `where`: which ones these are. */
export const faultsOfCreated = (table: Table, given: Given, references: readonly Reference[], where: Sql = sql`true`): Faults =>
  references.flatMap((reference, position) => {
    const values = reference.pairs.flatMap(({ near }) => createdValue(table, given, near) ?? [])
    if (values.length < reference.pairs.length) return []
    return [sql`select _n, ${literal(position)} as _reference from _given where ${where} and ${isHidden(reference, values)}`]
  })

/** Of the records of `_before` that are changed, which has the columns of `hiddenColumns`. */
export const faultsOfChanged = (given: Given, references: readonly Reference[]): Faults =>
  givenOf(given, references).map((position) => sql`select _n, ${literal(position)} as _reference from _before where ${columnOf(position)}`)

/** What `_before` keeps of its rows and of `_given`: whether a reference becomes another one, to a record that is soft-deleted. */
export const hiddenColumns = (table: Table, given: Given, references: readonly Reference[]): Sql[] =>
  givenOf(given, references).map((position) => {
    const reference = references[position] as Reference
    const fields = reference.pairs.map(({ near }) => near)
    const values = fields.map((field) => changedValue(table, given, field))
    const moves = join(
      fields.map((field, index) => sql`${values[index] as Sql} is distinct from _row.${field.column}`),
      sql` or `,
    )
    return sql`((${moves}) and ${isHidden(reference, values)}) as ${columnOf(position)}`
  })

/** The positions of the references of which any record gives a field. */
const givenOf = ({ counts }: Given, references: readonly Reference[]): number[] =>
  references.flatMap(({ pairs }, position) => (pairs.some(({ near }) => counts.has(near.name)) ? [position] : []))

const columnOf = (position: number): Sql => identifier(`_r${position}`)

function isHidden({ target, pairs }: Reference, values: readonly Sql[]): Sql {
  const same = pairs.map(({ far }, position) => sql`_far.${far.column} = ${values[position] as Sql}`)
  const deleted = target.softDelete ? sql` and _far.${target.softDelete.column} is true` : nothing
  return sql`exists (select from ${target.rows} _far where ${join(same, sql` and `)}${deleted})`
}

/** What a created record gets; undefined where that is nothing, or made up by Postgres, so that nothing that exists has it. */
function createdValue(table: Table, { counts, count }: Given, field: Field): Sql | undefined {
  const otherwise = field === table.identity || field.generated ? undefined : defaultOf(table, field)
  const said = counts.get(field.name) ?? 0
  if (said === 0) return otherwise
  const value = sql`_given.${givenColumn(table, field)}`
  return said === count ? value : whereSaid(sql`_given._said`, field, value, otherwise ?? sql`null`)
}

function changedValue(table: Table, { counts }: Given, field: Field): Sql {
  const present = sql`_row.${field.column}`
  return counts.has(field.name) ? whereSaid(sql`_given._said`, field, sql`_given.${givenColumn(table, field)}`, present) : present
}
