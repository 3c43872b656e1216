/**
 * The types of aggregates: counts, sums and other statistics, over all records or by groups.
 * docs/guide/aggregates.md.
 */
import type { CallOptions } from '../connection/transport.ts'
import type { FieldOf, IsUnknown, Json, Table } from '../types/schema.ts'
import type { Annotations, ComputedValue } from '../types/selection.ts'
import type { PageOptions, SelectOptions } from './options.ts'

export interface AggregateOptions<A, T extends Table, W, V> extends CallOptions, PageOptions {
  /** What to compute, by name: `{ n: 'count(*)', dearest: 'max(price)' }`. */
  values: V
  where?: SelectOptions<A, T, W, never, never>['where'] | undefined
  search?: string | undefined
  asOf?: string | Date | undefined
  includeDeleted?: boolean | undefined
}

export interface GroupOptions<A, T extends Table, W, V, G> extends AggregateOptions<A, T, W, V> {
  /**
   * Fields, paths to fields of referenced records, or expressions with a name: `"date_trunc(…) as month"`.
   */
  by: G
  /** Conditions on the results, such as `'n__gte=5'`, each with an operator. */
  having?: readonly string[] | undefined
  /** Names of results and keys, with `-` for descending. */
  ordering?: readonly string[] | undefined
}

/** The type of an aggregate, which is the type of its field if the function keeps the type. */
type Aggregated<
  T extends Table,
  Expression,
> = Expression extends `${'sum' | 'avg' | 'stddev' | 'variance'}(${infer Inner})`
  ? Inner extends `${string})${string}`
    ? Json
    : number | null
  : Expression extends `${'min' | 'max'}(${infer Field})`
    ? Field extends FieldOf<T>
      ? T['record'][Field & keyof T['record']] | null
      : Json
    : ComputedValue<Expression>

export type Results<T extends Table, V> = { -readonly [Name in keyof V]: Aggregated<T, V[Name]> }

/** A group: its keys and its results. */
export type Group<T extends Table, V, G extends readonly string[]> = Results<T, V> &
  (IsUnknown<T> extends true
    ? Record<string, unknown>
    : {
        [Key in G[number] as Key extends `${string} as ${infer Alias}` ? Alias : Key]: Key extends FieldOf<T>
          ? T['record'][Key & keyof T['record']]
          : Json
      })

/** Aggregates to compute, by name. */
export type Values = Annotations
