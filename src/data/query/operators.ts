/** The filter operators: one row each. Spec: Records, filter operators; R2, R13. */
import { type Sql, sql } from '../../db/sql.ts'
import type { FieldType } from '../datatables/field-types.ts'

export interface Operator {
  /** What the client writes after it: one value, or a comma-separated list of them. */
  takes: 'one' | 'list'
  /** On which types it works. */
  on(type: FieldType): boolean
  /** `value` is bound and has the column's type; of a list it is an array of that type. */
  sql(column: Sql, value: Sql): Sql
}

const any = () => true
const comparable = (type: FieldType) => type.comparable

/** A filter without an operator. */
export const equality = 'exact'

/** Negations hold for records without a value, too. */
export const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  [equality, { takes: 'one', on: any, sql: (column, value) => sql`${column} = ${value}` }],
  ['ne', { takes: 'one', on: any, sql: (column, value) => sql`${column} is distinct from ${value}` }],
  ['gt', { takes: 'one', on: comparable, sql: (column, value) => sql`${column} > ${value}` }],
  ['gte', { takes: 'one', on: comparable, sql: (column, value) => sql`${column} >= ${value}` }],
  ['lt', { takes: 'one', on: comparable, sql: (column, value) => sql`${column} < ${value}` }],
  ['lte', { takes: 'one', on: comparable, sql: (column, value) => sql`${column} <= ${value}` }],
  ['in', { takes: 'list', on: comparable, sql: (column, value) => sql`${column} = any (${value})` }],
  ['nin', { takes: 'list', on: comparable, sql: (column, value) => sql`(${column} = any (${value})) is not true` }],
])
