/** Turns the conflicts of a write, which wrote nothing, into the error that the client reads. */

import { textOf } from '../../../kernel/lib/exact-json.ts'
import { ProblemList } from '../../../kernel/lib/problem-list.ts'
import type { Catalog } from '../../catalog/load-catalog.ts'
import { mayLearnOf } from '../../catalog/scoped.ts'
import { type RecordsBody, recordName, recordPrefix } from '../../failures/body.ts'
import {
  changedMeanwhile,
  deleteBlocked,
  duplicateValue,
  heldBySoftDeleted,
  invalidRecords,
  recordNotFound,
  referencedMessage,
  referenceMissing,
  referenceUnread,
  refusedByRules,
  repeatedMessage,
  stillReferenced,
  stillReferencedUnread,
  tooManyMatches,
  unexpectedCount,
  unsaidMatches,
} from '../../failures/errors.ts'
import type { Field } from '../../model/field.ts'
import type { Reference } from '../../model/relationships.ts'
import type { Table } from '../../model/table.ts'
import type { InboundKey } from '../../providers/inbound-key.ts'
import type { FilteredRecords, WriteConflicts } from '../../providers/provider.ts'
import { formatKey } from '../../query/plan/keys.ts'
import { computedMessage, neededFields, requiredMessage } from '../parse/validate.ts'

interface Attempt {
  catalog: Catalog
  table: Table
  body: RecordsBody
  /** The fields that identify its records. */
  key: readonly Field[]
  references: readonly Reference[]
  /** Returns the keys that prevent a soft deletion. */
  inbound(): readonly InboundKey[]
  /** The primary key in the path, if any. */
  id?: string | undefined
}

/** Throws 412, 413 or 422 if a filter matches a wrong number of records. */
export function throwFilterConflicts(
  conflicts: WriteConflicts | undefined,
  { expected, isMeant, rowsMax }: FilteredRecords,
): void {
  const [[many], [unexpected]] = [conflicts?.many ?? [], conflicts?.unexpected ?? []]
  if (many !== undefined) throw isMeant ? tooManyMatches(rowsMax) : unsaidMatches(many, rowsMax)
  if (unexpected !== undefined) throw unexpectedCount(expected, unexpected)
}

/**
 * Throws 400 or 403 if access rules do not allow a guest to write the records. `at` returns the beginning of
 * a message about a record. Omitted: the messages name no record.
 */
function throwRuleConflicts(
  conflicts: WriteConflicts | undefined,
  at: (place: number, field?: string) => string = () => '',
): void {
  const problems = new ProblemList()
  for (const [place, field] of conflicts?.filled ?? [])
    problems.add(field, `${at(place, field)}${filledInMessage}`)
  if (!problems.isEmpty) throw invalidRecords(problems.details())
  const [unseen] = conflicts?.unseen ?? []
  if (unseen) {
    const [place, fields] = unseen
    throw referenceUnread(fields, at(place, fields[0]))
  }
  const [refused] = conflicts?.refused ?? []
  if (refused !== undefined) throw refusedByRules(at(refused))
}

/** Throws 403 if records reference a record that would be soft-deleted. `at`: see `throwRuleConflicts`. */
function throwHeld(
  conflicts: WriteConflicts | undefined,
  { inbound, catalog }: Pick<Attempt, 'inbound' | 'catalog'>,
  at: (place: number) => string = () => '',
): void {
  const [held] = conflicts?.held ?? []
  if (!held) return
  const [place, position, values] = held
  const one = inbound()[position]
  throw one && mayLearnOf(catalog, one.table.name)
    ? deleteBlocked(at(place) + referencedMessage(one.table.name, one.key.reference.fields, values))
    : deleteBlocked(`${at(place)}Other records reference the record.`)
}

/** Throws 400 if records reference a value that would change. `at`: see `throwRuleConflicts`. */
function throwReferenced(
  { referenced }: WriteConflicts,
  { inbound, catalog }: Pick<Attempt, 'inbound' | 'catalog'>,
  at: (place: number) => string,
): void {
  const [[place, position] = [0, -1]] = referenced ?? []
  const one = inbound()[position]
  if (!one) return
  const { fields } = one.key.reference
  throw mayLearnOf(catalog, one.table.name)
    ? stillReferenced(fields, one.table.name, at(place))
    : stillReferencedUnread(fields)
}

