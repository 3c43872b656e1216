/** Resolves foreign keys: the referenced fields must exist, be unique, and have the same types. D6. */

import type { Catalog } from '../catalog/load-catalog.ts'
import { isUnique, type ResolvedKey } from '../model/keys.ts'
import type { ForeignKeySchema } from '../model/schema-form.ts'
import type { Table } from '../model/table.ts'
import { adoptedBy, isInMongodb, notInMongodb } from '../providers/mongodb/capabilities.ts'
import { invalidSchema, referenceNotMaterialized } from './errors.ts'

/**
 * Resolves the foreign keys of tables that are created or changed together. They may reference tables of the
 * app and each other. Throws 400 with every problem.
 */
export function resolveForeignKeys(catalog: Catalog, tables: readonly Table[]): ResolvedKey[] {
  const own = new Map(tables.map((table) => [table.name, table]))
  const problems: string[] = []
  const keys = tables.flatMap((table) =>
    (table.schema.foreignKeys ?? []).flatMap((key, position): ResolvedKey[] => {
      const place = `${tables.length > 1 ? `resource "${table.name}": ` : ''}foreignKeys[${position}]`
      const { resource } = key.reference
      const referenced = resource === '' ? table : (own.get(resource) ?? catalog.tables.get(resource))
      if (referenced && !isKeyPossible(table, referenced)) throw notInMongodb('foreignKeys')
      if (referenced && adoptedBy(referenced) !== undefined) throw notInMongodb('adoptedKeys')
      if (!referenced) {
        problems.push(`${place}.reference.resource: there is no table "${resource}" in this app`)
        return []
      }
      problems.push(...keyProblems(table, key, referenced).map((problem) => `${place}: ${problem}`))
      return [{ table, key, referenced }]
    }),
  )
  if (problems.length > 0) throw invalidSchema(problems)
  return keys
}

/** Tells whether a foreign key can be kept: in MongoDB, both tables are in one datasource. */
const isKeyPossible = (table: Table, referenced: Table): boolean =>
  ![table, referenced].some(isInMongodb) ||
  (!referenced.source && table.datasource.slug === referenced.datasource.slug)

function keyProblems(table: Table, key: ForeignKeySchema, referenced: Table): string[] {
  const { fields } = key.reference
  const unknown = fields.filter((name) => !referenced.fields.has(name))
  if (unknown.length > 0) return unknown.map((name) => `"${referenced.name}" has no field "${name}"`)
  const problems: string[] = []
  for (const [position, name] of fields.entries()) {
    const own = table.fields.get(key.fields[position] ?? '')?.schema
    const other = referenced.fields.get(name)?.schema
    if (own && other && own.type !== other.type)
      problems.push(
        `"${own.name}" is of type ${own.type}, ` +
          `but "${name}" of "${referenced.name}" is of type ${other.type}`,
      )
  }
  if (!isUnique(referenced, fields))
    problems.push(`${fields.join(', ')} of "${referenced.name}" is neither its primary key nor unique`)
  return problems
}

/**
 * Throws 422 if a referenced table has no physical table. The tables of `made` get theirs in the same change.
 */
export function requireMaterialized(keys: readonly ResolvedKey[], made: ReadonlySet<Table>): void {
  const missing = keys.find(({ referenced }) => !referenced.isMaterialized && !made.has(referenced))
  if (missing) throw referenceNotMaterialized(missing.table.name, missing.referenced.name)
}
