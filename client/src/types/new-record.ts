/** The types of records to create. docs/guide/writes.md#create-related-records-with-a-record. */
import type { IsUnknown, Related, RelationshipOf, Table, TargetOf } from './schema.ts'

/** How deeply new records can be nested. */
type Levels = readonly 1[]
type ThreeLevels = readonly [1, 1, 1]

/** A record to create, with new related records inside it. */
export type NewRecord<A, T extends Table, Left extends Levels = ThreeLevels> =
  IsUnknown<T> extends true ? T['create'] : T['create'] & NewRelated<A, T, Left>

type NewRelated<A, T extends Table, Left extends Levels> = Left extends readonly [
  1,
  ...infer Fewer extends Levels,
]
  ? {
      readonly [Name in InsideOf<T>]?: Related<T, Name> extends { to: 'many'; inside: infer Given }
        ? readonly Without<NewRecord<A, TargetOf<A, T, Name>, Fewer>, Given>[]
        : NewRecord<A, TargetOf<A, T, Name>, Fewer> | null
    }
  : unknown

/** The relationships whose records can be created inside a record. */
type InsideOf<T extends Table> = {
  [Name in RelationshipOf<T>]: Related<T, Name> extends { inside: string } ? Name : never
}[RelationshipOf<T>]

type Without<Type, Names> = { [Name in keyof Type as Name extends Names ? never : Name]: Type[Name] }
