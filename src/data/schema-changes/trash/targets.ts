/** Finds the tables that the foreign keys of deleted datatables referenced. D17. */
import type { Catalog } from '../../catalog/load-catalog.ts'
import type { Table } from '../../model/table.ts'
import { schemaHash } from '../../model/table-schema.ts'
import { cannotBeRestored, missingTarget } from './errors.ts'
import type { DeletedRow } from './store.ts'

/**
 * Returns the table, and the tables deleted with it that it references, directly or not. Referenced tables
 * are known by their ids.
 */
export function neededRows(catalog: Catalog, main: DeletedRow, rows: readonly DeletedRow[]): DeletedRow[] {
  const needed = new Set([main])
  for (const { targets } of needed)
    for (const id of Object.values(targets)) {
      const row = tableById(catalog, id) ? undefined : rows.find((one) => one.id === id)
      if (row) needed.add(row)
    }
  return [...needed]
}

const tableById = ({ tables }: Catalog, id: number): Table | undefined =>
  [...tables.values()].find((table) => table.id === id)

/**
 * Returns the row with the names that the referenced tables have now: another table of the same name is not
 * the one that was referenced. Throws 422 if a table is neither in the app nor among those to restore.
 */
export function boundByIds(catalog: Catalog, row: DeletedRow, needed: readonly DeletedRow[]): DeletedRow {
  const { targets, json_schema: schema, deleted_targets: trashed } = row
  if (!schema.foreignKeys) return row
  const problems: string[] = []
  const foreignKeys = schema.foreignKeys.map((key) => {
    const id = targets[key.fields.join()]
    if (id === undefined) return key
    const found = tableById(catalog, id) ?? needed.find((one) => one.id === id)
    if (!found) problems.push(missingTarget(catalog.app.slug, key.reference.resource, trashed[id] && id))
    const isNamed = !found || found.name === key.reference.resource
    return isNamed ? key : { ...key, reference: { ...key.reference, resource: found.name } }
  })
  if (problems.length > 0) throw cannotBeRestored(row.name, problems)
  const isSame = foreignKeys.every((key, position) => key === schema.foreignKeys?.[position])
  if (isSame) return row
  const json_schema = { ...schema, foreignKeys }
  return { ...row, json_schema, schema_hash: schemaHash(json_schema) }
}
