/**
 * Turns database failures of writes into the errors that the client reads. Spec: Errors, data service writes.
 */

import type { RequestContext } from '../../context.ts'
import { type DatabaseFailure, isConstraintViolation, isInvalidValue, sqlstates } from '../../db/failures.ts'
import { inTenant } from '../../db/tenant.ts'
import type { AppError } from '../../errors.ts'
import { numberOf, textOf } from '../../lib/exact-json.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { isOperation } from '../model/arithmetic.ts'
import type { FieldType } from '../model/field-types.ts'
import { isPendingName } from '../model/names.ts'
import type { NamedConstraint, Table } from '../model/table.ts'
import { firstCheckFailure } from '../providers/writes/input.ts'
import { type RecordsBody, recordPrefix } from './body.ts'
import { brokenRule as brokenEdgeRule, cannotBeRestored } from './edge-rules.ts'
import {
  brokenUnseen,
  deleteBlocked,
  duplicateValue,
  invalidRecords,
  referenceMissing,
  referenceUnread,
  schemaIsChanging,
  stillReferenced,
  valueOutOfRange,
} from './errors.ts'
import { tooLongForIndex } from './too-long.ts'

const mayNotBeNull = 'This field may not be null.'

/** The table of a write. */
interface Target {
  catalog: Catalog
  table: Table
}

/**
 * Returns the error for a failure of a write of `body`; undefined if the client did not cause the failure.
 */
export async function writeError(
  ctx: RequestContext,
  failure: DatabaseFailure,
  target: Target,
  body: RecordsBody,
): Promise<AppError | undefined> {
  const error = await shownError(ctx, failure, target, body)
  const isUnseen = target.catalog.standing && isConstraintViolation(failure.sqlstate)
  return error ?? (isUnseen ? brokenUnseen(failure.sqlstate) : undefined)
}

/** Returns the error of `writeError`; also undefined if it concerns data that is hidden from the guest. */
async function shownError(
  ctx: RequestContext,
  failure: DatabaseFailure,
  { catalog, table }: Target,
  body: RecordsBody,
): Promise<AppError | undefined> {
  const isGuest = catalog.standing !== undefined
  const broken = brokenEdgeRule(failure)
  if (broken) return cannotBeRestored(broken, table.name)
  if (
    failure.sqlstate === sqlstates.notNull &&
    failure.column &&
    (!isGuest || table.fields.has(failure.column))
  )
    return invalidRecords({ [failure.column]: [mayNotBeNull] })
  if (failure.sqlstate === sqlstates.limitExceeded)
    return invalidRecords(
      tooLongForIndex(failure, table, body) ?? {
        non_field_errors: ['A value is too long for the index of its field, or to be searched.'],
      },
    )
  if (isInvalidValue(failure.sqlstate)) return invalidRecords({ non_field_errors: [valueOutOfRange] })
  if (failure.constraint && isPendingName(failure.constraint)) return schemaIsChanging(table.name)
  const constraint = table.constraints.get(failure.constraint ?? '')
  const key = failedKey(failure)
  switch (failure.sqlstate) {
    case sqlstates.unique:
      return constraint && duplicateValue(constraint.fields, place(key, table, constraint.fields, body))
    case sqlstates.foreignKey:
    case sqlstates.restrict: {
      if (key?.missing && constraint) {
        const { fields, resource } = constraint
        const where = place(key, table, fields, body)
        return isGuest
          ? referenceUnread(fields, where)
          : referenceMissing(fields, resource || table.name, where)
      }
      return isGuest ? undefined : key && stillReferenced(key.fields, referencing(failure, catalog), '')
    }
    case sqlstates.check:
      return constraint && brokenRule(ctx, { catalog, table }, constraint, body)
    default:
      return undefined
  }
}

/**
 * Returns the error for a rule that only Postgres found violated. For several records, Postgres finds the
 * first one.
 */
