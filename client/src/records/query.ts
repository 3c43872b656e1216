/** Writes the options of reads as query parameters. docs/guide/queries.md#all-parameters. */
import type { Query } from '../connection/transport.ts'
import type { Annotations, Computed, Question } from '../types/selection.ts'
import type { AnyListOptions } from './options.ts'

/** Returns the parameters of a list. */
export const listQuery = (options: AnyListOptions): Query => ({
  ...viewQuery(options),
  ...selectQuery(options),
  page: options.page,
  page_size: options.pageSize,
  limit: options.limit,
  offset: options.offset,
  after: options.after,
  before: options.before,
  _total: options.total,
  _rank: flag(options.rank),
  _highlight: joined(options.highlight),
})

/** Returns the parameters that choose records. */
export const selectQuery = (options: AnyListOptions): Query => ({
  filters: options.where && filtersText(options.where),
  search: options.search,
  _language: options.language,
  _fuzzy: flag(options.fuzzy),
  ordering: joined(options.ordering),
  _distinct: joined(options.distinct),
  only_deleted: flag(options.onlyDeleted),
  include_deleted: flag(options.includeDeleted),
  as_of: timeText(options.asOf),
})

/** Returns the parameters that select the content of a record. */
export const viewQuery = (options: AnyListOptions): Query => ({
  fields: joined(options.fields),
  populate: populateText(options.populate),
  _annotate: options.annotate && expressionsText(options.annotate),
  include_deleted: flag(options.includeDeleted),
  as_of: timeText(options.asOf),
})

/** Returns filters as JSON. Dates become instants. */
export const filtersText = (where: object): string | undefined =>
  Object.keys(where).length === 0 ? undefined : JSON.stringify(where)

/** How many records a write means. */
interface Meaning {
  expect?: number | undefined
  limit?: number | undefined
  all?: boolean | undefined
}

/**
 * Returns the parameters of a write of all matching records. Without a filter, `all` means every record.
 * Throws TypeError for a condition without a value: JSON would omit it, and the write would hit more records.
 */
export function matchingQuery(where: object, { expect, limit, all }: Meaning): Query {
  const filter = JSON.stringify(where, (name, value: unknown) => {
    if (value === undefined) throw new TypeError(`The filter "${name}" has no value: it is undefined.`)
    return value
  })
  const isEvery = all === true && Object.keys(where).length === 0
  return { filter: isEvery ? undefined : filter, expect, limit, all: flag(all) }
}

/** Returns expressions with their names, separated by commas. */
export const expressionsText = (named: Annotations): string =>
  Object.entries(named)
    .map(([name, value]) => `${typeof value === 'string' ? value : value.expression} as ${name}`)
    .join(',')

/** Marks an expression with the type of its value: `computed<string>('upper(name)')`. */
export const computed = <Value>(expression: string): Computed<Value> => ({ expression })

const flag = (value: unknown): true | undefined => (value === true ? true : undefined)
const joined = (names: readonly unknown[] | undefined): string | undefined => names?.join(',')
const timeText = (time: string | Date | undefined) => (time instanceof Date ? time.toISOString() : time)

function populateText(populate: unknown): string | undefined {
  if (populate === undefined) return undefined
  return Array.isArray(populate) ? populate.join(',') : JSON.stringify(questions(populate as Questions))
}

type Questions = Readonly<Record<string, Question>>

const questions = (all: Questions): object =>
  Object.fromEntries(Object.entries(all).map(([name, question]) => [name, asWire(question)]))

const asWire = ({ where, ordering, fields, populate, ...rest }: Question): object => ({
  ...rest,
  ...(where ? { filters: where } : {}),
  ...(ordering ? { ordering: ordering.join(',') } : {}),
  ...(fields ? { fields: fields.join(',') } : {}),
  ...(populate
    ? { populate: Array.isArray(populate) ? populate.join(',') : questions(populate as Questions) }
    : {}),
})
