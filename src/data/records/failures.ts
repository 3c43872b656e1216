/** From what Postgres refused of a write to what the client reads: by SQLSTATE and constraint. Spec: Errors, data service writes. */
import { DatabaseFailure, sqlstates } from '../../db/failures.ts'
import type { AppError } from '../../errors.ts'
import type { Table } from '../datatables/table.ts'
import { duplicateValue, invalidRecords, referenceMissing } from './errors.ts'
import type { JsonRecord } from './validate.ts'

/** The refusal for a failure of a write to `table`; undefined when the failure is none of the client's making. */
export function refusalOf(failure: unknown, table: Table, records: readonly JsonRecord[], bulk: boolean): AppError | undefined {
  if (!(failure instanceof DatabaseFailure)) return undefined
  if (failure.sqlstate === sqlstates.notNull && failure.column) return invalidRecords({ [failure.column]: ['This field may not be null.'] })
  if (failure.sqlstate === sqlstates.indexRowSize) return invalidRecords({ non_field_errors: ['A value is too large for the index of its field.'] })
  const constraint = table.constraints.get(failure.constraint ?? '')
  if (!constraint) return undefined
  const where = bulk ? place(failure, constraint.fields, records) : ''
  switch (failure.sqlstate) {
    case sqlstates.unique:
      return duplicateValue(constraint.fields, where)
    case sqlstates.foreignKey:
      return referenceMissing(constraint.fields, constraint.resource || table.name, where)
    case sqlstates.check:
      return invalidRecords({ [constraint.fields.join(',')]: [`${where}The value breaks the rule "${constraint.rule?.name}".`] })
    default:
      return undefined
  }
}

/** Postgres says `Key (a, b)=(1, 2) …`: the record of the request that has these values, as `rows[3]: `. */
function place(failure: DatabaseFailure, fields: readonly string[], records: readonly JsonRecord[]): string {
  const key = /^Key \(.*?\)=\((.*)\) /s.exec(failure.detail ?? '')?.[1]
  if (key === undefined) return ''
  const matching = records.flatMap((record, index) => (fields.map((field) => String(record[field])).join(', ') === key ? [index] : []))
  // Of two records with one value, the second is the one too many.
  const index = matching.at(-1)
  return index === undefined ? '' : `rows[${index}]: `
}
