/** Plans a query for a table: names become fields, texts become typed values, and limits are enforced. */
import { quoteValue } from '../../../kernel/lib/quote-value.ts'
import type { Field } from '../../model/field.ts'
import { searchedFields } from '../../model/search-vector.ts'
import type { Table } from '../../model/table.ts'
import type { Deleted, OneQuery, Range, RecordQuery, Selection, TotalMode } from '../parse/ast.ts'
import { all, always, never, not, type Predicate, visible } from '../predicate.ts'
import { type Annotations, annotationsFor, planAnnotations } from './annotations.ts'
import { isEqual } from './comparison.ts'
import { planDistinct } from './distinct.ts'
import type { Expression } from './expression/expression.ts'
import { planFilter } from './filter.ts'
import { parseKey } from './keys.ts'
import { type Keyset, type KeysetQuery, planKeyset } from './keyset.ts'
import { type Order, planOrder } from './order.ts'
import type { Planning } from './planning.ts'
import { type Found, planSearch, searchOf } from './search.ts'
import { planShown, type Shown } from './shown.ts'

/** The plan of a list. */
export interface ReadPlan extends Shown {
  /** The table. Annotations are fields of it. */
  table: Table
  /** Undefined: there are none. */
  annotations: Annotations | undefined
  where: Predicate
  /** The results of a search that records show. */
  found: Found | undefined
  order: readonly Order[]
  /** The fields and properties whose values must differ between records of the list. Empty: none. */
  distinct: readonly Expression[]
  limit: number
  offset: number
  /** Undefined: the page begins at the offset. */
  keyset: Keyset | undefined
  /** How many matches are sorted by their rank at most: see `newestMatches`. Undefined: all. */
  rankedMax: number | undefined
  /** Whether to return only the total. */
  countOnly: boolean
  /** Undefined: exact up to a limit, then estimated. */
  total: TotalMode | undefined
}

/** The largest offset. Postgres has to read every record before the page. */
const offsetMax = 1_000_000

/**
 * Tells whether a page begins so far from the start that it is not read. A page after the last record is just
 * empty. Without a total, it is unknown which of them the page is.
 */
export const isOutOfReach = ({ offset }: Range, total: number | null = null): boolean =>
  offset > offsetMax && (total === null || total > offset)

/** The problem of a page that is out of reach. */
export const outOfReach = `Pages cannot go beyond record ${offsetMax}. Use a filter to reach later records.`

/**
 * Plans a list. `keyset` is the position that the query's cursor names. Adds each problem to
 * `state.problems`; if there are any, the plan must not be run.
 */
export function planRead(state: Planning, query: RecordQuery, keyset?: KeysetQuery): ReadPlan {
  const annotated = planAnnotations(state, query.annotations)
  const where = planWhere(annotated, query)
  const order = planOrder(annotated, query.sort, where)
  const distinct = planDistinct(annotated, query.distinct)
  const shown = planShown({ ...annotated, searching: query.searching }, query)
  const annotations = annotationsFor(annotated, { where, order, distinct, fields: shown.fields })
  // Zones would compute annotations and groups twice.
  const isWhole = distinct.length > 0 || (annotations?.page ?? []).length > 0
  return {
    table: annotated.table,
    annotations,
    found: planFound(state, query, where),
    where,
    order: isWhole ? order.map((term) => ({ ...term, isZoned: false })) : order,
    distinct,
    keyset: keyset && planKeyset(keyset, order, state.problems),
    // A cursor is the way to read everything.
    rankedMax: order[0]?.by === 'rank' && !keyset && !isWhole && !annotations ? rankedMax : undefined,
    ...shown,
    ...planRange(query),
  }
}

/** A list by rank computes the rank of every match before it has its first page. */
const rankedMax = 10_000

/** Plans which records are listed: by filters, by the search, and by whether they are soft-deleted. */
export const planWhere = (state: Planning, query: Selection): Predicate =>
  all([planMatches(state, query), planDeleted(state.table, query.deleted)])

/** Plans the filters and the search. */
export function planMatches(state: Planning, selection: Selection): Predicate {
  const inside = { ...state, searching: selection.searching }
  // If the parameter `search` exists, its rank counts. It comes first.
  return all([planWords(state, selection), ...selection.filters.map((filter) => planFilter(inside, filter))])
}

/** Plans the page. For an empty page and one that is out of reach, only the total is needed. */
export function planRange({
  range: { offset, limit },
  countOnly,
  total,
}: RecordQuery): Pick<ReadPlan, 'limit' | 'offset' | 'countOnly' | 'total'> {
  if (offset > offsetMax) return { limit, offset, countOnly: true, total: 'exact' }
  return { limit, offset, countOnly: countOnly || (limit === 0 && total !== 'none'), total }
}

function planWords({ table, problems }: Planning, { search: text, searching }: Selection): Predicate {
  if (text === undefined) return always
  const search = planSearch(table, text, searching)
  if (!('problem' in search)) return search
  problems.add('search', search.problem)
  // This search finds nothing. It prevents errors for the other parameters of the search.
  return { kind: 'search', table, query: { kind: 'or', of: [] }, language: 'simple', typos: [] }
}

/** Plans the results of the search that records show. Adds each problem to `problems`. */
function planFound(
  { table, problems }: Planning,
  { showsRank, highlights }: RecordQuery,
  where: Predicate,
): Found | undefined {
  if (!showsRank && highlights.length === 0) return undefined
  const search = searchOf(where)
  const searched = searchedFields(table.schema).map(({ field }) => field)
  for (const name of highlights.filter((one) => !searched.includes(one)))
    problems.add(
      '_highlight',
      `${quoteValue(name)} is not a searched field. Searched fields: ${searched.join(', ') || 'none'}.`,
    )
  if (!search) {
    if (showsRank) problems.add('_rank', needsSearch)
    if (highlights.length > 0) problems.add('_highlight', needsSearch)
    return undefined
  }
  const fields = [...new Set(highlights)].flatMap((name) => table.fields.get(name) ?? [])
  return { search, showsRank, highlights: fields }
}

const needsSearch = 'Only applies to a search: add search.'

/** Plans whether soft-deleted records are included. */
export function planDeleted(table: Table, deleted: Deleted): Predicate {
  if (deleted === 'included') return always
  if (deleted === 'excluded') return visible(table)
  return table.softDelete ? not(visible(table)) : never
}

/** The plan of one record. */
export interface OnePlan extends Shown {
  table: Table
  annotations: Annotations | undefined
  where: Predicate
}

/**
 * Plans the record with an id, and its related records; undefined if no record of the table can have the id.
 */
export function planReadOne(state: Planning, id: string, query: OneQuery): OnePlan | undefined {
  const where = planOne(state.table, id, query.deleted)
  const annotated = planAnnotations(state, query.annotations)
  const shown = planShown(annotated, query)
  if (!where) return undefined
  const annotations = annotationsFor(annotated, { where, order: [], distinct: [], fields: shown.fields })
  return { table: annotated.table, annotations, where, ...shown }
}

/** Plans the record with an id; undefined if no record can have it. */
function planOne(table: Table, id: string, deleted: Deleted = 'excluded'): Predicate | undefined {
  const values = parseKey(table, id)
  const key = values?.map((value, position) => isEqual(table.primaryKey[position] as Field, value))
  return key && all([...key, planDeleted(table, deleted)])
}
