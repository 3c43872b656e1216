/** The options of reads. */
import type { CallOptions } from '../connection/transport.ts'
import type { CheckWhere, WhereHint } from '../types/filters.ts'
import type { Table } from '../types/schema.ts'
import type {
  Annotations,
  CheckFields,
  CheckOrdering,
  CheckPopulate,
  FieldHint,
  OrderHint,
  PopulateHint,
} from '../types/selection.ts'

/** The fields, related records and computed values that a record shows. */
export interface ViewOptions<A, T extends Table, F, P, N> extends CallOptions {
  /** The fields to show. Default: all. */
  fields?: F & CheckFields<A, T, F, keyof N>
  /** The related records to show. */
  populate?: P & CheckPopulate<A, T, P>
  /** Values to compute for each record, by name: `{ n: 'count(reviews)' }`. */
  annotate?: N
  /** Reads the records as they were at this time. The table needs a history. */
  asOf?: string | Date
  includeDeleted?: boolean
}

/** The records of a list, and their order. */
export interface SelectOptions<A, T extends Table, W, O, N> {
  /** Filters: `{ price__gte: 5, 'maker.country': 'DE' }`. All must hold. */
  where?: W & WhereHint<T> & CheckWhere<A, T, W, N & object>
  /** Words to find in the searched fields. */
  search?: string
  /** The language of the search. Default: that of the table. */
  language?: string
  /** Whether words may have one typo. */
  fuzzy?: boolean
  /** `['-price', 'name']`. The order. Default: the primary key, or the rank of a search. */
  ordering?: O & CheckOrdering<A, T, O, keyof N>
  /** Of records with the same values in these fields, only the first one is returned. */
  distinct?: readonly string[]
  onlyDeleted?: boolean
  includeDeleted?: boolean
}

/** The options of a list, without its pages. */
export interface ListOptions<A, T extends Table, W, F, P, N, O, R, H>
  extends ViewOptions<A, T, F, P, N>,
    SelectOptions<A, T, W, O, N> {
  /** Whether each record has its search rank in `_rank`. */
  rank?: R
  /** Searched fields whose words are marked in `_highlight`. */
  highlight?: H
  /** How to count: `exact`, `estimated`, or `none`. Default: exact up to a limit, estimated beyond it. */
  total?: 'exact' | 'estimated' | 'none'
}

/** The page of a list. */
export interface PageOptions {
  /** The number of the page, from 1. */
  page?: number
  /** Default: 20. At most 1,000. */
  pageSize?: number
  limit?: number
  offset?: number
  /** A cursor, `next` of another page; `''` is the first page. */
  after?: string
  /** A cursor, `previous` of another page; `''` is the last page. */
  before?: string
}

/** Short names for types, so that signatures stay readable. */
export type Hints<T extends Table, N> = {
  fields: readonly FieldHint<T, keyof N>[]
  populate: PopulateHint<T>
  ordering: readonly OrderHint<T, keyof N>[]
}

/** The options of a list, for any table. */
export type AnyListOptions = PageOptions &
  CallOptions & {
    where?: object
    search?: string
    language?: string
    fuzzy?: boolean
    ordering?: readonly unknown[]
    distinct?: readonly string[]
    onlyDeleted?: boolean
    includeDeleted?: boolean
    fields?: readonly unknown[]
    populate?: unknown
    annotate?: Annotations
    asOf?: string | Date
    rank?: unknown
    highlight?: readonly unknown[] | undefined
    total?: string
  }
