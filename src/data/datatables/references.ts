/** What the foreign keys of a table lead to. D6: real keys, to what is unique, of the same types. */
import { referenceNotMaterialized } from './errors.ts'
import type { Table } from './table.ts'
import type { ForeignKeySchema } from './table-schema.ts'

export interface ResolvedKey {
  key: ForeignKeySchema
  referenced: Table
}

/** `find` knows the tables that the keys may name. Problems are found all, each with its place. */
export function resolveForeignKeys(table: Table, find: (name: string) => Table | undefined): { keys: ResolvedKey[]; problems: string[] } {
  const keys: ResolvedKey[] = []
  const problems: string[] = []
  for (const [index, key] of (table.schema.foreignKeys ?? []).entries()) {
    const { resource, fields } = key.reference
    const referenced = resource === '' || resource === table.name ? table : find(resource)
    if (referenced) {
      problems.push(...keyProblems(table, key, referenced).map((problem) => `foreignKeys[${index}]: ${problem}`))
      keys.push({ key, referenced })
    } else {
      problems.push(`foreignKeys[${index}].reference.resource: there is no table "${resource}" in this app`)
    }
    if (referenced && !isUnique(referenced, fields)) {
      problems.push(`foreignKeys[${index}]: ${fields.join(', ')} of "${referenced.name}" is neither its primary key nor unique`)
    }
  }
  return { keys, problems }
}

function keyProblems(table: Table, key: ForeignKeySchema, referenced: Table): string[] {
  return key.reference.fields.flatMap((name, position) => {
    const own = table.fields.get(key.fields[position] ?? '')
    const other = referenced.fields.get(name)
    if (!other) return [`"${referenced.name}" has no field "${name}"`]
    if (own && own.schema.type !== other.schema.type) {
      return [`"${own.name}" is of type ${own.schema.type}, but "${name}" of "${referenced.name}" is of type ${other.schema.type}`]
    }
    return []
  })
}

function isUnique(table: Table, fields: readonly string[]): boolean {
  const lists = [
    table.schema.primaryKey,
    ...(table.schema.indexes ?? []).filter((index) => index.unique && !index.where).map((index) => index.fields),
    ...[...table.fields.values()].filter((field) => field.schema.constraints?.unique).map((field) => [field.name]),
  ]
  return lists.some((list) => list.length === fields.length && list.every((name) => fields.includes(name)))
}

/** The 422 for a key to a table that has no physical one. `made` are about to get theirs. */
export function requireMaterialized(table: Table, keys: readonly ResolvedKey[], made: ReadonlySet<Table>): void {
  const missing = keys.find(({ referenced }) => !referenced.isMaterialized && !made.has(referenced))
  if (missing) throw referenceNotMaterialized(table.name, missing.referenced.name)
}