async function brokenRule(
  ctx: RequestContext,
  { catalog: { standing }, table }: Target,
  { fields, rule, required }: NamedConstraint,
  body: RecordsBody,
): Promise<AppError | undefined> {
  if (required) return invalidRecords({ [fields.join()]: [mayNotBeNull] })
  const field = table.fields.get(fields.join())
  if (!field || !rule) return undefined
  const input = { text: body.text, count: body.records.length }
  // If a record computes the value, the body alone does not show which record breaks the rule.
  const isSent = !body.records.some((record) => isOperation(field, record[field.name]))
  const planned = standing && { siteId: null, catalogVersion: null, standing }
  const found =
    body.bulk && isSent
      ? (await inTenant(ctx, 'read', { failure: firstCheckFailure(table, input, field, rule) }, { planned }))
          .failure.first
      : undefined
  return invalidRecords({
    [field.name]: [
      `${found ? recordPrefix(body, found._n, field.name) : ''}The value violates the rule "${rule.name}".`,
    ],
  })
}

/**
 * Returns the error for a failure of a deletion, which foreign keys cause. Spec: Delete rules for foreign
 * keys.
 */
export function deleteError(failure: DatabaseFailure, { catalog }: Target): AppError | undefined {
  if (failure.sqlstate === sqlstates.stackTooDeep)
    return deleteBlocked(
      'The chain of references to delete is too long. Start with the records at its other end.',
    )
  if (!isConstraintViolation(failure.sqlstate)) return undefined
  if (catalog.standing) return deleteBlocked('Other records reference the record.')
  const resource = referencing(failure, catalog)
  const key = failedKey(failure)
  return key && !key.missing && failure.sqlstate !== sqlstates.unique
    ? deleteBlocked(
        `Records of "${resource}" reference the record whose ${key.fields.join(', ')} is ${key.values}.`,
      )
    : deleteBlocked(`The deletion would change records of "${resource}" so that they violate a rule.`)
}

/**
 * Returns the table whose constraint failed: `<app>/<name>` for another app, its physical name if it was
 * deleted.
 */
function referencing({ constraint, table }: DatabaseFailure, { tables, dependents }: Catalog): string {
  const owner = [...tables.values()].find((candidate) => candidate.constraints.has(constraint ?? ''))
  const other = dependents.find(({ held }) => held?.table.physical_table_name === table)
  return owner?.name ?? other?.name ?? table ?? ''
}

interface FailedKey {
  fields: string[]
  /** Values as Postgres prints them. */
  values: string
  /** Whether the record references a missing record. Otherwise it exists already, or is referenced. */
  missing: boolean
}

const keyDetail =
  /^Key \((.*?)\)=\((.*)\) (?:already exists|is (not present in|(?:still )?referenced from) table ".*")\.$/s

function failedKey({ detail }: DatabaseFailure): FailedKey | undefined {
  const [, fields, values, relation] = keyDetail.exec(detail ?? '') ?? []
  if (fields === undefined || values === undefined) return undefined
  return { fields: fields.split(', '), values, missing: relation === 'not present in' }
}

/** Returns `rows[3]: ` for the record of the body that has the values of a key; '' if it cannot be found. */
function place(
  key: FailedKey | undefined,
  table: Table,
  fields: readonly string[],
  body: RecordsBody,
): string {
  if (!key) return ''
  const types = fields.map((name) => table.fields.get(name)?.type)
  // A text may contain commas. Then there are more parts than fields, and the printed text is compared as a
  // whole.
  const parts = fields.length === 1 ? [key.values] : key.values.split(', ')
  const wanted = parts.length === fields.length ? spelled(types, parts) : key.values
  const index = body.records.findLastIndex((record) => {
    const values = fields.map((name) => record[name])
    // A null violates neither kind of constraint. Of two records with the same value, the second is wrong.
    return values.every((value) => value !== undefined && value !== null) && spelled(types, values) === wanted
  })
  return index === -1 ? '' : recordPrefix(body, index, fields[0])
}

/**
 * Returns one spelling for equal values: clients can write numbers, dates and times differently than
 * Postgres.
 */
const spelled = (types: readonly (FieldType | undefined)[], values: readonly unknown[]): string =>
  values.map((value, position) => spelling(types[position], value)).join(', ')

function spelling(type: FieldType | undefined, value: unknown): string {
  const candidates =
    typeof value === 'string' ? [value, numberOf(value), value.replace(/[+-]\d\d$/, '$&:00')] : [value]
  const own = candidates.find((candidate) => type?.problem(candidate) === undefined)
  return type && own !== undefined ? String(type.key(own as never)) : textOf(value)
}
