/**
 * Finds new references to records that are soft-deleted or not there, which are a conflict. Existing
 * references may stay. R10. If the foreign key fails all the same, another transaction has taken the record
 * since. R16.
 */
import { identifier, join, literal, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Field } from '../../model/field.ts'
import type { Reference } from '../../model/relationships.ts'
import type { Table } from '../../model/table.ts'
import type { ConflictQueries } from './ctes.ts'
import { defaultOf, type InputRows, ifSent, inputColumn } from './input.ts'

/**
 * Queries that return `_n`, the position of a record, and `_reference`, the position of its wrong reference.
 */
type DeletedTargetQueries = readonly Sql[]

/** Returns the conflict query `deletedTargets`. Returns nothing if a write cannot make wrong references. */
export const deletedTargets = (queries: DeletedTargetQueries): ConflictQueries =>
  queries.length === 0
    ? {}
    : {
        deletedTargets: sql`
          select json_agg(json_build_array(_n, _reference) order by _n, _reference)
            from (${join(queries, sql` union all `)}) _targets`,
      }

/** Returns the queries for created records. `where` selects the created records from `_input`. */
export const deletedTargetsOfCreated = (
  table: Table,
  input: InputRows,
  references: readonly Reference[],
  where: Sql = sql`true`,
): DeletedTargetQueries =>
  references.flatMap((reference, position) => {
    const values = reference.pairs.flatMap(({ near }) => createdValue(table, input, near) ?? [])
    if (values.length < reference.pairs.length) return []
    const isDeleted = isDeletedTarget(reference, values)
    return [sql`select _n, ${literal(position)} as _reference from _input where ${where} and ${isDeleted}`]
  })

/**
 * Returns the queries for changed records: the rows of `_before`, with the columns of `deletedTargetColumns`.
 */
export const deletedTargetsOfChanged = (
  input: InputRows,
  references: readonly Reference[],
): DeletedTargetQueries =>
  sentReferences(input, references).map(
    (position) => sql`select _n, ${literal(position)} as _reference from _before where ${columnOf(position)}`,
  )

/**
 * Returns columns of `_before`. Each says whether a reference changes and then leads to a soft-deleted
 * record.
 */
export const deletedTargetColumns = (
  table: Table,
  input: InputRows,
  references: readonly Reference[],
): Sql[] =>
  sentReferences(input, references).map((position) => {
    const reference = references[position] as Reference
    const fields = reference.pairs.map(({ near }) => near)
    const values = fields.map((field) => changedValue(table, input, field))
    const changes = join(
      fields.map((field, index) => sql`${values[index] as Sql} is distinct from _row.${field.column}`),
      sql` or `,
    )
    return sql`((${changes}) and ${isDeletedTarget(reference, values)}) as ${columnOf(position)}`
  })

/** Returns the positions of the references that have a field in any record. */
const sentReferences = ({ counts }: InputRows, references: readonly Reference[]): number[] =>
  references.flatMap(({ pairs }, position) =>
    pairs.some(({ near }) => counts.has(near.name)) ? [position] : [],
  )

const columnOf = (position: number): Sql => identifier(`_r${position}`)

/** Returns the condition that values reference no record, or a soft-deleted one. */
function isDeletedTarget({ target, pairs, isToItself }: Reference, values: readonly Sql[]): Sql {
  const same = pairs.map(({ far }, position) => sql`_far.${far.column} = ${values[position] as Sql}`)
  const isDeleted = target.softDelete ? sql`_far.${target.softDelete.column} is true` : sql`false`
  const found = sql`select from ${target.rows} _far where ${join(same, sql` and `)}`
  // Records of one write can reference each other.
  if (isToItself) return sql`exists (${found} and ${isDeleted})`
  const given = values.map((value) => sql`${value} is not null`)
  return sql`(${join(given, sql` and `)} and not exists (${found} and (${isDeleted}) is not true))`
}

/**
 * Returns the value of a field in a created record; undefined if it has none, or if it is newly generated.
 */
export function createdValue(table: Table, { counts, count }: InputRows, field: Field): Sql | undefined {
  const otherwise = field === table.identity || field.generated ? undefined : defaultOf(table, field)
  const sentCount = counts.get(field.name) ?? 0
  if (sentCount === 0) return otherwise
  const value = sql`_input.${inputColumn(table, field)}`
  return sentCount === count ? value : ifSent(sql`_input._sent`, field, value, otherwise ?? sql`null`)
}

/** Returns the value of a field in a changed record. */
export function changedValue(table: Table, { counts }: InputRows, field: Field): Sql {
  const present = sql`_row.${field.column}`
  return counts.has(field.name)
    ? ifSent(sql`_input._sent`, field, sql`_input.${inputColumn(table, field)}`, present)
    : present
}
