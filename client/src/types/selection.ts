/**
 * The types of the members that a record shows, which `fields`, `populate` and computed values select.
 * docs/guide/queries.md#populate.
 */
import type { CheckWhere } from './filters.ts'
import type {
  FieldOf,
  Flat,
  IsUnknown,
  Json,
  Related,
  RelationshipOf,
  Table,
  TargetOf,
  Wrong,
} from './schema.ts'

/** The completions of an editor for `fields`. */
export type FieldHint<T extends Table, Names = never> =
  IsUnknown<T> extends true
    ? string
    :
        | FieldOf<T>
        | (Names & string)
        | `-${FieldOf<T>}`
        | '*'
        | RelationshipOf<T>
        | `${RelationshipOf<T>}.${string}`
        | `-${RelationshipOf<T>}.${string}`

type CheckField<A, T extends Table, Name> = Name extends
  | FieldOf<T>
  | '*'
  | RelationshipOf<T>
  | `-${FieldOf<T>}`
  ? Name
  : Name extends `-${infer First}.${infer Rest}`
    ? CheckField<A, TargetOf<A, T, First>, Rest> extends Wrong<infer Text>
      ? Wrong<Text>
      : Name
    : Name extends `${infer First}.${infer Rest}`
      ? First extends RelationshipOf<T>
        ? CheckField<A, TargetOf<A, T, First>, Rest> extends Wrong<infer Text>
          ? Wrong<Text>
          : Name
        : Wrong<`There is no relationship "${First}".`>
      : Wrong<`There is no field "${Name & string}".`>

/** The type that `fields` must have. */
export type CheckFields<A, T extends Table, F, Names> =
  IsUnknown<T> extends true
    ? unknown
    : { readonly [Index in keyof F]: F[Index] extends Names ? F[Index] : CheckField<A, T, F[Index]> }

/** The options for the related records of a relationship. */
export interface Question {
  where?: object | undefined
  ordering?: readonly string[] | undefined
  /** The maximum number of related records, from 0 to 100. */
  limit?: number | undefined
  /** The number of first records to skip. */
  offset?: number | undefined
  /** Whether `_count` of the record has the number of all matching records. */
  count?: boolean | undefined
  fields?: readonly string[] | undefined
  populate?: Population | undefined
}

/** The related records to show: names and paths, or options for each. */
type Population = readonly string[] | { readonly [relationship: string]: Question }

/** The completions of an editor for `populate`. */
export type PopulateHint<T extends Table> =
  IsUnknown<T> extends true
    ? Population
    :
        | readonly (RelationshipOf<T> | '*' | `${RelationshipOf<T>}.${string}`)[]
        | { readonly [Name in RelationshipOf<T>]?: object }

type CheckPath<A, T extends Table, Path> = Path extends RelationshipOf<T> | '*'
  ? Path
  : Path extends `${infer First}.${infer Rest}`
    ? First extends RelationshipOf<T>
      ? CheckPath<A, TargetOf<A, T, First>, Rest> extends Wrong<infer Text>
        ? Wrong<Text>
        : Path
      : Wrong<`There is no relationship "${First}".`>
    : Wrong<`There is no relationship "${Path & string}".`>

type CheckMember<A, T extends Table, Member, Value> = Member extends 'where'
  ? // biome-ignore lint/complexity/noBannedTypes: related records have no computed values
    CheckWhere<A, T, Value, {}>
  : Member extends 'fields'
    ? CheckFields<A, T, Value, never>
    : Member extends 'populate'
      ? CheckPopulate<A, T, Value>
      : Member extends 'ordering'
        ? { readonly [Index in keyof Value]: CheckTerm<A, T, Value[Index], never> }
        : Member extends keyof Question
          ? Question[Member]
          : Wrong<`A question has no member "${Member & string}".`>

/** The type that `populate` must have. */
export type CheckPopulate<A, T extends Table, P> =
  IsUnknown<T> extends true
    ? unknown
    : P extends readonly string[]
      ? { readonly [Index in keyof P]: CheckPath<A, T, P[Index]> }
      : {
          readonly [Name in keyof P]: Name extends RelationshipOf<T>
            ? {
                readonly [Member in keyof P[Name]]: CheckMember<
                  A,
                  TargetOf<A, T, Name>,
                  Member,
                  P[Name][Member]
                >
              }
            : Wrong<`There is no relationship "${Name & string}".`>
        }

/** The completions of an editor for `ordering`. */
export type OrderHint<T extends Table, Names = never> =
  IsUnknown<T> extends true
    ? string
    : `${'' | '-'}${FieldOf<T> | (Names & string) | '_rank' | `${RelationshipOf<T>}.${string}`}` | Modified<T>
type Modified<T extends Table> = `${'' | '-'}${FieldOf<T>}.${string}`

type CheckTerm<A, T extends Table, Term, Names> = Term extends `-${infer Rest}`
  ? CheckTerm<A, T, Rest, Names> extends Wrong<infer Text>
    ? Wrong<Text>
    : Term
  : Term extends FieldOf<T> | Names | '_rank'
    ? Term
    : Term extends `${infer First}.${infer Rest}`
      ? First extends RelationshipOf<T>
        ? CheckTerm<A, TargetOf<A, T, First>, Rest, never> extends Wrong<infer Text>
          ? Wrong<Text>
          : Term
        : First extends FieldOf<T> | Names
          ? Term
          : Wrong<`There is no field "${First}".`>
      : Wrong<`There is no field "${Term & string}".`>

