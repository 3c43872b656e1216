/**
 * What Postgres learns about the members of documents that lists are filtered by. Of an expression that no
 * index has, it knows nothing, and takes every filter on it for one that half or few of the records pass.
 */
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Field } from '../../model/field.ts'
import { constraintNames } from '../../model/names.ts'
import type { Table } from '../../model/table.ts'
import { addStatements, type TableObject } from './objects.ts'

/**
 * Returns the statistics of fields with few values, such as that of soft deletion, unless the table has
 * columns for its fields.
 */
export function statisticsOf({ fields, storage, physicalName }: Table): TableObject[] {
  if (storage.hasColumns) return []
  return [...fields.values()].filter(hasFewValues).map((field) => ({
    kind: 'statistics',
    name: constraintNames(physicalName).statistics(field.name),
    title: `the statistics of ${field.name}`,
    fields: [field.name],
    definition: sql`on (${storage.field(field)})`,
  }))
}

/** Returns the statements that make the statistics of a table that lacks some. */
export const createStatistics = (table: Table): Sql[] =>
  statisticsOf(table).flatMap((statistics) => addStatements(table, statistics))

const hasFewValues = ({ schema }: Field): boolean =>
  schema.type === 'boolean' || schema.constraints?.enum !== undefined