/**
 * Throws 403, 404 or 412 if a deletion without a body had conflicts, or if there is no record with the key in
 * the path. `written` is the number of deleted records.
 */
export function throwDeletionConflicts(
  conflicts: WriteConflicts | undefined,
  {
    catalog,
    table,
    inbound,
    id,
    written,
  }: Pick<Attempt, 'catalog' | 'table' | 'inbound' | 'id'> & {
    written: number | undefined
  },
): void {
  throwRuleConflicts(conflicts)
  throwHeld(conflicts, { inbound, catalog })
  if (id === undefined) return
  if (conflicts?.stale) throw changedMeanwhile(table.name, id)
  if (written === 0) throw recordNotFound(table.name, id)
}

/** The message about a value that a guest may not choose. */
const filledInMessage = 'An access rule sets this field. Omit it.'

/**
 * Returns the fields of a unique key. MongoDB has a name of its own for that of the primary key, and
 * collections that were there before have their own names and `paths`.
 */
function takenFields(
  { constraints, schema, fields }: Table,
  constraint: string,
  paths: readonly string[] = [],
): readonly string[] {
  const named = paths.filter((path) => fields.has(path) && !schema.primaryKey.includes(path))
  return constraints.get(constraint)?.fields ?? (named.length > 0 ? named : schema.primaryKey)
}

/** Throws 400, 403, 404, 409 or 412 if the write had conflicts. */
export function throwConflicts(
  conflicts: WriteConflicts | undefined,
  { catalog, table, body, key, references, inbound, id }: Attempt,
): void {
  if (!conflicts) return
  const names = key.map((field) => field.name)
  const at = (place: number, field?: string) => recordPrefix(body, place, field)
  const idOf = (place: number) => id ?? formatKey(names.map((name) => textOf(body.records[place]?.[name])))
  const problems = new ProblemList()
  for (const [place, first] of conflicts.repeated ?? [])
    problems.add(names.join(','), at(place, names[0]) + repeatedMessage(names, recordName(body, first)))
  for (const place of conflicts.incomplete ?? []) {
    const lacking = neededFields(table).filter(
      (field) => !Object.hasOwn(body.records[place] ?? {}, field.name),
    )
    for (const { name } of lacking) problems.add(name, at(place) + requiredMessage)
  }
  for (const place of conflicts.moved ?? []) {
    problems.add(
      table.primaryKey.map((field) => field.name).join(','),
      `${at(place)}The primary key of a record cannot be changed.`,
    )
  }
  // The records that a filter finds have the same message.
  const claims = new Map(
    (conflicts.claimed ?? []).map(([place, field]) => [
      `${field} ${at(place, field)}`,
      [place, field] as const,
    ]),
  )
  for (const [place, field] of claims.values()) problems.add(field, at(place, field) + computedMessage)
  for (const [place, field, messages] of conflicts.broken ?? [])
    for (const message of messages) problems.add(field, at(place, field) + message)
  const [missing, hidden, stale] = [conflicts.missing?.[0], conflicts.hidden?.[0], conflicts.stale?.[0]]
  if (missing !== undefined && !conflicts.repeated)
    throw recordNotFound(table.name, idOf(missing), at(missing))
  if (!problems.isEmpty) throw invalidRecords(problems.details())
  if (hidden !== undefined)
    throw mayLearnOf(catalog, table.name)
      ? heldBySoftDeleted(names, at(hidden))
      : duplicateValue(names, at(hidden))
  const [[taken, constraint, paths] = [0, '']] = conflicts.taken ?? []
  if (conflicts.taken) throw duplicateValue(takenFields(table, constraint, paths), at(taken))
  if (stale !== undefined) throw changedMeanwhile(table.name, idOf(stale))
  throwRuleConflicts(conflicts, at)
  throwHeld(conflicts, { inbound, catalog }, at)
  throwReferenced(conflicts, { inbound, catalog }, at)
  const [[place, position] = [0, -1]] = conflicts.deletedTargets ?? []
  const reference = references[position]
  if (!reference) return
  const { columns, target, isHidden } = reference
  throw isHidden ? referenceUnread(columns, at(place)) : referenceMissing(columns, target.name, at(place))
}
