/** From what Postgres refused of a write to what the client reads: by SQLSTATE and constraint. Spec: Errors, data service writes. */
import { DatabaseFailure, isBadValue, sqlstates } from '../../db/failures.ts'
import type { AppError } from '../../errors.ts'
import type { FieldType } from '../datatables/field-types.ts'
import type { Table } from '../datatables/table.ts'
import { duplicateValue, invalidRecords, referenceMissing } from './errors.ts'
import type { JsonRecord } from './validate.ts'

/** The refusal for a failure of a write to `table`; undefined when the failure is none of the client's making. */
export function refusalOf(failure: unknown, table: Table, records: readonly JsonRecord[], bulk: boolean): AppError | undefined {
  if (!(failure instanceof DatabaseFailure)) return undefined
  if (failure.sqlstate === sqlstates.notNull && failure.column) return invalidRecords({ [failure.column]: ['This field may not be null.'] })
  if (failure.sqlstate === sqlstates.limitExceeded)
    return invalidRecords({ non_field_errors: ['A value is too large for the index or the search of its field.'] })
  if (isBadValue(failure.sqlstate)) return invalidRecords({ non_field_errors: ['A value is none of its field’s type, or beyond its range.'] })
  const constraint = table.constraints.get(failure.constraint ?? '')
  if (!constraint) return undefined
  const where = bulk ? place(failure, table, constraint.fields, records) : ''
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
function place(failure: DatabaseFailure, table: Table, fields: readonly string[], records: readonly JsonRecord[]): string {
  const key = /^Key \(.*?\)=\((.*)\) /s.exec(failure.detail ?? '')?.[1]
  if (key === undefined) return ''
  const types = fields.map((name) => table.fields.get(name)?.type)
  const wanted = types.length === 1 ? spelled(types[0], key) : key
  const matching = records.flatMap((record, index) =>
    fields.map((name, position) => spelled(types[position], record[name])).join(', ') === wanted ? [index] : [],
  )
  // Of two records with one value, the second is the one too many.
  const index = matching.at(-1)
  return index === undefined ? '' : `rows[${index}]: `
}

/** One spelling for equal values: Postgres prints numbers, dates and times otherwise than clients may send them. */
function spelled(type: FieldType | undefined, value: unknown): string {
  if (!type || value === undefined || value === null) return String(value)
  const candidates = typeof value === 'string' ? [value, Number(value), value.replace(/[+-]\d\d$/, '$&:00')] : [value]
  const own = candidates.find((candidate) => type.problem(candidate) === undefined)
  return own === undefined ? String(value) : String(type.key(own as never))
}
