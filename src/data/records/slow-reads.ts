/**
 * Remembers slow lists of records, each with an index that would help. Such an index has the fields that the
 * filter compares, followed by those of the order. Only names of tables and fields are stored, no values.
 */
import { renderText, sql } from '../../kernel/db/sql.ts'
import { IsolateCache } from '../../kernel/lib/isolate-cache.ts'
import type { Table } from '../model/table.ts'
import type { ReadPlan } from '../query/plan/plan.ts'
import type { Predicate } from '../query/predicate.ts'
import { type FieldComparison, type IndexTrial, trialOf } from './index-trial.ts'

/** A kind of list that was slow, and the index that would help. */
export interface SlowRead {
  siteId: number
  /** The slug of the app. */
  app: string
  table: string
  /** The fields of the index, and its method. */
  fields: readonly string[]
  method: 'btree' | 'trigram'
  count: number
  /** The milliseconds of the slowest one. */
  maxMs: number
  /** How to test the index. Undefined: it cannot be tested. */
  trial: IndexTrial | undefined
}

const fieldsMax = 4
const shapes = new IsolateCache<SlowRead>('slow_reads', {
  bytesOf: (read) => 4 * JSON.stringify(read).length,
})

/** Records that a list took `ms` milliseconds, if an index would help it. */
export function noteSlowRead(
  { siteId, app }: Pick<SlowRead, 'siteId' | 'app'>,
  plan: ReadPlan,
  ms: number,
): void {
  const index = missingIndex(plan)
  if (!index) return
  const { table } = plan
  const key = JSON.stringify([siteId, app, table.name, index.method, index.fields])
  const known = shapes.get(key)
  const count = (known?.count ?? 0) + 1
  const maxMs = Math.max(known?.maxMs ?? 0, ms)
  shapes.set(key, { siteId, app, table: table.name, ...index, count, maxMs }, String(siteId))
}

/** Returns the slow lists that this isolate has seen, the slowest first. */
export const slowReads = (): SlowRead[] => shapes.values().sort((a, b) => b.maxMs - a.maxMs)

type MissingIndex = Pick<SlowRead, 'fields' | 'method' | 'trial'>

/**
 * Returns an index that would help a list. Undefined if the table has an index that begins with a compared
 * field or with the first field of the order, or if nothing is compared or sorted. Filters on parts of texts
 * need a trigram index, which is suggested only if nothing else is compared.
 */
function missingIndex(plan: ReadPlan): MissingIndex | undefined {
  const { table, where } = plan
  const { compared, sorted, fields, method } = neededBy(plan)
  const needed = compared.length > 0 ? compared : sorted.slice(0, 1)
  const only = method === 'trigram' ? method : undefined
  const isIndexed = firstFields(table, only).some((field) => needed.includes(field))
  if (table.isView || needed.length === 0 || isIndexed) return undefined
  const trial = only ? undefined : trialOf(plan, comparisonsOf(where), sorted, fields)
  return { fields, method, trial }
}

/**
 * Returns an index for a list that reads or sorts its whole table. Undefined if the table has it, or if
 * nothing is compared or sorted, or for a guest.
 */
export function wantedIndex(plan: ReadPlan): Pick<MissingIndex, 'fields' | 'method'> | undefined {
  const { table } = plan
  const { fields, method } = neededBy(plan)
  const hasAll = (names: readonly string[]) => fields.every((name, position) => names[position] === name)
  const isThere = (table.schema.indexes ?? []).some((one) => one.method === method && hasAll(one.fields))
  return table.isView || fields.length === 0 || isThere ? undefined : { fields, method }
}

/** Returns the fields that a list compares and sorts by, and those of an index with which it would be fast. */
function neededBy({ table, where, order }: ReadPlan) {
  const comparisons = comparisonsOf(where)
  const whole = comparisons.filter((one) => !isOfParts(one))
  if (whole.length === 0 && comparisons.length > 0) {
    const compared = namesOf(comparisons)
    return { compared, sorted: [], fields: compared.slice(0, fieldsMax), method: 'trigram' as const }
  }
  const [compared, sorted] = [namesOf(whole), orderFields({ table, order })]
  const fields = [...new Set([...compared, ...sorted])].slice(0, fieldsMax)
  return { compared, sorted, fields, method: 'btree' as const }
}

/** Returns the comparisons of fields that all found records satisfy. */
function comparisonsOf(where: Predicate): FieldComparison[] {
  if (where.kind === 'and') return where.of.flatMap(comparisonsOf)
  return where.kind === 'compare' && !where.operand.property ? [where] : []
}

const namesOf = (comparisons: readonly FieldComparison[]): string[] => [
  ...new Set(comparisons.map(({ operand }) => operand.field.name)),
]

/** Tells whether a comparison is with a part of a text, or with a pattern. */
const isOfParts = ({ sql: compare, values }: FieldComparison): boolean =>
  / (i?like|~\*?) /.test(renderText(compare(sql`_field`, ...values.map(() => sql`_value`))))

/** Returns the fields of an order, without the primary key at its end. */
function orderFields({ table, order }: Pick<ReadPlan, 'table' | 'order'>): string[] {
  const keys = table.primaryKey.map(({ name }) => name)
  return order.flatMap((term) =>
    term.by === 'value' &&
    term.expression.kind === 'column' &&
    term.expression.relationships.length === 0 &&
    !keys.includes(term.expression.field.name)
      ? [term.expression.field.name]
      : [],
  )
}

/**
 * Returns the first field of each index and key of a table; with a method, only of indexes with that method.
 */
function firstFields({ schema }: Table, only?: SlowRead['method']): string[] {
  const { primaryKey, uniqueKeys = [], indexes = [], fields } = schema
  const whole = indexes.filter(({ where, method }) => !where && (only === undefined || method === only))
  const first = (all: readonly (readonly string[])[]) => all.flatMap(([name]) => name ?? [])
  if (only !== undefined) return first(whole.map((index) => index.fields))
  const unique = fields.filter(({ constraints }) => constraints?.unique).map(({ name }) => name)
  return [...unique, ...first([primaryKey, ...uniqueKeys, ...whole.map((index) => index.fields)])]
}
