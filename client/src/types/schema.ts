/** The types that describe the apps of a site. `tessera-client/generate` writes them. */

/** JSON of any kind. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** What a field's type lets filters do. */
export type Kind = 'text' | 'number' | 'boolean' | 'ordered' | 'instant' | 'duration' | 'json'

/** A relationship: the table it leads to, and how many related records there are at most. */
interface Relationship {
  table: string
  to: 'one' | 'many'
  /** Whether the one record may not be there. */
  nullable: boolean
  /** The fields that a new related record gets from the record around it. Omitted: it cannot be inside one. */
  inside?: string
}

/** A table. */
export interface Table {
  /** A record as it is read. */
  record: object
  /** A record to create: fields with a default can be left out. */
  create: object
  kinds: object
  /** The fields of the primary key, in its order. */
  key: readonly string[]
  relationships: object
  /** The types of its edges; `never` without edges. */
  edges: string
}

/** The apps of a site by slug. */
export type Apps = object

/** A table of which nothing is known: every field is, and has any value. */
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

/** The table of an app with a name. */
export type TableOf<A, Name> = Name extends keyof A ? (A[Name] extends Table ? A[Name] : never) : never

/** The names of the fields of a table. */
export type FieldOf<T extends Table> = keyof T['record'] & string

/** The names of the relationships of a table. */
export type RelationshipOf<T extends Table> = keyof T['relationships'] & string

/** A relationship of a table. */
export type Related<T extends Table, Name extends string> = Name extends keyof T['relationships']
  ? T['relationships'][Name] extends Relationship
    ? T['relationships'][Name]
    : never
  : never

/** The table that a relationship leads to. */
export type TargetOf<A, T extends Table, Name extends string> = TableOf<A, Related<T, Name>['table']>

/** Whether nothing is known of a table. */
export type IsUnknown<T extends Table> = string extends keyof T['record'] ? true : false

/** The key of a record: a value; of a composite key, the values in its order. */
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
 * For the compiler alone, as the first member of a type with many calls: types of other tables differ here already.
 * It would otherwise compare all calls with each other, to explain the difference, and not come to an end.
 */
export type Marked<Of> = (of: Of) => Of

declare const wrong: unique symbol
/** A type that no value has. Its text says what is wrong. */
export interface Wrong<Text extends string> {
  [wrong]: Text
}
