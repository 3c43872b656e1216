/**
 * Detects that a table's schema differs from the one of the generated types. The service returns its hash
 * with each read.
 */

/**
 * The hashes of the schemas from which types were generated, by app and table. Generated types contain them.
 */
export type SchemaHashes = Readonly<Record<string, Readonly<Record<string, string>>>>

/** A table whose schema differs from the one of the types, or has changed since the client started. */
export interface SchemaChange {
  app: string
  table: string
  expected: string
  actual: string
}

const header = 'x-schema-hash'

/** Returns a function that checks each response. It reports each new hash of a table once. */
export function watchSchemas(
  hashes: SchemaHashes = {},
  report: (change: SchemaChange) => void = warn,
): (app: string, table: string, answer: Response) => void {
  const known = new Map<string, string>()
  return (app, table, answer) => {
    const actual = answer.headers.get(header)
    if (actual === null) return
    const name = `${app}/${table}`
    const expected = known.get(name) ?? hashes[app]?.[table] ?? actual
    known.set(name, actual)
    if (expected !== actual) report({ app, table, expected, actual })
  }
}

const warn = ({ app, table }: SchemaChange): void =>
  console.warn(`tessera-client: the schema of ${app}.${table} has changed. Generate its types again.`)
