/** Merges what the parts of several sites have found: pages in one order, totals, and aggregates. */
import { numberText, readJsonVerbatim, sortKeyOf, sumOf } from '../../kernel/lib/exact-json.ts'
import type { AggregationPlan } from '../query/plan/aggregation/plan-aggregation.ts'
import type { Result } from '../query/plan/aggregation/results.ts'
import { datetime } from '../query/plan/expression/types.ts'
import type { Direction } from '../query/plan/order.ts'
import type { ReadPlan } from '../query/plan/plan.ts'
import type { ListRow } from '../query/render/render-list.ts'
import { noLines } from '../query/render/render-text.ts'
import { totalOf } from '../records/total.ts'
import type { Total } from '../records/views.ts'

/** What the part of a site has found. */
export interface Found {
  site: { id: number; slug: string }
  row: ListRow
}

/** A record of a page. */
export interface MergedRecord {
  site: Found['site']
  /** The values that sort it. */
  keys: readonly (string | null)[]
  /** Its JSON. */
  text: string
}

/** Returns the records of all sites in the order of the list; those with equal values by the ids of sites. */
export function mergePages(found: readonly Found[], { order }: Pick<ReadPlan, 'order'>): MergedRecord[] {
  const comparators = order.map(comparatorOf)
  const all = found.flatMap(({ site, row }) => {
    const isEmpty = row.found === null || row.data === noLines
    const lines = isEmpty ? [] : row.data.trimEnd().split('\n')
    return lines.map((text, index): MergedRecord => ({ site, keys: row.ends?.[index] ?? [], text }))
  })
  return all.sort((one, other) => {
    for (const [index, compare] of comparators.entries()) {
      const difference = compare(one.keys[index] ?? null, other.keys[index] ?? null)
      if (difference !== 0) return difference
    }
    return one.site.id - other.site.id
  })
}

type Compare = (one: string | null, other: string | null) => number

/** Compares the texts of values as Postgres compares the values. */
function comparatorOf({ type, descending, nullsFirst }: Direction): Compare {
  const isNumber = numeric.has(type.strings.join())
  const sign = descending ? -1 : 1
  return (one, other) => {
    if (one === null || other === null) {
      if (one === other) return 0
      return (one === null) === nullsFirst ? -1 : 1
    }
    return sign * (isNumber ? compareNumbers(one, other) : compareTexts(one, other))
  }
}

const numeric: ReadonlySet<string> = new Set(['bigint', 'numeric', 'real'])

const compareNumbers = (one: string, other: string): number => compareTexts(sortKeyOf(one), sortKeyOf(other))

/** Compares by code points, as Postgres does with the collation C. Times and UUIDs sort like their texts. */
function compareTexts(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  for (let index = 0; index < length; index++) {
    const difference = rankOf(one.charCodeAt(index)) - rankOf(other.charCodeAt(index))
    if (difference !== 0) return difference
  }
  return one.length - other.length
}

/** In UTF-16, the halves of later code points come before the last of the first plane. */
function rankOf(unit: number): number {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}

/** From the best known to the least. */
const kinds = ['exact', 'estimated', 'more', 'timeout', 'none'] as const

/** Returns the total of all sites. It is as exact as the least exact one. */
export function mergeTotals(
  found: readonly Found[],
  { total, limit }: Pick<ReadPlan, 'total' | 'limit'>,
): Pick<Total, 'total' | 'is' | 'hasMore'> {
  const all = found.map(({ row }) => totalOf({ total, limit, offset: 0 }, row))
  const is = kinds[Math.max(0, ...all.map((one) => kinds.indexOf(one.is)))] ?? 'exact'
  const isKnown = all.every((one) => one.total !== null)
  return {
    total: isKnown && is !== 'none' ? all.reduce((sum, one) => sum + (one.total ?? 0), 0) : null,
    is: total === 'none' ? 'none' : is,
    hasMore: all.some((one) => one.hasMore),
  }
}

/** The results of an aggregation, by name. */
export type Results = Readonly<Record<string, unknown>>

export const resultsIn = ({ row }: Found): Results => readJsonVerbatim(row.data) as Results

/** How the results of sites become one. Functions that are not here need the records themselves. */
const combining = new Map<string, (values: readonly unknown[], result: Result) => unknown>([
  ['count', sum],
  ['sum', sum],
  ['min', (values, result) => extreme(values, result, false)],
  ['max', (values, result) => extreme(values, result, true)],
  ['bool_and', (values) => values.every(Boolean)],
  ['bool_or', (values) => values.some(Boolean)],
])

/** Returns the results of all sites together, of the functions for which the results of each are enough. */
export function combineResults(all: readonly Results[], { aggregates }: AggregationPlan): Results {
  const combined = aggregates.flatMap((result): [string, unknown][] => {
    const { expression, name } = result
    const call = expression.kind === 'application' ? expression.aggregate : undefined
    const combine = call && !call.distinct ? combining.get(call.name) : undefined
    if (!combine) return []
    const values = all.map((one) => one[name]).filter((value) => value !== null)
    return [[name, values.length === 0 && call?.name !== 'count' ? null : combine(values, result)]]
  })
  return Object.fromEntries(combined)
}

function sum(values: readonly unknown[]): unknown {
  return readJsonVerbatim(sumOf(values.map((value) => numberText(value) ?? String(value))))
}

function extreme(values: readonly unknown[], { expression }: Result, descending: boolean): unknown {
  const compare = comparatorOf({
    type: expression.type.column,
    descending,
    nullable: false,
    nullsFirst: false,
  })
  // Without the Z, a fraction of a second comes after the second.
  const textOf = (value: unknown) =>
    numberText(value) ?? String(value).replace(expression.type === datetime ? /Z$/ : /$/, '')
  return values.toSorted((one, other) => compare(textOf(one), textOf(other)))[0]
}
