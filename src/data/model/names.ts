/** The names of tables, constraints, indexes and triggers in Postgres. D3. */
import { identifierBytesMax, utf8Length } from '../../kernel/db/sql.ts'
import { sha256 } from '../../kernel/lib/sha256.ts'

/** The names of datatables, except `reservedNames`. */
export const tableNamePattern = /^[a-z][a-z0-9_]{0,47}$/

/** Words that take the place of a table's name in a path of the API. */
const reservedNames = new Set(['create_schema', 'stats'])

/** Tells whether a datatable can have this name. */
export const isTableName = (name: string): boolean => tableNamePattern.test(name) && !reservedNames.has(name)

/**
 * Returns the name if it is short enough for Postgres; otherwise its beginning with a hash of the whole name.
 */
function shortened(name: string): string {
  if (utf8Length(name) <= identifierBytesMax) return name
  const hash = sha256(name).slice(0, 10)
  return `${name.slice(0, identifierBytesMax - hash.length - 1)}_${hash}`
}

/**
 * Returns `<app>_<table>`. Two pairs can give the same name (`a-b`, `c` and `a`, `b_c`): the second one is
 * made `distinct` by a hash of the pair at its end.
 */
export function physicalTableName(appSlug: string, tableName: string, distinct = false): string {
  const name = `${appSlug.replaceAll('-', '_')}_${tableName}`
  return shortened(distinct ? `${name}_${sha256(`${appSlug}/${tableName}`).slice(0, 8)}` : name)
}

/**
 * Returns the name of the table of edges. If a client's own table has the name, no edges can be created. G2.
 */
export const edgesTableName = (physicalName: string): string => shortened(`${physicalName}_edges`)

/** Returns the names of the constraints, the index and the triggers of a table of edges. */
export function edgesConstraintNames(physicalName: string) {
  const name = (part: string) => shortened([edgesTableName(physicalName), part].join('$'))
  return {
    primaryKey: name('pkey'),
    unique: name('key'),
    from: name('from_fkey'),
    to: name('to_fkey'),
    incomingIndex: name('incoming_idx'),
    nodeDeleted: name('node_deleted'),
    nodeRestored: name('node_restored'),
  }
}

/**
 * Returns the names of the table that keeps the versions of records, and of its indexes. No table of a client
 * has a name with a `$`.
 */
export function historyNames(physicalName: string) {
  const name = (...parts: string[]) => shortened([physicalName, 'history', ...parts].join('$'))
  return {
    table: name(),
    key: name('key'),
    times: name('times'),
    reference: (fields: readonly string[]) => name(...fields, 'ref'),
  }
}

/**
 * Returns the names of the views of what guests may see of a table: by all rules, and by one; of its edges
 * and its versions; and of the functions by which they write to it. They are in a schema of their own.
 */
export function guestNames(physicalName: string) {
  const name = (...parts: string[]) => shortened([physicalName, ...parts].join('$'))
  return {
    all: name(),
    rule: (position: number) => name('rule', String(position)),
    edges: name('edges'),
    edgePages: name('edges', 'pages'),
    history: name('history'),
    write: (action: string) => name(action),
  }
}

/**
 * Returns the names of a table's constraints, indexes, statistics, triggers and sequence. Their parts are
 * joined by `$`, which no table name has: in Postgres, indexes and tables share one namespace.
 */
export function constraintNames(physicalName: string) {
  const name = (...parts: string[]) => shortened([physicalName, ...parts].join('$'))
  return {
    primaryKey: name('pkey'),
    unique: (field: string) => name(field, 'key'),
    uniqueKey: (fields: readonly string[]) => name(...fields, 'key'),
    check: (field: string, rule: string) => name(field, rule),
    /** The check that the beginning of a range is not after its end. */
    range: (fields: readonly string[]) => name(...fields, 'range'),
    exclusion: (declared: string) => name(declared, 'excl'),
    tableCheck: (declared: string) => name(declared, 'check'),
    foreignKey: (fields: readonly string[]) => name(...fields, 'fkey'),
    /** The triggers that enforce a foreign key of documents. */
    trigger: (fields: readonly string[], event: string) => name(...fields, 'fkey', event),
    foreignKeyIndex: (fields: readonly string[]) => name(...fields, 'fkey_idx'),
    index: (declared: string) => name(declared, 'idx'),
    statistics: (field: string) => name(field, 'stats'),
    identitySequence: name('seq'),
    searchIndex: name('search_idx'),
    /** The index of the words of a search, beside that of their stems. */
    wordsIndex: name('words_idx'),
    /** The temporary check made before a field's values are converted. */
    conversion: (field: string) => name(field, 'converts'),
  }
}

/**
 * Returns the name of the physical table of a deleted datatable. No table of a client begins with an
 * underscore. D17.
 */
export const trashedTableName = (tableId: number): string => `_deleted_${tableId}`

/** The prefix of the names that the online phase of a schema change uses. */
export const pendingPrefix = '_pending_'

/**
 * Returns the name of a column, constraint or index that the online phase of a change of a large table
 * creates.
 */
export const pendingName = (tableId: number, position: number): string =>
  `${pendingPrefix}${tableId}_${position}`

/**
 * Tells whether a constraint belongs to a client's table. The names of all other constraints begin with an
 * underscore.
 */
export const isTableConstraint = (constraint: string): boolean => !constraint.startsWith('_')

/** Tells whether a constraint was created by the online phase of a schema change that is not in force yet. */
export const isPendingName = (name: string): boolean => name.startsWith(pendingPrefix)
