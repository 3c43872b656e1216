/** From what Postgres refused of a write to what the client reads: by SQLSTATE and constraint. Spec: Errors, data service writes. */
import type { RequestContext } from '../../context.ts'
import { type DatabaseFailure, isBadValue, isConstraintViolation, sqlstates } from '../../db/failures.ts'
import { inTenant } from '../../db/tenant.ts'
import type { AppError } from '../../errors.ts'
import { numberOf, textOf } from '../../lib/exact-json.ts'
import type { Catalog } from '../catalog.ts'
import type { FieldType } from '../datatables/field-types.ts'
import { isPending } from '../datatables/names.ts'
import type { NamedConstraint, Table } from '../datatables/table.ts'
import { cannotBeRestored } from '../edges/errors.ts'
import { brokenRule as brokenEdgeRule } from '../edges/failures.ts'
import { firstBreach } from '../providers/given.ts'
import { placeOf, type RecordsBody } from './body.ts'
import { deleteBlocked, duplicateValue, invalidRecords, referenceMissing, schemaIsChanging, stillReferenced, valueOutOfRange } from './errors.ts'
import { tooLongForIndex } from './too-long.ts'

const mayNotBeNull = 'This field may not be null.'

interface Target {
  catalog: Catalog
  table: Table
}

/** The refusal for a failure of a write of `body`; undefined when the failure is none of the client's making. */
export async function writeRefusal(
  ctx: RequestContext,
  failure: DatabaseFailure,
  { catalog, table }: Target,
  body: RecordsBody,
): Promise<AppError | undefined> {
  const broken = brokenEdgeRule(failure)
  if (broken) return cannotBeRestored(broken, table.name)
  if (failure.sqlstate === sqlstates.notNull && failure.column) return invalidRecords({ [failure.column]: [mayNotBeNull] })
  if (failure.sqlstate === sqlstates.limitExceeded)
    return invalidRecords(
      tooLongForIndex(failure, table, body) ?? { non_field_errors: ['A value is too large for the index or the search of its field.'] },
    )
  if (isBadValue(failure.sqlstate)) return invalidRecords({ non_field_errors: [valueOutOfRange] })
  if (failure.constraint && isPending(failure.constraint)) return schemaIsChanging(table.name)
  const constraint = table.constraints.get(failure.constraint ?? '')
  const key = failedKey(failure)
  switch (failure.sqlstate) {
    case sqlstates.unique:
      return constraint && duplicateValue(constraint.fields, place(key, table, constraint.fields, body))
    case sqlstates.foreignKey:
    case sqlstates.restrict: {
      if (key?.missing && constraint)
        return referenceMissing(constraint.fields, constraint.resource || table.name, place(key, table, constraint.fields, body))
      return key && stillReferenced(key.fields, referencing(failure, catalog), '')
    }
    case sqlstates.check:
      return constraint && brokenRule(ctx, table, constraint, body)
    default:
      return undefined
  }
}

/** A rule that JavaScript found kept and Postgres broken: of a bulk, Postgres is asked which record it was. */
async function brokenRule(
  ctx: RequestContext,
  table: Table,
  { fields, rule, required }: NamedConstraint,
  body: RecordsBody,
): Promise<AppError | undefined> {
  if (required) return invalidRecords({ [fields.join()]: [mayNotBeNull] })
  const field = table.fields.get(fields.join())
  if (!field || !rule) return undefined
  const found = body.bulk
    ? (await inTenant(ctx, 'read', [firstBreach(table, { text: body.text, count: body.records.length }, field, rule)])).results.row<{ _n: number }>()
    : undefined
  return invalidRecords({ [field.name]: [`${found ? placeOf(body, found._n) : ''}The value breaks the rule "${rule.name}".`] })
}

/** The refusal of a delete: whatever stands against it, a foreign key brought it up. Spec: Delete rules for foreign keys. */
export function deleteRefusal(failure: DatabaseFailure, { catalog }: Target): AppError | undefined {
  if (failure.sqlstate === sqlstates.stackTooDeep)
    return deleteBlocked('Records go along with it that reference each other in too long a chain: delete those at its other end first.')
  if (!isConstraintViolation(failure.sqlstate)) return undefined
  const resource = referencing(failure, catalog)
  const key = failedKey(failure)
  return key && !key.missing && failure.sqlstate !== sqlstates.unique
    ? deleteBlocked(`Records of "${resource}" reference the record whose ${key.fields.join(', ')} is ${key.values}.`)
    : deleteBlocked(`What the delete would make of records of "${resource}" breaks a rule of that table.`)
}

/** The name of the table whose constraint it is: of another app `<app>/<name>`; deleted meanwhile, its physical one. */
function referencing({ constraint, table }: DatabaseFailure, { tables, dependents }: Catalog): string {
  const owner = [...tables.values()].find((candidate) => candidate.constraints.has(constraint ?? ''))
  const other = dependents.find(({ held }) => held?.table.physical_table_name === table)
  return owner?.name ?? other?.name ?? table ?? ''
}

interface FailedKey {
  fields: string[]
  /** As Postgres prints them. */
  values: string
  /** Whether it references nothing; else it is there already, or is referenced. */
  missing: boolean
}

const keyDetail = /^Key \((.*?)\)=\((.*)\) (?:already exists|is (not present in|(?:still )?referenced from) table ".*")\.$/s

function failedKey({ detail }: DatabaseFailure): FailedKey | undefined {
  const [, fields, values, relation] = keyDetail.exec(detail ?? '') ?? []
  if (fields === undefined || values === undefined) return undefined
  return { fields: fields.split(', '), values, missing: relation === 'not present in' }
}

/** The record of the body that has the values of a constraint's fields, as `rows[3]: `. */
function place(key: FailedKey | undefined, table: Table, fields: readonly string[], body: RecordsBody): string {
  if (!key) return ''
  const types = fields.map((name) => table.fields.get(name)?.type)
  // Text may have a comma of its own: then there are more parts than fields, and what was printed is compared whole.
  const parts = fields.length === 1 ? [key.values] : key.values.split(', ')
  const wanted = parts.length === fields.length ? spelled(types, parts) : key.values
  const index = body.records.findLastIndex((record) => {
    const values = fields.map((name) => record[name])
    // A null breaks neither kind of constraint. Of two records with one value, the second is the one too many.
    return values.every((value) => value !== undefined && value !== null) && spelled(types, values) === wanted
  })
  return index === -1 ? '' : placeOf(body, index)
}

/** One spelling for equal values: Postgres prints numbers, dates and times otherwise than clients may send them. */
const spelled = (types: readonly (FieldType | undefined)[], values: readonly unknown[]): string =>
  values.map((value, position) => spelling(types[position], value)).join(', ')

function spelling(type: FieldType | undefined, value: unknown): string {
  const candidates = typeof value === 'string' ? [value, numberOf(value), value.replace(/[+-]\d\d$/, '$&:00')] : [value]
  const own = candidates.find((candidate) => type?.problem(candidate) === undefined)
  return type && own !== undefined ? String(type.key(own as never)) : textOf(value)
}
