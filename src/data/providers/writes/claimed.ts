/**
 * Finds records with values for computed fields, which are a conflict unless they are those that the record
 * has or gets: so a record can be sent as it was read. W8.
 */
import { identifier, join, literal, type Sql, sql } from '../../../kernel/db/sql.ts'
import { type Field, nullOf } from '../../model/field.ts'
import type { Table } from '../../model/table.ts'
import { type ComputedField, computedFields, withValues } from '../../query/plan/expression/row-expression.ts'
import type { ConflictQueries } from './ctes.ts'
import { type InputRows, inputColumn } from './input.ts'
import { createdValue } from './references.ts'

/** Returns the computed fields that any record of the body has. */
const claimedFields = (table: Table, { counts }: Pick<InputRows, 'counts'>): ComputedField[] =>
  computedFields(table).filter(({ name }) => counts.has(name))

/** A record of the body, and what its fields will be. */
interface Claim {
  table: Table
  input: Pick<InputRows, 'counts'>
  /** Returns the value of a field in the written record. */
  valueFor(field: Field): Sql
  /** Returns the value of a field in the present record. Omitted: there is none. */
  presentOf?(field: Field): Sql
}

/** Returns columns of `_input`, or of rows joined to it. Each says whether a record has another value. */
export function claimColumns({ table, input, valueFor, presentOf }: Claim): Sql[] {
  const claimedOnes = claimedFields(table, input)
  if (claimedOnes.length === 0) return []
  const { fields } = withValues(table, valueFor)
  return claimedOnes.map((field, position) => {
    const sent = sql`_input.${inputColumn(table, field)}`
    const computed = fields.get(field.name) as Field
    const values = [computed.column, ...(presentOf ? [presentOf(field)] : [])]
    const others = values.map((value) => sql`${sent} is distinct from ${value}`)
    const claims = sql`_input._sent ? ${literal(field.name)} and ${join(others, sql` and `)}`
    return sql`(${claims}) as ${columnOf(position)}`
  })
}

/** Selects the claims of created records. `where` selects the created records from `_input`. */
export function claimsOfCreated(table: Table, input: InputRows, where: Sql = sql`true`): Sql {
  const valueFor = (field: Field) => createdValue(table, input, field) ?? nullOf(field)
  const columns = join([sql`_n`, ...claimColumns({ table, input, valueFor })])
  return sql`(select ${columns} from _input where ${where}) _created`
}

const columnOf = (position: number): Sql => identifier(`_c${position}`)

/** Returns the conflict query `claimed` on rows with the columns of `claimColumns`. */
export function claimed(
  table: Table,
  input: Pick<InputRows, 'counts'>,
  sources: readonly Sql[],
): ConflictQueries {
  const rows = claimedFields(table, input).flatMap(({ name }, position) =>
    sources.map(
      (from) => sql`select _n, ${literal(name)}::text as _field from ${from} where ${columnOf(position)}`,
    ),
  )
  if (rows.length === 0) return {}
  return {
    claimed: sql`
      select json_agg(json_build_array(_n, _field) order by _n, _field)
        from (${join(rows, sql` union all `)}) _claims`,
  }
}
