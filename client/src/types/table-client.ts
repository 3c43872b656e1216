/** The calls of a table, with the types of its fields. */

import type { CallOptions } from '../connection/transport.ts'
import type { LiveList } from '../live/apply.ts'
import type { Live } from '../live/source.ts'
import type { AggregateOptions, Group, GroupOptions, Results, Values } from '../records/aggregates.ts'
import type { Edge, EdgeOptions, Graph, NewEdge, Reached, TreeNode, WalkOptions } from '../records/graph.ts'
import type { CsvRow } from '../records/lines.ts'
import type { Hints, ListOptions, PageOptions, SelectOptions, ViewOptions } from '../records/options.ts'
import type { Page } from '../records/pages.ts'
import type {
  Changes,
  HistoryOptions,
  ManyOptions,
  NamedChanges,
  OneWriteOptions,
  Upserted,
  UpsertOptions,
  Version,
  WriteOptions,
  Written,
} from '../records/writes.ts'
import type { CheckWhere, WhereHint } from './filters.ts'
import type { NewRecord } from './new-record.ts'
import type { Flat, KeyOf, Marked, Table } from './schema.ts'
import type { AnnotatedOf, Annotations, Found, RecordOf } from './selection.ts'

// biome-ignore lint/complexity/noBannedTypes: the annotations of a call that computes nothing
type None = {}
type Names<List> = [List] extends [never] ? never : List extends readonly (infer Name)[] ? Name : never

/** A record that a read shows. */
type Shown<A, T extends Table, F, P, N, R = false, H = never> = Flat<
  RecordOf<A, T, Names<F>, P> & AnnotatedOf<N, Names<F>> & Found<R, Names<H>>
>

/** A call that returns a list in some form. */
type ListCall<A, T extends Table, Kind extends keyof Answers<unknown>> = <
  const W extends object = None,
  const F extends Hints<T, N>['fields'] = never,
  const P extends Hints<T, None>['populate'] = never,
  const N extends Annotations = None,
  const O extends Hints<T, N>['ordering'] = never,
  const R extends boolean = false,
  const H extends readonly string[] = never,
>(
  options?: ListOptions<A, T, W, F, P, N, O, R, H> & (Kind extends 'each' ? EachOptions : PageOptions),
) => Answers<Shown<A, T, F, P, N, R, H>>[Kind]

interface Answers<Item> {
  page: Promise<Page<Item>>
  pages: AsyncGenerator<Page<Item>>
  each: AsyncGenerator<Item>
  stream: AsyncGenerator<Item>
  live: Live<LiveList<Item>>
}

/** The start of a walk over all records, and how many records it reads at a time. */
type EachOptions = Pick<PageOptions, 'pageSize' | 'after'>

/** The edges of a table. */
interface EdgeClient<T extends Table> {
  list(
    options?: EdgeOptions<KeyOf<T>, T['edges']>,
  ): Promise<{ data: Edge<KeyOf<T>, T['edges']>[]; total: number | null }>
  /** Creates all edges or none. */
  create(
    edges: readonly NewEdge<KeyOf<T>, T['edges']>[],
    options?: WriteOptions,
  ): Promise<Edge<KeyOf<T>, T['edges']>[]>
  replace(
    id: string,
    edge: NewEdge<KeyOf<T>, T['edges']>,
    options?: WriteOptions,
  ): Promise<Edge<KeyOf<T>, T['edges']>>
  /** Deletes edges. Returns the number of deleted edges. */
  delete(ids: readonly string[], options?: WriteOptions): Promise<number>
}

type Start<T extends Table> = {
  from?: KeyOf<T> | undefined
  include?: 'descendants' | 'ancestors' | 'both' | undefined
}
type Expecting = WriteOptions & {
  /**
   * The number of records that must match. With another number, the call throws StaleError and changes
   * nothing.
   */
  expect?: number | undefined
  /** The most records to write. Cannot be combined with `expect`. */
  limit?: number | undefined
  /**
   * Permits more than 1,000 records, which otherwise need `expect` or `limit`. With the filter `{}`, it means
   * every record.
   */
  all?: boolean | undefined
}
type Hard = {
  /** Deletes permanently, even in a table with soft deletion. */
  hard?: boolean | undefined
}

/**
 * The calls of a table. `in out`: the compiler tells them from those of another table without comparing each
 * call.
 */
