/**
 * Reads which records a write selects: those of `ids`, those that a filter matches, or all of them. A filter
 * must exclude something, and a write of many records must say that it means so. R9, R20.
 */

import { tooManyRows } from '../../../kernel/http/body-errors.ts'
import { booleanOf } from '../../../kernel/lib/boolean-text.ts'
import { quoteValue } from '../../../kernel/lib/quote-value.ts'
import { rowsMax } from '../../failures/body.ts'
import { allNeedsFilter } from '../../failures/errors.ts'
import type { RelationshipGraph } from '../../model/relationships.ts'
import type { Table } from '../../model/table.ts'
import type { FilteredRecords } from '../../providers/provider.ts'
import { fieldsWithoutCondition, passesAll } from '../../query/exclusion.ts'
import { lacksCondition, parseFilterText } from '../../query/parse/filter-tree.ts'
import { parseTerms } from '../../query/parse/view.ts'
import { planFilter } from '../../query/plan/filter.ts'
import { parseKeyList } from '../../query/plan/keys.ts'
import { type Order, planOrder } from '../../query/plan/order.ts'
import { planning } from '../../query/plan/planning.ts'
import { always, any, not, type Predicate, visible } from '../../query/predicate.ts'
import { Problems } from '../../query/problems.ts'
import { readFlag } from './parameters.ts'

/** Where a write selects records, and for whom. */
interface Selecting {
  table: Table
  graph: RelationshipGraph
  /** Whether the caller may write all records of the table without a filter. */
  mayWriteAll: boolean
}

interface Reading extends Selecting {
  problems: Problems
}

/** The most records that a write by a filter changes without saying so. */
const unsaidMax = 1_000

/** Tells whether a change selects its records itself, instead of by the keys of its body. */
export const selectsRecords = (parameters: URLSearchParams): boolean =>
  parameters.has('filter') || booleanOf(parameters.get('all')) === true

/** Reads which records a bulk deletion selects. Throws 400 unless it is exactly one of the three. */
export function readWhich(
  parameters: URLSearchParams,
  selecting: Selecting,
): { keys: readonly (readonly string[])[] } | FilteredRecords {
  const problems = new Problems()
  const ids = parameters.getAll('ids')
  if (ids.length === 0 && selectsRecords(parameters)) return readMatching(parameters, selecting)
  if (parameters.has('filter')) problems.add('filter', 'Send ids or a filter, not both.')
  else if (ids.length === 0)
    problems.add('ids', 'Send the ids of the records to delete, or a filter, or all=true.')
  const keys = parseKeyList(selecting.table, 'ids', ids, problems)
  if (keys.length > rowsMax) throw tooManyRows(rowsMax)
  rejectOptions(parameters, problems)
  problems.throwIfAny()
  return { keys }
}

/** Throws 400 for parameters that are only possible if a change selects its records. */
export function rejectFilterOptions(parameters: URLSearchParams): void {
  const problems = new Problems()
  rejectOptions(parameters, problems)
  problems.throwIfAny()
}

function rejectOptions(parameters: URLSearchParams, problems: Problems): void {
  if (readFlag(parameters, 'all', problems)) problems.add('all', 'Not possible with ids.')
  for (const name of ['expect', 'limit', 'ordering'])
    if (parameters.has(name)) problems.add(name, 'Only possible with a filter.')
}

/**
 * Reads the records that a filter matches, or all records. Throws 400 for an invalid filter and for one that
 * excludes nothing, and 403 without a filter if the caller needs one.
 */
export function readMatching(parameters: URLSearchParams, selecting: Selecting): FilteredRecords {
  const problems = new Problems()
  const reading = { ...selecting, problems }
  const text = parameters.get('filter')
  if (text === null && !selecting.mayWriteAll) throw allNeedsFilter()
  const isAll = readFlag(parameters, 'all', problems)
  const filter = text === null ? always : readFilter(text, hitOf(selecting.table, parameters), reading)
  const [limit, expected] = [readLimit(parameters, problems), readExpected(parameters, problems)]
  const order = readOrder(filter, parameters, reading)
  problems.throwIfAny()
  const isMeant = limit !== null || expected !== null || isAll
  return { filter, limit, order, expected, isMeant, rowsMax: isMeant ? rowsMax : unsaidMax }
}

function readExpected(parameters: URLSearchParams, problems: Problems): number | null {
  const text = parameters.get('expect')
  if (text === null) return null
  if (!/^(?:0|[1-9]\d{0,8})$/.test(text))
    problems.add('expect', 'Must be the number of records that the filter matches.')
  return Number(text)
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

/** Returns the condition on the records that a write hits without a filter. */
function hitOf(table: Table, parameters: URLSearchParams): Predicate {
  const hitsDeleted = ['include_deleted', 'hard_delete'].some(
    (name) => booleanOf(parameters.get(name)) === true,
  )
  return hitsDeleted ? always : visible(table)
}

/** Reads a filter that must exclude some of the records that the write hits. */
function readFilter(text: string, hit: Predicate, { table, graph, problems }: Reading): Predicate {
  const filter = parseFilterText('filter', text, problems)
  const state = planning(table, problems, graph)
  const predicate = planFilter(state, filter)
  if (!problems.isEmpty) return predicate
  for (const field of new Set(fieldsWithoutCondition(predicate)))
    problems.add(
      'filter',
      `A condition on ${quoteValue(field)} excludes no value: everything meets it. ` +
        'To write every record, send all=true without a filter.',
    )
  const isEverything = () =>
    lacksCondition(filter) || state.used.hasEmptyPart || passesAll(any([not(hit), predicate]))
  if (problems.isEmpty && isEverything())
    problems.add('filter', 'A part of the filter has no condition, so it would match every record.')
  return predicate
}
