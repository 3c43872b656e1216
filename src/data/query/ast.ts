/** What a client said of records, before anybody asked what it means: names are strings, values are as they came. */

export interface Condition {
  /** Where it was said, for the refusal: the parameter, or the member of a filter. */
  parameter: string
  /** The name with its operator, as it was written: `price__gte`. */
  name: string
  values: readonly unknown[]
}

export type Filter = { and: readonly Filter[] } | { or: readonly Filter[] } | { not: Filter } | Condition

export interface SortTerm {
  parameter: string
  name: string
  descending: boolean
}

export interface RecordQuery {
  filters: readonly Filter[]
  sort: readonly SortTerm[]
  page: number
  pageSize: number
}