export interface TableClient<in out A, in out T extends Table> {
  /** Never exists: see `Marked`. */
  readonly $types?: Marked<T>
  /** Reads a page of records. */
  list: ListCall<A, T, 'page'>
  /** Follows a list: it is the list as it is now, whoever changes it. */
  live: ListCall<A, T, 'live'>
  /** Yields one page after the other by cursors, which stay exact while others write. */
  pages: ListCall<A, T, 'pages'>
  /** Yields every record, page by page. Nothing is counted. */
  each: ListCall<A, T, 'each'>
  /** Yields every record of one response in JSON lines. Throws if the response breaks off. */
  stream: ListCall<A, T, 'stream'>
  /** Yields the rows of one response in CSV, the names of the columns first. */
  csv<const W extends object = None, const O extends Hints<T, None>['ordering'] = never>(
    options?: SelectOptions<A, T, W, O, None> &
      PageOptions &
      CallOptions & { fields?: readonly string[] | undefined },
  ): AsyncGenerator<CsvRow>
  /** Reads a page of the records that a search finds. */
  search<
    const W extends object = None,
    const F extends Hints<T, N>['fields'] = never,
    const P extends Hints<T, None>['populate'] = never,
    const N extends Annotations = None,
    const O extends Hints<T, N>['ordering'] = never,
    const R extends boolean = false,
    const H extends readonly string[] = never,
  >(
    text: string,
    options?: ListOptions<A, T, W, F, P, N, O, R, H> & PageOptions,
  ): Promise<Page<Shown<A, T, F, P, N, R, H>>>
  /** Reads a record. Throws NotFoundError if there is none. */
  get<
    const F extends Hints<T, N>['fields'] = never,
    const P extends Hints<T, None>['populate'] = never,
    const N extends Annotations = None,
  >(key: KeyOf<T>, options?: ViewOptions<A, T, F, P, N>): Promise<Shown<A, T, F, P, N>>
  /** Reads a record with the ETag of its state, for `ifMatch`. */
  getWithETag<
    const F extends Hints<T, N>['fields'] = never,
    const P extends Hints<T, None>['populate'] = never,
    const N extends Annotations = None,
  >(
    key: KeyOf<T>,
    options?: ViewOptions<A, T, F, P, N>,
  ): Promise<{ data: Shown<A, T, F, P, N>; etag: string | null }>
  /** Reads a record; undefined if there is none. */
  find<
    const F extends Hints<T, N>['fields'] = never,
    const P extends Hints<T, None>['populate'] = never,
    const N extends Annotations = None,
  >(key: KeyOf<T>, options?: ViewOptions<A, T, F, P, N>): Promise<Shown<A, T, F, P, N> | undefined>
  /** Counts records. Null if it takes too long, or a guest asks for very many. */
  count<const W extends object = None>(
    options?: SelectOptions<A, T, W, never, None> &
      CallOptions & { total?: 'exact' | 'estimated' | undefined },
  ): Promise<number | null>
  /** Computes counts, sums and other statistics of all records that match. */
  aggregate<const V extends Values, const W extends object = None>(
    options: AggregateOptions<A, T, W, V>,
  ): Promise<Results<T, V>>
  /** Computes the same statistics for groups of records. */
  groups<const V extends Values, const G extends readonly string[], const W extends object = None>(
    options: GroupOptions<A, T, W, V, G>,
  ): Promise<{ data: Group<T, V, G>[]; total: number; hasMore: boolean }>

  /** Creates a record, and the new related records inside it. */
  create(record: NewRecord<A, T>, options?: WriteOptions): Promise<T['record']>
  /** Creates all records or none; with `atomic: false`, the valid ones. */
  createMany(
    records: readonly NewRecord<A, T>[],
    options?: ManyOptions & {
      /** Skips records whose unique values already exist. */
      onConflict?: 'ignore' | undefined
    },
  ): Promise<Written<T['record']>>
  /** Changes only the named fields. */
  update(key: KeyOf<T>, changes: Changes<T>, options?: OneWriteOptions): Promise<T['record']>
  /** Changes many records, each identified by its primary key. */
  updateMany(records: readonly NamedChanges<T>[], options?: ManyOptions): Promise<Written<T['record']>>
  /** Gives the same values to all matching records. Returns the number of changed records. */
  updateWhere<const W extends object>(
    where: W & WhereHint<T> & CheckWhere<A, T, W, None>,
    changes: Changes<T>,
    options?: Expecting,
  ): Promise<number>
  /** Replaces a record. Omitted fields get their defaults. */
  replace(key: KeyOf<T>, record: T['create'], options?: OneWriteOptions): Promise<T['record']>
  /** Updates the record with the same unique fields; creates it if there is none. */
  upsert(record: Partial<T['create']>, options: UpsertOptions<T>): Promise<Upserted<T['record']>>
  upsertMany(
    records: readonly Partial<T['create']>[],
    options: UpsertOptions<T> & ManyOptions,
  ): Promise<Written<T['record']>>
  /** Deletes a record; in a table with `is_deleted`, only marks it as deleted. */
  delete(key: KeyOf<T>, options?: OneWriteOptions & Hard): Promise<void>
  /** Deletes records. Returns the number of deleted records. */
  deleteMany(keys: readonly KeyOf<T>[], options?: WriteOptions & Hard): Promise<number>
  /** Deletes all matching records. Returns their number. */
  deleteWhere<const W extends object>(
    where: W & WhereHint<T> & CheckWhere<A, T, W, None>,
    options?: Expecting & Hard,
  ): Promise<number>

  /** Reads the versions of a record. The table needs a history. */
  history(
    key: KeyOf<T>,
    options?: HistoryOptions,
  ): Promise<{ data: Version<T['record']>[]; total: number; page: number; page_size: number }>
  /** Restores a version. */
  restore(key: KeyOf<T>, version: number, options?: WriteOptions): Promise<T['record']>

  edges: EdgeClient<T>
  /** Walks from a record along its edges. Returns the records under the names of their relationships. */
  walk(
    key: KeyOf<T>,
    include: 'descendants' | 'ancestors' | 'both',
    options?: WalkOptions<T['edges']>,
  ): Promise<{ record: T['record']; related: { [name: string]: (T['record'] & Reached)[] } }>
  /** Reads a tree: from one record, or from all roots. */
  tree(options?: WalkOptions<T['edges']> & Start<T>): Promise<TreeNode<T['record']>[]>
  /** Reads nodes and edges: from one record, or of all records. */
  graph(options?: WalkOptions<T['edges']> & Start<T>): Promise<Graph<T['record'], KeyOf<T>, T['edges']>>
}
