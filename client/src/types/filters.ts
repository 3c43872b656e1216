/**
 * The types of filters: which operators a field has, and which values they take.
 * docs/guide/queries.md#filters.
 */
import type {
  EndsOf,
  FieldOf,
  IsUnknown,
  Json,
  Kind,
  RangeOf,
  RelationshipOf,
  Table,
  TargetOf,
  Wrong,
} from './schema.ts'

/** The operators of each kind of field, by the type of their value. */
interface Equality<Value> {
  exact: Value | null
  ne: Value | null
  in: readonly Value[]
  nin: readonly Value[]
}
interface Presence {
  null: boolean
  nnull: boolean
}
interface Order<Value> {
  gt: Value
  gte: Value
  lt: Value
  lte: Value
  between: readonly [Value, Value]
  nbetween: readonly [Value, Value]
}
interface Text {
  ina: readonly string[]
  nina: readonly string[]
  contains: string
  ncontains: string
  icontains: string
  nicontains: string
  startswith: string
  nstartswith: string
  istartswith: string
  nistartswith: string
  endswith: string
  nendswith: string
  iendswith: string
  niendswith: string
  matches: string
  imatches: string
}
interface OfJson {
  exact: Json
  ne: Json
  contains: Json
  ncontains: Json
  contained_by: Json
  overlaps: readonly (string | number | boolean | null)[]
  has_key: string
  has_any_keys: readonly string[]
  has_all_keys: readonly string[]
}

/** The operators of a kind of field, with the types of their values. */
type Operators<K, Value> = Presence &
  (K extends 'text'
    ? Equality<Value> & Order<Value> & Text
    : K extends 'duration'
      ? Equality<Value> & Text
      : K extends 'instant'
        ? Equality<Value> & Order<Value> & { within: string }
        : K extends 'json'
          ? OfJson
          : Equality<Value> & Order<Value>)

/** The value that a field is compared with. A whole number may be a string of digits. */
type Comparable<K, Value> = K extends 'number' ? number | `${bigint}` : Exclude<Value, null>

type KindOf<T extends Table, Field> = Field extends keyof T['kinds'] ? T['kinds'][Field] & Kind : never
type ValueOf<T extends Table, Field> = Field extends keyof T['record'] ? T['record'][Field] : never

/** The operators of a field. */
type OperatorsOf<T extends Table, Field> = Operators<
  KindOf<T, Field>,
  Comparable<KindOf<T, Field>, ValueOf<T, Field>>
>

/** The filters on a table's own fields. */
type OwnFilters<T extends Table> = {
  [Field in FieldOf<T>]?: OperatorsOf<T, Field>['exact' & keyof OperatorsOf<T, Field>]
} & { [Name in OperatorNames<T>]?: OperatorValue<T, Name> }

type OperatorNames<T extends Table> = {
  [Field in FieldOf<T>]: `${Field}__${keyof OperatorsOf<T, Field> & string}`
}[FieldOf<T>]
type OperatorValue<T extends Table, Name> = {
  [Field in FieldOf<T>]: Name extends `${Field}__${infer Operator}`
    ? Operator extends keyof OperatorsOf<T, Field>
      ? OperatorsOf<T, Field>[Operator]
      : never
    : never
}[FieldOf<T>]

/** The completions of an editor for a filter. `CheckWhere` decides what is allowed. */
export type WhereHint<T extends Table> =
  IsUnknown<T> extends true
    ? Readonly<Record<string, unknown>>
    : Omit<OwnFilters<T>, 'and' | 'or' | 'not' | 'search'> & {
        and?: readonly object[]
        or?: readonly object[]
        not?: object
        search?: string
      } & { [path in `${RelationshipOf<T>}${'.' | '__'}${string}`]?: unknown } & {
        [property in `${FieldOf<T>}__${string}`]?: unknown
      } & { [Name in `${RangeOf<T>}__overlaps`]?: readonly unknown[] }

/** The steps that the path of a filter may still take. */
type Steps = readonly 1[]
type ThreeSteps = readonly [1, 1, 1]

/** The type that a member of a filter must have. */
type Allowed<A, T extends Table, Name, Names extends object, Left extends Steps> =
  Name extends FieldOf<T>
    ? OperatorsOf<T, Name>['exact' & keyof OperatorsOf<T, Name>]
    : Name extends keyof Names
      ? Json
      : Name extends `${infer First}.${infer Rest}`
        ? First extends RelationshipOf<T>
          ? Left extends readonly [1, ...infer Fewer extends Steps]
            ? Rest extends 'search'
              ? string
              : // biome-ignore lint/complexity/noBannedTypes: related records have no computed values
                Allowed<A, TargetOf<A, T, First>, Rest, {}, Fewer>
            : Wrong<'A path has three steps at most.'>
          : Wrong<`There is no relationship "${First}".`>
        : Name extends `${infer Field}__${infer Operator}`
          ? Field extends FieldOf<T>
            ? Operator extends keyof OperatorsOf<T, Field>
              ? OperatorsOf<T, Field>[Operator]
              : KindOf<T, Field> extends 'json'
                ? Json
                : Wrong<`"${Field}" has no operator "${Operator}".`>
            : Field extends RangeOf<T>
              ? Operator extends 'overlaps'
                ? EndsOf<T, Field>
                : Wrong<'A range has only the operator "overlaps".'>
              : Field extends keyof Names
                ? Json
                : Field extends RelationshipOf<T>
                  ? Operator extends 'null' | 'nnull'
                    ? boolean
                    : Wrong<`A relationship has no operator "${Operator}".`>
                  : Wrong<`There is no field "${Field}".`>
          : Wrong<`There is no field "${Name & string}".`>

/** The table at the end of a path of relationships. Never: it is not such a path. */
type EndOf<A, T extends Table, Path> = Path extends `${infer First}.${infer Rest}`
  ? First extends RelationshipOf<T>
    ? EndOf<A, TargetOf<A, T, First>, Rest>
    : never
  : Path extends RelationshipOf<T>
    ? TargetOf<A, T, Path>
    : never

/** The table whose records the conditions of a member are about. Never: the member is no `__some` or `__none`. */
type RelatedOf<A, T extends Table, Name> = Name extends `${infer Path}__some` | `${infer Path}__none`
  ? EndOf<A, T, Path>
  : never

/** The type that a filter must have: each member checked, along relationships as well. */
export type CheckWhere<A, T extends Table, W, Names extends object> =
  IsUnknown<T> extends true
    ? unknown
    : {
        readonly [Name in keyof W]: Name extends 'and' | 'or'
          ? CheckAll<A, T, W[Name], Names>
          : Name extends 'not'
            ? CheckWhere<A, T, W[Name], Names>
            : Name extends 'search'
              ? string
              : [RelatedOf<A, T, Name>] extends [never]
                ? Allowed<A, T, Name, Names, ThreeSteps>
                : // biome-ignore lint/complexity/noBannedTypes: related records have no computed values
                  CheckWhere<A, RelatedOf<A, T, Name>, W[Name], {}>
      }

/** Checks each of several filters. The compiler maps a tuple to a tuple only through a type parameter. */
type CheckAll<A, T extends Table, List, Names extends object> = {
  readonly [Index in keyof List]: CheckWhere<A, T, List[Index], Names>
}
