/** The foreign keys of reference tables, as they read in the app that the references stand in. */
import type { TableRow, TableSource } from '../table.ts'

/**
 * A reference has its source's schema, and the keys of that name tables of the source's app. In this app they lead to
 * what stands for those tables here, themselves or references to them. Where nothing does, a key is not seen.
 */
export function withLocalKeys(app: string, rows: readonly TableRow[]): TableRow[] {
  const standIns = new Map<string, string>()
  for (const { name, source } of rows) if (source) standIns.set(address(source), name)
  for (const { name, source } of rows) if (!source) standIns.set(address({ app, table: name }), name)
  return rows.map((row) => (row.source ? localized(row, row.source, standIns) : row))
}

const address = ({ app, table }: TableSource) => `${app}/${table}`

function localized(row: TableRow, source: TableSource, standIns: ReadonlyMap<string, string>): TableRow {
  const foreignKeys = (row.json_schema.foreignKeys ?? []).flatMap((key) => {
    const { resource } = key.reference
    const local = resource === '' || resource === source.table ? '' : standIns.get(address({ app: source.app, table: resource }))
    return local === undefined ? [] : [{ ...key, reference: { ...key.reference, resource: local } }]
  })
  return { ...row, json_schema: { ...row.json_schema, foreignKeys } }
}
