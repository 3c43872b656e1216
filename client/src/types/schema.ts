/** The types that describe the apps of a site. `tessera-client/generate` writes them. */

/** JSON of any kind. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** The kinds of fields, which decide the operators of filters. */
export type Kind = 'text' | 'number' | 'boolean' | 'ordered' | 'instant' | 'duration' | 'json'

/** A relationship: its target table, and whether it leads to one record or to many. */
interface Relationship {
  table: string
  to: 'one' | 'many'
  /** Whether the one record may be missing. */
  nullable: boolean
  /**
   * The fields that a new related record gets from the record that contains it. Omitted: it cannot be created
   * inside one.
   */
  inside?: string
}

export interface Table {
  /** The type of a record in reads. */
  record: object
  /** A record to create: fields with a default can be left out. */
  create: object
  kinds: object
  /** The fields of the primary key, in its order. */
  key: readonly string[]
  relationships: object
  /** The named ranges, with the type of their ends. Omitted: there are none. */
  ranges?: object
  /** The types of its edges; `never` without edges. */
  edges: string
}

/** The apps of a site by slug. */
export type Apps = object

/** A table without a known schema: every field exists, and has any value. */
export interface UnknownTable extends Table {
  record: Record<string, unknown>
  create: Record<string, unknown>
  kinds: Record<string, Kind>
  key: readonly string[]
  // biome-ignore lint/complexity/noBannedTypes: no relationship is known, so none is in the type
  relationships: {}
  edges: string
}

/** The apps of a client without a schema. */
export type UnknownApps = Record<string, Record<string, UnknownTable>>

/** The table with a name in an app. */
export type TableOf<A, Name> = Name extends keyof A ? (A[Name] extends Table ? A[Name] : never) : never

/**
 * A table as guests get it: the records of the relationships `Hidden` may be missing, because a rule hides
 * them.
 */
export type Guest<T extends Table, Hidden extends RelationshipOf<T>> = Omit<T, 'relationships'> & {
  relationships: {
    [Name in keyof T['relationships']]: Name extends Hidden
      ? Omit<T['relationships'][Name], 'nullable'> & { nullable: true }
      : T['relationships'][Name]
  }
}

/** The names of the fields of a table. */
export type FieldOf<T extends Table> = keyof T['record'] & string

/** The names of the ranges of a table. */
export type RangeOf<T extends Table> = keyof NonNullable<T['ranges']> & string

/** Another range, of which an end that is null is open. */
export type EndsOf<T extends Table, Range> = Range extends keyof NonNullable<T['ranges']>
  ? readonly [NonNullable<T['ranges']>[Range] | null, NonNullable<T['ranges']>[Range] | null]
  : never

/** The names of the relationships of a table. */
export type RelationshipOf<T extends Table> = keyof T['relationships'] & string

export type Related<T extends Table, Name extends string> = Name extends keyof T['relationships']
  ? T['relationships'][Name] extends Relationship
    ? T['relationships'][Name]
    : never
  : never

/** The table that a relationship leads to. */
export type TargetOf<A, T extends Table, Name extends string> = TableOf<A, Related<T, Name>['table']>

export type IsUnknown<T extends Table> = string extends keyof T['record'] ? true : false

/** The key of a record: a value; for a composite key, the values in its order. */
export type KeyOf<T extends Table> = T['key'] extends readonly [infer Field]
  ? ValueAt<T, Field>
  : number extends T['key']['length']
    ? string | number | readonly (string | number)[]
    : ValuesAt<T, T['key']>

type ValuesAt<T extends Table, Fields> = { readonly [Index in keyof Fields]: ValueAt<T, Fields[Index]> }
type ValueAt<T extends Table, Field> = Field extends keyof T['record']
  ? Extract<T['record'][Field], string | number>
  : never

/** Writes an intersection as one object type. */
export type Flat<Type> = { [Name in keyof Type]: Type[Name] }

/**
 * Only for the compiler, as the first member of a type with many calls. Types of different tables differ in
 * this member. Otherwise the compiler would compare all calls with each other to explain the difference, and
 * would not finish.
 */
export type Marked<Of> = (of: Of) => Of

declare const wrong: unique symbol
/** A type without values. Its text describes the error. */
export interface Wrong<Text extends string> {
  [wrong]: Text
}
