/** Reads the query parameters of writes. Spec: Records; R8, R9, R13. */

import { rowsMax } from '../failures/body.ts'
import { tooManyRows } from '../failures/errors.ts'
import { isUnique } from '../model/keys.ts'
import type { RelationshipGraph } from '../model/relationships.ts'
import type { Field, Table } from '../model/table.ts'
import type { FilteredRecords, RecordDeletion } from '../providers/provider.ts'
import type { Filter } from '../query/parse/ast.ts'
import { parseFilterText } from '../query/parse/filter-tree.ts'
import { parseTerms } from '../query/parse/view.ts'
import { planFilter } from '../query/plan/filter.ts'
import { parseKeyList } from '../query/plan/keys.ts'
import { type Order, planOrder } from '../query/plan/order.ts'
import { planning } from '../query/plan/planning.ts'
import { isAlways, type Predicate } from '../query/predicate.ts'
import { Problems } from '../query/problems.ts'

/** The options of a write in its query parameters. */
interface Flags {
  /** Includes soft-deleted records. */
  includeDeleted: boolean
  /** Removes the records themselves, even if the table has soft deletion. */
  hardDelete: boolean
  /** Rolls everything back, but answers as if the write had happened. */
  isDry: boolean
  /** Whether one invalid record prevents writing the others. */
  isAtomic: boolean
  /** Whether the answer contains the records; undefined if the request does not say. */
  returnsRecords: boolean | undefined
}

/** Reads the parameters that most writes accept. Throws 400 for invalid values. */
export function readFlags(parameters: URLSearchParams): Flags {
  const problems = new Problems()
  const flag = (name: string, otherwise = false): boolean => {
    const value = parameters.get(name) ?? String(otherwise)
    if (value !== 'true' && value !== 'false') problems.add(name, 'Must be true or false.')
    return value === 'true'
  }
  const returned = parameters.get('return')
  if (returned !== null && returned !== 'records' && returned !== 'minimal')
    problems.add('return', 'Must be records or minimal.')
  const flags = {
    includeDeleted: flag('include_deleted'),
    hardDelete: flag('hard_delete'),
    isDry: flag('dry_run'),
    isAtomic: flag('atomic', true),
    returnsRecords: returned === null ? undefined : returned === 'records',
  }
  problems.throwIfAny()
  return flags
}

/**
 * Reads whether records whose unique values are taken are left out. Throws 400 for an unknown value, and for
 * a guest.
 */
export function readOnConflict(parameters: URLSearchParams, isGuest: boolean): boolean {
  const value = parameters.get('on_conflict')
  const problems = new Problems()
  if (value !== null && value !== 'ignore') problems.add('on_conflict', 'Must be ignore.')
  if (value !== null && isGuest) problems.add('on_conflict', 'Not possible by access rules.')
  problems.throwIfAny()
  return value !== null
}

/**
 * Reads the fields by which an upsert finds existing records. Throws 400 unless a key or index makes them
 * unique. R8.
 */
export function readUniqueFields(parameters: URLSearchParams, table: Table): Field[] {
  const problems = new Problems()
  const names = parameters.getAll('unique_fields').flatMap((list) => list.split(','))
  const refuse = (message: string) => problems.add('unique_fields', message)
  const fields = names.flatMap((name) => table.fields.get(name) ?? [])
  if (names.join('') === '') refuse('Name the fields that identify a record, for example unique_fields=sku.')
  else if (fields.length < names.length) {
    const unknown = names.filter((name) => !table.fields.has(name))
    refuse(
      `Unknown field ${unknown.map((name) => JSON.stringify(name)).join(', ')}. Fields: ` +
        `${[...table.fields.keys()].join(', ')}.`,
    )
  } else if (!isUnique(table, names)) {
    refuse(
      `No primary key, unique constraint or unconditional unique index covers exactly ${names.join(', ')}.`,
    )
  }
  problems.throwIfAny()
  return fields
}

/**
 * Reads which records a bulk delete selects: `ids` or `filter`. Throws 400 unless exactly one is given. R9.
 */
