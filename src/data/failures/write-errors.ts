/**
 * Turns database failures of writes into the errors that the client reads. Spec: Errors, data service writes.
 */

import type { RequestContext } from '../../kernel/context.ts'
import {
  type DatabaseFailure,
  isConstraintViolation,
  isInvalidValue,
  sqlstates,
} from '../../kernel/db/failures.ts'
import type { Sql } from '../../kernel/db/sql.ts'
import type { AppError } from '../../kernel/errors.ts'
import { textOf } from '../../kernel/lib/exact-json.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { mayLearnOf } from '../catalog/scoped.ts'
import { isOperation } from '../model/arithmetic.ts'
import type { NamedConstraint } from '../model/named-constraints.ts'
import { isPendingName } from '../model/names.ts'
import type { Reference } from '../model/relationships.ts'
import type { Table } from '../model/table.ts'
import type { SentRecords } from '../providers/writes/first-failing.ts'
import { type RecordsBody, recordName, recordPrefix } from './body.ts'
import { brokenRule, constraintNamed, mayNotBeNull, notComputed } from './broken-rules.ts'
import { brokenRule as brokenEdgeRule, cannotBeRestored } from './edge-rules.ts'
import {
  brokenUnseen,
  deleteBlocked,
  duplicateValue,
  invalidRecords,
  referencedMessage,
  referenceMissing,
  referenceTaken,
  referenceUnread,
  repeatedValue,
  schemaIsChanging,
  stillReferenced,
  stillReferencedUnread,
  valueOutOfRange,
} from './errors.ts'
import { excludedError } from './excluded.ts'
import { type FailedKey, failedKey, indexesOf, indexOf, partsOf, place } from './failed-key.ts'
import { findHolders, type Holder, type WantedValues } from './holders.ts'
import { tooLongForIndex } from './too-long.ts'

/** The table of a write. */
interface Target {
  catalog: Catalog
  table: Table
  /** Returns the condition that the request changes `_row`. Omitted: it changes at most one record. */
  changed?: (() => Sql) | undefined
  /** The references that the statement of a member has checked before it wrote. */
  references?: readonly Reference[] | undefined
  /** The records, if the statement can be asked which of several has failed. */
  sent?: SentRecords | undefined
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
  return (await writeErrors(ctx, [{ failure, body }], target))[0]
}

/** A failure of a write of `body`. */
export interface WriteFailure {
  failure: DatabaseFailure
  body: RecordsBody
}

/** Returns the errors of `writeError` for several failures of one request. */
export async function writeErrors(
  ctx: RequestContext,
  failures: readonly WriteFailure[],
  target: Target,
): Promise<(AppError | undefined)[]> {
  const { catalog, table, changed } = target
  const mayKnow = !catalog.standing && mayLearnOf(catalog, table.name) && (table.softDelete || changed)
  const wanted = failures.map((one) => (mayKnow ? wantedValues(one, table) : undefined))
  const holders = await findHolders(ctx, table, wanted, changed?.())
  return Promise.all(failures.map((one, place) => errorFor(ctx, one, target, holders[place])))
}

/** Returns the values of a unique key that a write could not take, as Postgres prints them. */
function wantedValues({ failure, body }: WriteFailure, table: Table): WantedValues | undefined {
  const fields = table.constraints.get(failure.constraint ?? '')?.fields
  const key = failedKey(failure)
  if (failure.sqlstate !== sqlstates.unique || !fields || !key) return undefined
  const parts = partsOf(key, fields)
  if (parts) return { fields, values: parts }
  const record = body.records[indexOf(key, table, fields, body)]
  return record && { fields, values: fields.map((name) => textOf(record[name])) }
}

async function errorFor(
  ctx: RequestContext,
  { failure, body }: WriteFailure,
  target: Target,
  holder: Holder | undefined,
): Promise<AppError | undefined> {
  const error = await shownError(ctx, failure, target, body, holder)
  const isUnseen = target.catalog.standing && isConstraintViolation(failure.sqlstate)
  return error ?? (isUnseen ? brokenUnseen(failure.sqlstate) : undefined)
}

