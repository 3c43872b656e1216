/** What the foreign keys of tables lead to. D6: real keys, to what is unique, of the same types. */
import type { Catalog } from '../catalog.ts'
import { invalidSchema, referenceNotMaterialized } from './errors.ts'
import type { ForeignKeySchema, IndexSchema } from './schema-form.ts'
import type { Table } from './table.ts'

export interface ResolvedKey {
  table: Table
  key: ForeignKeySchema
  referenced: Table
}

/** The keys of tables that are made together lead to tables of the app, or to each other. Throws the 400 with every problem. */
export function resolveForeignKeys(catalog: Catalog, tables: readonly Table[]): ResolvedKey[] {
  const own = new Map(tables.map((table) => [table.name, table]))
  const problems: string[] = []
  const keys = tables.flatMap((table) =>
    (table.schema.foreignKeys ?? []).flatMap((key, position): ResolvedKey[] => {
      const place = `${tables.length > 1 ? `resource "${table.name}": ` : ''}foreignKeys[${position}]`
      const { resource } = key.reference
      const referenced = resource === '' ? table : (own.get(resource) ?? catalog.tables.get(resource))
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

function keyProblems(table: Table, key: ForeignKeySchema, referenced: Table): string[] {
  const { fields } = key.reference
  const unknown = fields.filter((name) => !referenced.fields.has(name))
  if (unknown.length > 0) return unknown.map((name) => `"${referenced.name}" has no field "${name}"`)
  const problems = fields.flatMap((name, position) => {
    const own = table.fields.get(key.fields[position] ?? '')?.schema
    const other = referenced.fields.get(name)?.schema
    return own && other && own.type !== other.type
      ? [`"${own.name}" is of type ${own.type}, but "${name}" of "${referenced.name}" is of type ${other.type}`]
      : []
  })
  return isUnique(referenced, fields) ? problems : [...problems, `${fields.join(', ')} of "${referenced.name}" is neither its primary key nor unique`]
}

/** Whether a foreign key leads to its own table. */
export const isToItself = ({ name }: Table, { reference }: ForeignKeySchema): boolean => reference.resource === '' || reference.resource === name

/** Whether a key or constraint lets no two records have the same values of these fields. */
export const isUnique = (table: Table, fields: readonly string[]): boolean =>
  uniqueKeysOf(table).some((key) => !key.where && isSameSet(key.fields, fields))

const isSameSet = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((name) => others.includes(name))

export interface UniqueKey {
  fields: readonly string[]
  /** Only records that pass it are kept apart. */
  where?: IndexSchema['where']
}

/** What keeps the records of a table apart, each once. */
export function uniqueKeysOf({ schema, fields }: Table): UniqueKey[] {
  const keys: UniqueKey[] = [
    { fields: schema.primaryKey },
    ...[...fields.values()].filter((field) => field.schema.constraints?.unique).map((field) => ({ fields: [field.name] })),
    ...(schema.uniqueKeys ?? []).map((key) => ({ fields: key })),
    ...(schema.indexes ?? []).filter((index) => index.unique).map((index) => ({ fields: index.fields, where: index.where })),
  ]
  return keys.filter((key, position) => key.where || !keys.slice(0, position).some((other) => !other.where && isSameSet(other.fields, key.fields)))
}

/** The 422 for a key to a table that has no physical one. `made` are about to get theirs. */
export function requireMaterialized(keys: readonly ResolvedKey[], made: ReadonlySet<Table>): void {
  const missing = keys.find(({ referenced }) => !referenced.isMaterialized && !made.has(referenced))
  if (missing) throw referenceNotMaterialized(missing.table.name, missing.referenced.name)
}
