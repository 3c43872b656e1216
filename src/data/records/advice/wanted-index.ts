/**
 * Finds the index that would make a list fast: it has the fields that the filter compares, those with
 * equality first, and then those of the order.
 */
import { renderText, sql } from '../../../kernel/db/sql.ts'
import type { IndexSchema } from '../../model/schema-form.ts'
import type { Table } from '../../model/table.ts'
import type { ReadPlan } from '../../query/plan/plan.ts'
import type { Predicate } from '../../query/predicate.ts'
import type { IndexAdvice, WantedIndex } from './schema.ts'

/** A comparison of a field with values. */
type FieldComparison = Extract<Predicate, { kind: 'compare' }>

/** What a list compares and sorts by. */
export interface Needs {
  compared: readonly FieldComparison[]
  /** Whether all comparisons are with parts of texts, which need a trigram index. */
  isOfParts: boolean
  sorted: readonly Sorted[]
}

interface Sorted {
  name: string
  descending: boolean
}

const fieldsMax = 4

/** Returns what a list compares and sorts by, as far as an index can have it. */
export function needsOf({ table, where, order }: Pick<ReadPlan, 'table' | 'where' | 'order'>): Needs {
  const stored = new Set(table.schema.fields.map(({ name }) => name))
  // Most records have the same value of a boolean, and no index has a computed field.
  const all = comparisonsOf(where).filter(
    ({ operand: { field } }) => stored.has(field.name) && field.schema.type !== 'boolean',
  )
  const whole = all.filter((one) => !isOfParts(one))
  if (whole.length === 0 && all.length > 0) return { compared: all, isOfParts: true, sorted: [] }
  const equal = whole.filter(({ means }) => equalities.has(means))
  const ranges = whole.filter(({ means }) => !equalities.has(means))
  return {
    compared: [...equal, ...ranges],
    isOfParts: false,
    sorted: sortedBy({ table, order }).filter(({ name }) => stored.has(name)),
  }
}

const equalities: ReadonlySet<FieldComparison['means']> = new Set(['equal', 'among'])

/**
 * Returns the index that a list lacks; undefined if the table has it, or if nothing is compared or sorted, or
 * for a guest. `isSelective`: whether few of the records pass the filter. Otherwise only the order needs one.
 */
export function wantedIndex(plan: ReadPlan, isSelective = true): WantedIndex | undefined {
  const { table } = plan
  const { compared, isOfParts: ofParts, sorted } = needsOf(plan)
  const names = isSelective ? compared.map(({ operand }) => operand.field.name) : []
  const fields = [...new Set([...names, ...sorted.map(({ name }) => name)])].slice(0, fieldsMax)
  const descending = sorted
    .filter((term) => fields.includes(term.name) && term.descending !== sorted[0]?.descending)
    .map(({ name }) => name)
  const wanted: WantedIndex = {
    fields,
    ...(ofParts ? { method: 'trigram' as const } : {}),
    ...(descending.length > 0 ? { descending } : {}),
  }
  const isThere = (table.schema.indexes ?? []).some((index) => serves(index, wanted))
  return table.isView || fields.length === 0 || isThere ? undefined : wanted
}

/** Tells whether an index of the schema begins with the fields of a wanted one, in their directions. */
export function serves(
  { fields, method, where, descending = [] }: Pick<IndexSchema, 'fields' | 'method' | 'where' | 'descending'>,
  wanted: WantedIndex,
): boolean {
  const own = wanted.fields.map((_, position) => fields[position])
  const directions = own.filter((name) => descending.includes(name ?? ''))
  return (
    !where &&
    method === (wanted.method ?? 'btree') &&
    own.join() === wanted.fields.join() &&
    directions.join() === (wanted.descending ?? []).join()
  )
}

/** Returns a wanted index with a name that no index of the table has. */
export function indexNamed({ schema }: Table, wanted: WantedIndex): IndexAdvice['index'] {
  const taken = new Set((schema.indexes ?? []).map(({ name }) => name))
  const name = `by_${wanted.fields.join('_').toLowerCase()}`.slice(0, 48)
  const free = [name, ...[2, 3, 4, 5].map((number) => `${name.slice(0, 46)}_${number}`)]
  return { name: free.find((one) => !taken.has(one)) ?? name, ...wanted }
}

/** Returns the comparisons of fields that all found records satisfy. */
function comparisonsOf(where: Predicate): FieldComparison[] {
  if (where.kind === 'and') return where.of.flatMap(comparisonsOf)
  return where.kind === 'compare' && !where.operand.property ? [where] : []
}

/** Tells whether a comparison is with a part of a text, or with a pattern. */
const isOfParts = ({ sql: compare, values }: FieldComparison): boolean =>
  / (i?like|~\*?) /.test(renderText(compare(sql`_field`, ...values.map(() => sql`_value`))))

/** Returns the fields of an order, without the primary key at its end. */
function sortedBy({ table, order }: Pick<ReadPlan, 'table' | 'order'>): Sorted[] {
  const keys = table.primaryKey.map(({ name }) => name)
  return order.flatMap((term) =>
    term.by === 'value' &&
    term.expression.kind === 'column' &&
    term.expression.relationships.length === 0 &&
    !keys.includes(term.expression.field.name)
      ? [{ name: term.expression.field.name, descending: term.descending }]
      : [],
  )
}
