/** The order in which tables are loaded, so that each record comes after those that it references. */
import { isMembers } from './descriptor.ts'
import { listOf } from './foreign-keys.ts'
import { Refusal } from './refusal.ts'
import type { Table } from './table.ts'

/** A table with the foreign keys that are set only after all records exist. */
export interface OrderedTable {
  table: Table
  /** The fields that are set afterwards, because their references form a cycle. */
  late: readonly string[]
}

interface Key {
  fields: readonly string[]
  resource: string
}

/** Returns the foreign keys of a table. The name '' means the table itself. */
export const keysOf = ({ name, schema }: Table): Key[] =>
  (Array.isArray(schema.foreignKeys) ? schema.foreignKeys : []).filter(isMembers).map((key) => {
    const resource = isMembers(key.reference) ? String(key.reference.resource ?? '') : ''
    return { fields: listOf(key.fields), resource: resource === name ? '' : resource }
  })

/**
 * Sorts tables. If tables reference each other in a cycle, one is loaded without a reference, which is set
 * afterwards. Throws a Refusal if every reference of a cycle is required.
 */
export function inForeignKeyOrder(tables: readonly Table[]): OrderedTable[] {
  const waiting = new Map(tables.map((table) => [table.name, table]))
  const late = new Map(tables.map((table) => [table.name, new Set<string>()]))
  const ordered: OrderedTable[] = []
  const isFree = (table: Table) =>
    keysOf(table).every(
      ({ fields, resource }) =>
        !waiting.has(resource) || fields.some((field) => late.get(table.name)?.has(field)),
    )
  while (waiting.size > 0) {
    const free = [...waiting.values()].filter(isFree)
    for (const table of free) {
      waiting.delete(table.name)
      ordered.push({ table, late: [...(late.get(table.name) ?? [])] })
    }
    if (free.length === 0) postponeOne([...waiting.values()], waiting, late)
  }
  return ordered
}

function postponeOne(
  tables: readonly Table[],
  waiting: ReadonlyMap<string, Table>,
  late: ReadonlyMap<string, Set<string>>,
): void {
  for (const table of tables)
    for (const { fields, resource } of keysOf(table)) {
      const free = lateFields(table, fields)
      if (
        !waiting.has(resource) ||
        free.length === 0 ||
        fields.some((field) => late.get(table.name)?.has(field))
      )
        continue
      for (const field of free) late.get(table.name)?.add(field)
      return
    }
  const names = tables.map(({ name }) => name).join(', ')
  throw new Refusal(
    `The foreign keys of ${names} lead in a circle, and each of them is required, so no record can be ` +
      `first. ` +
      'Make one of them optional.',
  )
}

/**
 * Returns the fields of a foreign key that a record can get later: they may be null, and its key is in the
 * file.
 */
export function lateFields({ model, columns }: Table, fields: readonly string[]): string[] {
  const names = new Set([...columns.values()].map(({ name }) => name))
  if (!model.schema.primaryKey.every((name) => names.has(name))) return []
  return fields.filter((name) => model.fields.get(name)?.required === false)
}