/** Returns the error of `writeError`; also undefined if it concerns data that is hidden from the guest. */
async function shownError(
  ctx: RequestContext,
  failure: DatabaseFailure,
  { catalog, table, references, changed, sent }: Target,
  body: RecordsBody,
  holder: Holder | undefined,
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
  if (failure.sqlstate === sqlstates.doesNotFit) return misfit(failure, table, body, isGuest)
  if (isInvalidValue(failure.sqlstate))
    return invalidRecords(
      resultOutOfRange(failure, table, body) ??
        notComputed(failure, { catalog, table }) ?? { non_field_errors: [valueOutOfRange] },
    )
  if (failure.constraint && isPendingName(failure.constraint)) return schemaIsChanging(table.name)
  const constraint = constraintNamed(failure.constraint ?? '', { catalog, table })
  const key = failedKey(failure)
  switch (failure.sqlstate) {
    case sqlstates.unique:
      return constraint && takenError(constraint.fields, key, { table, changed }, body, holder)
    case sqlstates.exclusion:
      return constraint && excludedError(failure, table, constraint, body)
    case sqlstates.foreignKey:
    case sqlstates.restrict: {
      if (key?.missing && constraint) return unusable(constraint, key, { catalog, table, references }, body)
      if (isGuest || !key) return undefined
      const other = referencing(failure, catalog)
      return mayLearnOf(catalog, other)
        ? stillReferenced(key.fields, other, '')
        : stillReferencedUnread(key.fields)
    }
    case sqlstates.check:
      return constraint && brokenRule(ctx, { catalog, table, sent }, constraint, body)
    default:
      return undefined
  }
}

/** Returns the error for values that another record has, or that two changed records are to have. */
function takenError(
  fields: readonly string[],
  key: FailedKey | undefined,
  { table, changed }: Pick<Target, 'table' | 'changed'>,
  body: RecordsBody,
  holder: Holder | undefined,
): AppError {
  const isOfRequest = holder === 'request' || (holder === undefined && changed !== undefined)
  const [first = 0, second] = key && isOfRequest ? indexesOf(key, table, fields, body) : []
  return second === undefined
    ? duplicateValue(fields, place(key, table, fields, body), holder)
    : repeatedValue(fields, recordPrefix(body, second, fields[0]), recordName(body, first))
}

/**
 * Returns the error for a value that does not fit the type that its field is about to get. Guests learn of
 * fields that they may see only.
 */
function misfit(
  { column = '', detail = '{}' }: DatabaseFailure,
  table: Table,
  body: RecordsBody,
  isGuest: boolean,
): AppError {
  if (isGuest && !table.fields.has(column)) return schemaIsChanging(table.name)
  const { type, value } = JSON.parse(detail) as { type: string; value: string }
  const where = place({ fields: [column], values: value, missing: false }, table, [column], body)
  return invalidRecords({
    [column]: [
      `${where}The type of this field is being changed to ${type}, ` +
        `which ${JSON.stringify(value)} does not fit.`,
    ],
  })
}

/** Returns the error for a reference to a record that is not there. */
function unusable(
  { fields, resource }: NamedConstraint,
  key: FailedKey,
  { catalog, table, references = [] }: Target,
  body: RecordsBody,
): AppError {
  const isGuest = catalog.standing !== undefined
  const where = place(key, table, fields, body)
  if (wasRead(fields, isGuest ? body : references)) return referenceTaken(fields, where)
  const target = resource || table.name
  return isGuest || !mayLearnOf(catalog, target)
    ? referenceUnread(fields, where)
    : referenceMissing(fields, target, where)
}

/**
 * Tells whether the statement has found the record of a reference before it wrote: the functions of guests
 * check all that are sent, and the statements of members those of `references` to other tables.
 */
function wasRead(fields: readonly string[], checked: RecordsBody | readonly Reference[]): boolean {
  if ('records' in checked)
    return checked.records.some((record) => fields.some((name) => Object.hasOwn(record, name)))
  return checked.some(({ columns, isToItself }) => !isToItself && columns.join() === fields.join())
}

/**
 * Returns the messages for the fields in which the result of an operation is out of range; undefined if
 * there is no operation. All other numbers were checked before the write.
 */
function resultOutOfRange(
  { sqlstate }: DatabaseFailure,
  table: Table,
  { records }: RecordsBody,
): Record<string, string[]> | undefined {
  if (sqlstate !== sqlstates.outOfRange) return undefined
  const names = [...table.fields.values()]
    .filter((field) => records.some((record) => isOperation(field, record[field.name])))
    .map(({ name }) => name)
  const which = names.length === 1 ? 'The result' : 'The result of this or of another operation'
  const messages = names.map((name) => [name, [`${which} is out of the range of the field.`]])
  return names.length === 0 ? undefined : Object.fromEntries(messages)
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
  if (failure.sqlstate === sqlstates.doesNotFit) return schemaIsChanging(failure.table ?? '')
  if (!isConstraintViolation(failure.sqlstate)) return undefined
  const resource = referencing(failure, catalog)
  if (catalog.standing || !mayLearnOf(catalog, resource))
    return deleteBlocked('Other records reference the record.')
  const key = failedKey(failure)
  return key && !key.missing && failure.sqlstate !== sqlstates.unique
    ? deleteBlocked(referencedMessage(resource, key.fields, key.values))
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
