/**
 * Keeps the shapes of slow lists of records, each with an index that would help by rule: on the fields that
 * the filter compares, and then on those of the order. It has names of tables and fields, and no values.
 */
import { LruCache } from '../../lib/lru-cache.ts'
import type { Table } from '../model/table.ts'
import type { ReadPlan } from '../query/plan/plan.ts'
import type { Predicate } from '../query/predicate.ts'

/** A shape of lists that were slow, and the index that would help. */
export interface SlowRead {
  siteId: number
  /** The slug of the app. */
  app: string
  table: string
  /** The fields of the index. */
  fields: readonly string[]
  count: number
  /** The milliseconds of the slowest one. */
  maxMs: number
}

const shapesMax = 200
const fieldsMax = 4
const shapes = new LruCache<string, SlowRead>(shapesMax)

/** Notes a list of records that took `ms` milliseconds, if an index would help it. */
export function noteSlowRead(
  { siteId, app }: Pick<SlowRead, 'siteId' | 'app'>,
  plan: ReadPlan,
  ms: number,
): void {
  const fields = missingIndex(plan)
  if (!fields) return
  const key = JSON.stringify([siteId, app, plan.table.name, fields])
  const known = shapes.get(key)
  shapes.set(key, {
    siteId,
    app,
    table: plan.table.name,
    fields,
    count: (known?.count ?? 0) + 1,
    maxMs: Math.max(known?.maxMs ?? 0, ms),
  })
}

/** Returns the slow lists that this isolate has seen, the slowest first. */
export const slowReads = (): SlowRead[] => shapes.values().sort((a, b) => b.maxMs - a.maxMs)

/**
 * Returns the fields of an index that would help a list. Undefined: the table has an index that begins with
 * one of the compared fields, or with the first field of the order; or nothing is compared or sorted.
 */
function missingIndex({ table, where, order }: ReadPlan): string[] | undefined {
  if (table.isView) return undefined
  const compared = comparedFields(where)
  const sorted = orderFields({ table, order })
  const needed = compared.length > 0 ? compared : sorted.slice(0, 1)
  if (needed.length === 0 || firstFields(table).some((field) => needed.includes(field))) return undefined
  return [...new Set([...compared, ...sorted])].slice(0, fieldsMax)
}

/** The fields whose values all found records share a comparison with. */
function comparedFields(where: Predicate): string[] {
  if (where.kind === 'and') return [...new Set(where.of.flatMap(comparedFields))]
  return where.kind === 'compare' && !where.operand.property ? [where.operand.field.name] : []
}

/** The fields of an order, without the primary key that ends it. */
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

/** The first field of each index and key of a table. */
function firstFields({ schema }: Table): string[] {
  const { primaryKey, uniqueKeys = [], indexes = [], fields } = schema
  const unique = fields.filter(({ constraints }) => constraints?.unique).map(({ name }) => name)
  const whole = indexes.filter((index) => !index.where).map((index) => index.fields)
  return [...unique, ...[primaryKey, ...uniqueKeys, ...whole].flatMap(([first]) => first ?? [])]
}
