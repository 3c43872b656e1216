/** What a client said of records, before anybody asked what it means: names are strings, values are as they came. */
import type { Syntax } from './expression/syntax.ts'

export interface Condition {
  /** Where it was said, for the refusal: the parameter, or the one that a filter is in. */
  parameter: string
  /** The name with its path and its operator, as it was written: `maker_id.name__icontains`. */
  name: string
  /** Of a query string every text that was given for the name; of JSON the one value. */
  values: readonly unknown[]
  /** Whether the value was written as JSON, so that it says itself what it is. */
  json: boolean
}

export type Filter = { and: readonly Filter[] } | { or: readonly Filter[] } | { not: Filter } | Condition

export interface SortTerm {
  parameter: string
  name: string
  descending: boolean
}

/** A part of the list, counted from 0. */
export interface Range {
  /** The parameter that says where it begins. */
  parameter: string
  offset: number
  limit: number
}

/** What of the soft-deleted is seen. */
export type Deleted = 'excluded' | 'included' | 'only'

/** What is asked of one record. */
export interface OneQuery {
  /** Relationships to follow: names with dots between them, or `*`. */
  populate: readonly string[]
  deleted: Deleted
}

/** What is computed of records instead of showing them. */
export interface Aggregation {
  aggregates: readonly SaidExpression[]
  /** Undefined: all records are one group. */
  groupBy: readonly SaidExpression[] | undefined
  having: readonly ResultCondition[]
}

export interface SaidExpression {
  parameter: '_aggregate' | '_group_by'
  syntax: Syntax
  alias: string | undefined
}

/** What is asked of a result: `sum_price__gt=100`. */
export interface ResultCondition {
  name: string
  operator: string
  value: string
}

/** Which records are meant, in which order. */
export interface Selection extends OneQuery {
  filters: readonly Filter[]
  search: string | undefined
  sort: readonly SortTerm[]
}

/** How the total is found: counted; counted up to a limit, and beyond it the planner's; or not at all. R1. */
export const totalModes = ['exact', 'estimated', 'none'] as const
export type TotalMode = (typeof totalModes)[number]

export interface RecordQuery extends Selection {
  range: Range
  /** The total alone. */
  countOnly: boolean
  /** Undefined: nothing was said of it, which means exact. */
  total: TotalMode | undefined
  aggregation: Aggregation | undefined
}