export function readWhich(
  parameters: URLSearchParams,
  table: Table,
  graph: RelationshipGraph,
): RecordDeletion['which'] {
  const problems = new Problems()
  const [ids, filter] = [parameters.getAll('ids'), parameters.get('filter')]
  if (ids.length > 0 && filter !== null) problems.add('filter', 'Send ids or a filter, not both.')
  else if (ids.length === 0 && filter === null)
    problems.add('ids', 'Send the ids of the records to delete, or a filter.')
  const which =
    filter === null
      ? { keys: readIds(ids, table, problems) }
      : readMatching(filter, parameters, { table, graph, problems })
  if (filter === null) addNeedsFilter(parameters, problems)
  problems.throwIfAny()
  return which
}

/** Throws 400 for a parameter that is possible only with a filter. */
export function rejectFilterOptions(parameters: URLSearchParams): void {
  const problems = new Problems()
  addNeedsFilter(parameters, problems)
  problems.throwIfAny()
}

function addNeedsFilter(parameters: URLSearchParams, problems: Problems): void {
  for (const name of ['expect', 'limit', 'ordering'])
    if (parameters.has(name)) problems.add(name, 'Only possible with a filter.')
}

/** Reads the filter of a change. Throws 400 for an invalid one, and for one that has no condition. */
export function readMatchingRecords(
  text: string,
  parameters: URLSearchParams,
  table: Table,
  graph: RelationshipGraph,
): FilteredRecords {
  const problems = new Problems()
  const matching = readMatching(text, parameters, { table, graph, problems })
  problems.throwIfAny()
  return matching
}

interface Reading {
  table: Table
  graph: RelationshipGraph
  problems: Problems
}

function readMatching(
  text: string,
  parameters: URLSearchParams,
  { table, graph, problems }: Reading,
): FilteredRecords {
  const expected = parameters.get('expect')
  if (expected !== null && !/^(?:0|[1-9]\d{0,8})$/.test(expected))
    problems.add('expect', 'Must be the number of records that the filter matches.')
  const filter = readFilter(text, table, graph, problems)
  return {
    filter,
    limit: readLimit(parameters, problems),
    order: readOrder(filter, parameters, { table, graph, problems }),
    expected: expected === null ? null : Number(expected),
    rowsMax,
  }
}

/** Reads the order in which matching records are written; undefined if their keys decide. */
function readOrder(
  filter: Predicate,
  parameters: URLSearchParams,
  { table, graph, problems }: Reading,
): readonly Order[] | undefined {
  const text = parameters.get('ordering')
  if (text === null) return undefined
  if (!parameters.has('limit')) problems.add('ordering', 'Only possible with limit.')
  return planOrder(planning(table, problems, graph), parseTerms('ordering', text), filter)
}

/** Reads how many of the matching records are written; null for all. */
function readLimit(parameters: URLSearchParams, problems: Problems): number | null {
  const text = parameters.get('limit')
  if (text === null) return null
  const limit = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY
  if (limit > rowsMax) problems.add('limit', `Must be a number from 1 to ${rowsMax}.`)
  if (parameters.has('expect')) problems.add('limit', 'Not possible with expect, which counts all matches.')
  return limit
}

function readIds(lists: readonly string[], table: Table, problems: Problems): string[][] {
  const keys = parseKeyList(table, 'ids', lists, problems)
  if (keys.length > rowsMax) throw tooManyRows(rowsMax)
  return keys
}

function readFilter(text: string, table: Table, graph: RelationshipGraph, problems: Problems): Predicate {
  const filter = parseFilterText('filter', text, problems)
  const predicate = planFilter(planning(table, problems, graph), filter)
  if (problems.isEmpty && (isEmpty(filter) || isAlways(predicate)))
    problems.add('filter', 'A part of the filter has no condition, so it would match every record.')
  return predicate
}

/** Tells whether any part of a filter has no condition. */
function isEmpty(filter: Filter): boolean {
  if ('not' in filter) return isEmpty(filter.not)
  const isNone = (parts: readonly Filter[]) => parts.length === 0 || parts.some(isEmpty)
  if ('and' in filter) return isNone(filter.and)
  return 'or' in filter && isNone(filter.or)
}
