/** The names of what a table has in Postgres. D3. */
import { identifierBytesMax, utf8Length } from '../../db/sql.ts'
import { sha256 } from '../../lib/hash.ts'

const tableNamePattern = /^[a-z][a-z0-9_]{0,47}$/

/** Words that stand where a table's name does in a path of the API. */
const reservedNames = new Set(['create_schema', 'stats'])

export const isTableName = (name: string): boolean => tableNamePattern.test(name) && !reservedNames.has(name)

/** The name itself where Postgres keeps it whole; else cut, with a hash of the whole at its end. */
function fitting(name: string): string {
  if (utf8Length(name) <= identifierBytesMax) return name
  const hash = sha256(name).slice(0, 10)
  return `${name.slice(0, identifierBytesMax - hash.length - 1)}_${hash}`
}

/**
 * `<app>_<table>`. Two pairs can read the same (`a-b`, `c` and `a`, `b_c`): the one that comes second is `distinct`
 * and has a hash of the pair at its end.
 */
export function physicalTableName(appSlug: string, tableName: string, distinct = false): string {
  const name = `${appSlug.replaceAll('-', '_')}_${tableName}`
  return fitting(distinct ? `${name}_${sha256(`${appSlug}/${tableName}`).slice(0, 8)}` : name)
}

/** G2. A client's own table may have this name: then there are no edges of this one. */
export const edgesTableName = (physicalName: string): string => fitting(`${physicalName}_edges`)

/** The edges' own. */
export function edgesConstraintNames(physicalName: string) {
  const name = (part: string) => fitting([edgesTableName(physicalName), part].join('$'))
  return {
    primaryKey: name('pkey'),
    unique: name('key'),
    from: name('from_fkey'),
    to: name('to_fkey'),
    incomingIndex: name('incoming_idx'),
    inserted: name('inserted'),
    updated: name('updated'),
    nodeDeleted: name('node_deleted'),
    nodeRestored: name('node_restored'),
  }
}

/**
 * Constraints and indexes. They have a `$` between their parts, which no table name has: in Postgres an index has a
 * name in the same space as a table.
 */
export function constraintNames(physicalName: string) {
  const name = (...parts: string[]) => fitting([physicalName, ...parts].join('$'))
  return {
    primaryKey: name('pkey'),
    unique: (field: string) => name(field, 'key'),
    uniqueKey: (fields: readonly string[]) => name(...fields, 'key'),
    check: (field: string, rule: string) => name(field, rule),
    foreignKey: (fields: readonly string[]) => name(...fields, 'fkey'),
    /** Of the triggers that hold a foreign key of documents. */
    held: (fields: readonly string[], event: string) => name(...fields, 'fkey', event),
    foreignKeyIndex: (fields: readonly string[]) => name(...fields, 'fkey_idx'),
    index: (declared: string) => name(declared, 'idx'),
    identitySequence: name('seq'),
    searchIndex: name('search_idx'),
    /** Of the check that holds while a field's values are converted. */
    conversion: (field: string) => name(field, 'converts'),
  }
}

/** What the physical table of a deleted datatable is called, so that its own name is free. It begins as no name of a client's does. D17. */
export const asideName = (tableId: number): string => `_deleted_${tableId}`

export const pendingPrefix = '_pending_'

/** What a change of a large table makes ahead of the schema that it belongs to. It begins as no name of a client's does. */
export const pendingName = (tableId: number, position: number): string => `${pendingPrefix}${tableId}_${position}`

/** Whether a constraint is one of a client's table: those of our own begin with an underscore. */
export const isOfTable = (constraint: string): boolean => !constraint.startsWith('_')

/** Whether a constraint is one that a change of a large table is about to add. */
export const isPending = (name: string): boolean => name.startsWith(pendingPrefix)
