/**
 * A query as a client wrote it, before it is planned for a table: names are strings, values are unchecked.
 */
import type { Syntax } from './expression/syntax.ts'

/** A condition of a filter. */
export interface Condition {
  /** The parameter that error messages name: the condition's own, or `filters`. */
  parameter: string
  /** The name with its path and its operator, as written: `maker_id.name__icontains`. */
  name: string
  /** The values: all texts of the name in a query string, or the one value in JSON. */
  values: readonly unknown[]
  /** Whether the value is JSON, and so has a type. */
  json: boolean
}

/** A tree of conditions. */
export type Filter = { and: readonly Filter[] } | { or: readonly Filter[] } | { not: Filter } | Condition

/** A name to sort by. */
export interface SortTerm {
  parameter: string
  name: string
  descending: boolean
}

/** A page of a list. */
export interface Range {
  /** The parameter that determines where the page begins. */
  parameter: string
  /** The number of records before the page. */
  offset: number
  limit: number
}

/** How a query treats soft-deleted records. */
export type Deleted = 'excluded' | 'included' | 'only'

/** A field to show or to omit: `title`, `maker.name`; `*` means all fields of a record. */
export interface FieldTerm {
  parameter: string
  /** The path of the populated records whose field it is; empty for the records themselves. */
  within: string
  name: string
  excluded: boolean
}

/** Relationships to follow. */
export interface PopulateTerm {
  /** Names joined by dots; the last one may be `*`. */
  path: string
  /** Undefined: all related records are wanted. */
  question?: PopulateQuestion
}

/** The related records to return. */
export interface PopulateQuestion {
  filters: readonly Filter[]
  sort: readonly SortTerm[]
  limit: number | undefined
  /** The number of records to skip. */
  offset: number
  /** Whether to count all that match, too. */
  count: boolean
}

/** The content of records: their fields, and related records. */
export interface View {
  populate: readonly PopulateTerm[]
  /** Empty: all fields. */
  fields: readonly FieldTerm[]
}

/** A query for one record. */
export interface OneQuery extends View {
  deleted: Deleted
  /** The values to compute for the record. */
  annotations: readonly ExpressionInput[]
}

/** The results to compute from records instead of listing them. */
export interface Aggregation {
  aggregates: readonly ExpressionInput[]
  /** Undefined: all records are one group. */
  groupBy: readonly ExpressionInput[] | undefined
  having: readonly ResultCondition[]
}

/** An expression with its alias, if it has one. */
export interface ExpressionInput {
  parameter: '_aggregate' | '_group_by' | '_annotate'
  syntax: Syntax
  alias: string | undefined
}

/** A condition on a result: `sum_price__gt=100`. */
export interface ResultCondition {
  name: string
  operator: string
  value: string
}

export interface SearchOptions {
  /** Undefined: the language of the table. */
  language: string | undefined
  /** Whether a word may have a typo. */
  fuzzy: boolean
}

/** A query for records in an order, without a page. */
export interface Selection extends OneQuery {
  filters: readonly Filter[]
  search: string | undefined
  searching: SearchOptions
  sort: readonly SortTerm[]
}

/**
 * The ways to find the total that a client can ask for. `exact`: by counting. `estimated`: by counting to a
 * limit, then the planner's estimate. `none`: no total. R1.
 */
export const totalModes = ['exact', 'estimated', 'none'] as const
/** One of `totalModes`. */
export type TotalMode = (typeof totalModes)[number]

/** A query for a list of records, or for an aggregation of them. */
export interface RecordQuery extends Selection {
  range: Range
  /** The fields whose combinations of values are each listed once. */
  distinct: readonly string[]
  /** Whether to return only the total. */
  countOnly: boolean
  /** Undefined: not given. Then it is exact up to the operator's limit, and estimated beyond it. R22. */
  total: TotalMode | undefined
  aggregation: Aggregation | undefined
  /** Whether records show their rank in the search. */
  showsRank: boolean
  /** The names of the fields in which records show the words that were found. */
  highlights: readonly string[]
}
