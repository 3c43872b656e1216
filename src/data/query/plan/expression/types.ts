/**
 * The types of values in expressions, and the casts between them: the types of fields, and two of expressions
 * only.
 */
import { type Sql, sql } from '../../../../kernel/db/sql.ts'
import type { Field } from '../../../model/field.ts'
import { fieldTypes } from '../../../model/field-types.ts'
import { typeNames } from '../../../model/property.ts'

/** A type of values. */
export interface Type {
  name: string
  /** The Postgres type. */
  column: Sql
  /** Returns the value to bind for a text; undefined if the text is not of this type. */
  parse(text: string): string | undefined
  /** Returns the value as it appears in JSON. Omitted: as Postgres writes it. */
  output?(value: Sql): Sql
  /** Whether values can be sorted. */
  ordered: boolean
}

const ofFields = new Map(
  [...fieldTypes].map(([name, { column, parse, output, comparable }]): [string, Type] => [
    name,
    { name, column, parse, ...(output ? { output } : {}), ordered: comparable },
  ]),
)
const ofField = (name: string) => ofFields.get(name) as Type

/** The type of texts. */
export const string = ofField('string')
export const integer = ofField('integer')
/** A constant may have fewer digits than a field, because computing with long numbers is slow. */
const constant = /^-?\d{1,1000}(?:\.\d{1,1000})?(?:[eE][+-]?\d{1,3})?$/
export const number: Type = {
  ...ofField('number'),
  parse: (text) => (constant.test(text) ? ofField('number').parse(text) : undefined),
}
export const boolean = ofField('boolean')
export const date = ofField('date')
/** The type of times of day. */
export const time = ofField('time')
/** The type of instants. A date without a time is midnight in UTC. */
export const datetime: Type = {
  ...ofField('datetime'),
  parse: (text) => ofField('datetime').parse(text) ?? date.parse(text),
}
/** The type of dates with a time, without a zone. */
export const localDatetime: Type = {
  name: 'local datetime',
  column: sql`timestamp`,
  parse: (text) => (/[Z+]|-\d\d:/i.test(text.slice(10)) ? undefined : datetime.parse(text)),
  ordered: true,
}
/** The type of UUIDs. */
export const uuid = ofField('uuid')
/** The type of fields of type object or array, and of properties inside them. */
export const json: Type = {
  ...ofField('object'),
  name: 'JSON',
  parse: (text) => ofField('object').parse(text) ?? ofField('array').parse(text),
}
/** The type of results of array_agg and json_agg. Nothing can be computed from them. */
export const list: Type = { name: 'list', column: sql`jsonb`, parse: () => undefined, ordered: false }

const typesByName = new Map(
  [string, integer, number, boolean, date, time, datetime, uuid].map((type) => [type.name, type]),
)

export const typeOf = (field: Field): Type => typesByName.get(field.type.base ?? field.schema.type) ?? json

export const isNumeric = (type: Type): boolean => type === integer || type === number

/**
 * The types by every name that a cast can use: the names of this API and those of SQL. `real` and `float` are
 * exact, too.
 */
export const castNames: ReadonlyMap<string, Type> = new Map([
  ...Object.entries(typeNames).flatMap(([type, names]) =>
    names.map((name) => [name, typesByName.get(type) as Type] as const),
  ),
  ['timestamp', localDatetime],
  ['timestamp without time zone', localDatetime],
])

/** The types that each type can be cast to. Casts between instants and local times use UTC. */
const casts: ReadonlyMap<Type, readonly Type[]> = new Map([
  [string, [integer, number, boolean, date, time, datetime, localDatetime, uuid]],
  [integer, [string, number]],
  [number, [string, integer]],
  [boolean, [string, integer]],
  [date, [string, datetime, localDatetime]],
  [time, [string]],
  [datetime, [string, date, time, localDatetime]],
  [localDatetime, [string, date, time, datetime]],
  [uuid, [string]],
  [json, [string]],
])

/** Returns the types that a type can be cast to, itself included. */
export const castsOf = (from: Type): readonly Type[] => [from, ...(casts.get(from) ?? [])]

/** Renders a cast. A boolean becomes a bigint by way of int: Postgres has no direct cast. */
export const castSql = (value: Sql, from: Type, to: Type): Sql =>
  from === boolean && to === integer ? sql`${value}::int::bigint` : sql`${value}::${to.column}`
