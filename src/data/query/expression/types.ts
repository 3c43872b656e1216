/** The types of values in expressions: those of fields, and two more that only expressions have. Which of them become which by a cast. */
import { type Sql, sql } from '../../../db/sql.ts'
import { fieldTypes } from '../../datatables/field-types.ts'
import type { Field } from '../../datatables/table.ts'

export interface Type {
  name: string
  column: Sql
  /** The value to bind for a text; undefined when the text is none of this type. */
  parse(text: string): string | undefined
  /** The value as it stands in JSON, where that is not what Postgres makes of it. */
  output?(value: Sql): Sql
  /** Whether one value can be more than another. */
  ordered: boolean
}

const ofFields = new Map(
  [...fieldTypes].map(([name, { column, parse, output, comparable }]): [string, Type] => [
    name,
    { name, column, parse, ...(output ? { output } : {}), ordered: comparable },
  ]),
)
const ofField = (name: string) => ofFields.get(name) as Type

export const string = ofField('string')
export const integer = ofField('integer')
/** Constants have fewer digits than fields may have: what is computed of long ones takes long. */
const constant = /^-?\d{1,1000}(?:\.\d{1,1000})?(?:[eE][+-]?\d{1,3})?$/
export const number: Type = { ...ofField('number'), parse: (text) => (constant.test(text) ? ofField('number').parse(text) : undefined) }
export const boolean = ofField('boolean')
export const date = ofField('date')
export const time = ofField('time')
/** A date alone is its midnight in UTC. */
export const datetime: Type = { ...ofField('datetime'), parse: (text) => ofField('datetime').parse(text) ?? date.parse(text) }
/** What the clocks of a zone show: no instant, and without an offset. */
export const localDatetime: Type = {
  name: 'local datetime',
  column: sql`timestamp`,
  parse: (text) => (/[Z+]|-\d\d:/i.test(text.slice(10)) ? undefined : datetime.parse(text)),
  ordered: true,
}
const uuid = ofField('uuid')
/** Of fields of type object and array alike. */
const json: Type = { ...ofField('object'), name: 'JSON', parse: (text) => ofField('object').parse(text) ?? ofField('array').parse(text) }
/** What array_agg and json_agg make: it is shown, and nothing else is done with it. */
export const list: Type = { name: 'list', column: sql`jsonb`, parse: () => undefined, ordered: false }

/** Types as they have one meaning in expressions. */
const own = new Map([string, integer, number, boolean, date, time, datetime, uuid].map((type) => [type.name, type]))
export const typeOf = (field: Field): Type => own.get(field.type.base ?? field.schema.type) ?? json

export const isNumeric = (type: Type): boolean => type === integer || type === number

/** What a cast may name, each in the words of this service and of SQL. Numbers are exact whatever they are called. */
export const castNames: ReadonlyMap<string, Type> = new Map(
  (
    [
      [string, 'string', 'text', 'varchar', 'character varying'],
      [integer, 'integer', 'bigint', 'int', 'smallint', 'int2', 'int4', 'int8'],
      [number, 'number', 'numeric', 'decimal', 'real', 'float', 'float4', 'float8', 'double precision'],
      [boolean, 'boolean', 'bool'],
      [date, 'date'],
      [time, 'time', 'time without time zone'],
      [datetime, 'datetime', 'timestamptz', 'timestamp with time zone'],
      [localDatetime, 'timestamp', 'timestamp without time zone'],
      [uuid, 'uuid'],
    ] as const
  ).flatMap(([type, ...names]) => names.map((name) => [name, type])),
)

/** From each type to those that Postgres casts it to. Without a zone, the zone is UTC. */
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

export const castsOf = (from: Type): readonly Type[] => [from, ...(casts.get(from) ?? [])]

/** A boolean becomes a bigint by way of an int: Postgres knows no shorter one. */
export const castSql = (value: Sql, from: Type, to: Type): Sql =>
  from === boolean && to === integer ? sql`${value}::int::bigint` : sql`${value}::${to.column}`
