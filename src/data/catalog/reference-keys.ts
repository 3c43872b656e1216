/** The foreign keys of references, with the names that their targets have in the app of the reference. */
import type { TableRow } from '../model/table.ts'
import type { TableSource } from '../model/table-origin.ts'

/**
 * Returns the rows with local foreign keys. A reference has the schema of its source, whose foreign keys name
 * tables of the source's app. Here they are renamed to the table of this app that corresponds to the target:
 * the target itself, or a reference to it. A key without such a table is omitted.
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
    const local =
      resource === '' || resource === source.table
        ? ''
        : standIns.get(address({ app: source.app, table: resource }))
    return local === undefined ? [] : [{ ...key, reference: { ...key.reference, resource: local } }]
  })
  return { ...row, json_schema: { ...row.json_schema, foreignKeys } }
}
