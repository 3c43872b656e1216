/** Creates records: any number of them by one statement. */
import { nothing, type Sql, sql } from '../../../db/sql.ts'
import type { Field, Table } from '../../datatables/table.ts'
import type { Given } from '../../records/validate.ts'
import { defaultOf, givenColumn, givenStep, whereSaid } from '../given.ts'
import type { RecordInsert } from '../provider.ts'
import { recordsAnswer, recordsStatement, refusedAnswer, refusedStep, type Step, unlessRefused } from '../steps.ts'
import { faultsOfCreated, unreferenced } from './references.ts'
import { writtenState } from './rows.ts'

/** See Provider. */
export function insertRecords(table: Table, { given, references }: RecordInsert): Sql[] {
  const objections = unreferenced(faultsOfCreated(table, given, references))
  const isRefusable = Object.keys(objections).length > 0
  const inserted = sql`
    ${insertion(table, given, [], sql`_n`, isRefusable ? sql`where ${unlessRefused(objections)}` : nothing)} returning ${writtenState(table)}`
  const written = sql`select row_number() over () as _n, _inserted.* from _inserted`
  const steps: Step[] = [givenStep(table, given), ...(isRefusable ? [refusedStep(objections)] : []), ['_inserted', inserted], ['_written', written]]
  const answer = isRefusable ? sql`${recordsAnswer}, ${refusedAnswer}` : recordsAnswer
  return [...advanceIdentity(table, given), recordsStatement(table, steps, [{ event: 'RECORD_CREATE' }], answer)]
}

/** Inserts the rows of `_given` in an order; `filled` are fields that have their default there already. */
export function insertion(table: Table, given: Given, filled: readonly Field[], order: Sql, where: Sql = nothing): Sql {
  const { storage } = table
  const named = [...table.fields.values()].filter(
    (field) => given.counts.has(field.name) || filled.includes(field) || (!storage.hasColumns && defaultOf(table, field) !== undefined),
  )
  // Records that give nothing at all are inserted by the one column that every table has.
  const fields = named.length > 0 ? named : table.primaryKey
  const { columns, values } = storage.insertion(
    fields.map((field) => [field, filled.includes(field) ? givenColumn(table, field) : insertedValue(table, given, field)]),
  )
  return sql`insert into ${table.relation} as _row (${columns}) select ${values} from _given ${where} order by ${order}`
}

/** A field that some records leave out gets in those what its column's default says. */
function insertedValue(table: Table, { counts, count }: Given, field: Field): Sql {
  const said = counts.get(field.name) ?? 0
  const otherwise = defaultOf(table, field) ?? sql`null`
  if (said === 0) return otherwise
  return said === count ? givenColumn(table, field) : whereSaid(sql`_said`, field, givenColumn(table, field), otherwise)
}

/** A higher number than this is a client's own affair: numbering that went on after it would soon have none left. */
const identityMax = String(2 ** 53 - 1)

/**
 * Lets the numbering of records go on after the highest number that a client gives; without it a record without a
 * number would get one that is taken.
 */
export function advanceIdentity(table: Table, { highestIdentity }: Given): Sql[] {
  if (!table.identity || highestIdentity === undefined) return []
  const [sequence, highest] = [table.storage.sequence(table.identity), sql`${String(highestIdentity)}::bigint`]
  return [
    sql`select setval(${sequence}, ${highest})
         where ${highest} > (select coalesce(pg_sequence_last_value(${sequence}::regclass), 0)) and ${highest} < ${identityMax}::bigint`,
  ]
}