/** The type that `ordering` must have. */
export type CheckOrdering<A, T extends Table, O, Names> =
  IsUnknown<T> extends true ? unknown : { readonly [Index in keyof O]: CheckTerm<A, T, O[Index], Names> }

/** An expression whose value has a type that the client cannot know: `computed<string>('upper(name)')`. */
export interface Computed<Value> {
  readonly expression: string
  readonly value?: Value
}

/** Computed values by name. */
export type Annotations = { readonly [name: string]: string | Computed<unknown> }

export type ComputedValue<Expression> =
  Expression extends Computed<infer Value>
    ? Value
    : Expression extends `count(${infer Inner})`
      ? Inner extends `${string})${string}`
        ? Json
        : number
      : Json

// The members of a record. F: the names in `fields` as a union; never: all fields. P: `populate`; never:
// none.

type Heads<Name> = Name extends `-${string}` ? never : Name extends `${infer First}.${string}` ? First : never
type Tails<Name, First extends string> = Name extends `${First}.${infer Rest}`
  ? Rest
  : Name extends `-${First}.${infer Rest}`
    ? `-${Rest}`
    : never

/** The shown fields of the record itself. */
type Own<T extends Table, F> = [F] extends [never]
  ? T['record']
  : '*' extends F
    ? T['record']
    : [Extract<F, FieldOf<T>>] extends [never]
      ? [Exclude<F, `-${string}`>] extends [never]
        ? Omit<T['record'], Left<F>>
        : unknown
      : Pick<T['record'], Extract<F, FieldOf<T>> & keyof T['record']>
type Left<Name> = Name extends `-${infer Field}` ? Field : never

/** The shown relationships. */
type Shown<T extends Table, F, P> = Extract<Heads<F> | F | Populated<T, P>, RelationshipOf<T>>
type Populated<T extends Table, P> = [P] extends [never]
  ? never
  : P extends readonly (infer Path)[]
    ? Path extends '*'
      ? RelationshipOf<T>
      : Path extends `${infer First}.${string}`
        ? First
        : Path
    : keyof P

type QuestionFor<P, Name> = [P] extends [never]
  ? never
  : P extends readonly unknown[]
    ? never
    : Name extends keyof P
      ? P[Name]
      : never
type Asked<Q, Member> = [Q] extends [never] ? never : Member extends keyof Q ? Q[Member] : never
type Names<List> = [List] extends [never] ? never : List extends readonly (infer Name)[] ? Name : never
type SubPopulation<P, Name extends string> = [P] extends [never]
  ? never
  : P extends readonly (infer Path)[]
    ? [Tails<Path, Name>] extends [never]
      ? never
      : readonly Tails<Path, Name>[]
    : Asked<QuestionFor<P, Name>, 'populate'>

/** The fields of a relationship's records in `fields`. `rel` and `rel.*` select all. */
type SubFields<F, P, Name extends string> = Tails<F, Name> | Names<Asked<QuestionFor<P, Name>, 'fields'>>

type RelatedRecord<A, T extends Table, F, P, Name extends string> = RecordOf<
  A,
  TargetOf<A, T, Name>,
  SubFields<F, P, Name>,
  SubPopulation<P, Name>
>

type Filtered<P, Name> = [Asked<QuestionFor<P, Name>, 'where'>] extends [never] ? false : true

type RelatedValue<A, T extends Table, F, P, Name extends string> = Related<T, Name>['to'] extends 'many'
  ? RelatedRecord<A, T, F, P, Name>[]
  :
      | RelatedRecord<A, T, F, P, Name>
      | (Related<T, Name>['nullable'] extends false ? (Filtered<P, Name> extends true ? null : never) : null)

/** The relationships whose records are counted. */
type Counted<P> = [P] extends [never]
  ? never
  : P extends readonly unknown[]
    ? never
    : {
        [Name in keyof P]: Asked<P[Name], 'count'> extends true
          ? [Asked<P[Name], 'count'>] extends [never]
            ? never
            : Name
          : never
      }[keyof P]
/** The arrays that may be cut at 100 records. */
type Cut<T extends Table, F, P> = {
  [Name in Shown<T, F, P>]: Related<T, Name>['to'] extends 'many'
    ? [Asked<QuestionFor<P, Name>, 'limit'>] extends [never]
      ? Name
      : never
    : never
}[Shown<T, F, P>]

/** A record with exactly the selected members. */
export type RecordOf<A, T extends Table, F = never, P = never> =
  IsUnknown<T> extends true
    ? Record<string, unknown>
    : Flat<
        Omit<Own<T, F>, Shown<T, F, P>> & {
          [Name in Shown<T, F, P>]: RelatedValue<A, T, F, P, Name>
        } & ([Counted<P>] extends [never] ? unknown : { _count: { [Name in Counted<P>]: number } }) &
          ([Cut<T, F, P>] extends [never] ? unknown : { _more?: { [Name in Cut<T, F, P>]?: number } })
      >

/** The shown computed values: all, unless `fields` selects some or leaves them out. */
export type AnnotatedOf<N, F> = [F] extends [never]
  ? Values<N, keyof N>
  : '*' extends F
    ? Values<N, keyof N>
    : [Exclude<F, `-${string}`>] extends [never]
      ? Values<N, Exclude<keyof N, Left<F>>>
      : Values<N, Extract<keyof N, F>>
type Values<N, Name extends keyof N> = { -readonly [Key in Name]: ComputedValue<N[Key]> }

/** The members that `rank` and `highlight` add. */
export type Found<R, H> = (R extends true ? { _rank: number } : unknown) &
  ([H] extends [never] ? unknown : { _highlight: { [Name in H & string]: string | null } })
