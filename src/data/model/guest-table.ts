/** A table as guests see it: a view with the fields that rules give. */
import { identifier, type Sql, sql } from '../../db/sql.ts'
import { guestNames } from './names.ts'
import type { TableSchema } from './schema-form.ts'
import { searchedFields } from './search-vector.ts'
import { compileTable, type Place, storedAs, type Table, tableRowOf } from './table.ts'

/** Returns the location of the view of a table by all rules, or by the one at a position. */
export function guestPlace(siteId: number, physicalName: string, position?: number): Place {
  const names = guestNames(physicalName)
  const namespace = identifier(`site_${siteId}_guest`)
  const name = position === undefined ? names.all : names.rule(position)
  return { namespace, relation: sql`${namespace}.${identifier(name)}` }
}

/** Returns the function by which guests write to a table. */
export const guestFunction = (siteId: number, physicalName: string, action: string): Sql =>
  sql`${identifier(`site_${siteId}_guest`)}.${identifier(guestNames(physicalName).write(action))}`

/**
 * Returns a table for reading what guests may see. `names` are the fields; `position` is that of the only
 * rule that applies. Omitted: several do. The view leaves soft-deleted records out.
 */
export function guestTable(
  siteId: number,
  table: Table,
  names: ReadonlySet<string>,
  position?: number,
): Table {
  const row = { ...tableRowOf(table), json_schema: guestSchema(table.schema, names) }
  const compiled = compileTable(siteId, row)
  const place = guestPlace(siteId, table.physicalName, position)
  const storage = storedAs('flat_table', { ...place, schema: compiled.schema, fields: compiled.fields }, '')
  return { ...compiled, ...place, storage, rows: place.relation, softDelete: undefined, isView: true }
}

/** Returns the parts of a schema that are about these fields alone. */
function guestSchema(schema: TableSchema, names: ReadonlySet<string>): TableSchema {
  const areShown = (fields: readonly string[]) => fields.every((field) => names.has(field))
  const { fields, primaryKey, foreignKeys = [], indexes = [], uniqueKeys = [], search_language } = schema
  const searched = searchedFields(schema).filter(({ field }) => names.has(field))
  return {
    fields: fields.filter(({ name }) => names.has(name)),
    primaryKey,
    foreignKeys: foreignKeys.filter((key) => areShown(key.fields)),
    uniqueKeys: uniqueKeys.filter(areShown),
    indexes: indexes.filter((index) => areShown(index.fields) && !index.where),
    ...(searched.length > 0 ? { search_fields: searched } : {}),
    ...(search_language ? { search_language } : {}),
  }
}
