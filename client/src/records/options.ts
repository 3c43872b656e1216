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
  fields?: (F & CheckFields<A, T, F, keyof N>) | undefined
  /** The related records to show. */
  populate?: (P & CheckPopulate<A, T, P>) | undefined
  /** Values to compute for each record, by name: `{ n: 'count(reviews)' }`. */
  annotate?: N | undefined
  /** Reads the records as they were at this time. The table needs a history. */
  asOf?: string | Date | undefined
  includeDeleted?: boolean | undefined
}

/** The records of a list, and their order. */
export interface SelectOptions<A, T extends Table, W, O, N> {
  /** Filters: `{ price__gte: 5, 'maker.country': 'DE' }`. All must hold. */
  where?: (W & WhereHint<T> & CheckWhere<A, T, W, N & object>) | undefined
  /** Words to find in the searched fields. */
  search?: string | undefined
  /** The language of the search. Default: that of the table. */
  language?: string | undefined
  /** Whether words may have one typo. */
  fuzzy?: boolean | undefined
  /** `['-price', 'name']`. The order. Default: the primary key, or the rank of a search. */
  ordering?: (O & CheckOrdering<A, T, O, keyof N>) | undefined
  /** Of records with the same values in these fields, only the first one is returned. */
  distinct?: readonly string[] | undefined
  onlyDeleted?: boolean | undefined
  includeDeleted?: boolean | undefined
}

/** The options of a list, without its pages. */
export interface ListOptions<A, T extends Table, W, F, P, N, O, R, H>
  extends ViewOptions<A, T, F, P, N>,
    SelectOptions<A, T, W, O, N> {
  /** Whether each record has its search rank in `_rank`. */
  rank?: R | undefined
  /** Searched fields whose words are marked in `_highlight`. */
  highlight?: H | undefined
  /** How to count: `exact`, `estimated`, or `none`. Default: exact up to a limit, estimated beyond it. */
  total?: 'exact' | 'estimated' | 'none' | undefined
}

/** The page of a list. */
export interface PageOptions {
  /** The number of the page, from 1. */
  page?: number | undefined
  /** Default: 20. At most 1,000. */
  pageSize?: number | undefined
  limit?: number | undefined
  offset?: number | undefined
  /** A cursor, `next` of another page; `''` is the first page. */
  after?: string | undefined
  /** A cursor, `previous` of another page; `''` is the last page. */
  before?: string | undefined
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
    where?: object | undefined
    search?: string | undefined
    language?: string | undefined
    fuzzy?: boolean | undefined
    ordering?: readonly unknown[] | undefined
    distinct?: readonly string[] | undefined
    onlyDeleted?: boolean | undefined
    includeDeleted?: boolean | undefined
    fields?: readonly unknown[] | undefined
    populate?: unknown
    annotate?: Annotations | undefined
    asOf?: string | Date | undefined
    rank?: unknown
    highlight?: readonly unknown[] | undefined
    total?: string | undefined
  }
