/** The collections of tables in MongoDB: what they are made of, and whose they are. */

import { adoptionProblems } from '../model/adopted.ts'
import { uniqueKeysOf } from '../model/keys.ts'
import { constraintNames, trashedTableName } from '../model/names.ts'
import { referencesOf } from '../model/relationships.ts'
import type { Table } from '../model/table.ts'
import { adoptedBy, type Missing, messageOf } from '../providers/mongodb/capabilities.ts'
import { collectionForm, fieldForms } from '../providers/mongodb/forms.ts'
import { referenceForms } from '../providers/mongodb/key-forms.ts'
import type { Ask, IndexForm, KeyForm } from '../providers/mongodb/wire.ts'

/** The name by which a collection says whose it is. */
const ownerOf = (siteId: number, { id }: Pick<Table, 'id'>): string => `tessera ${siteId}/${id}`

/**
 * Tells whether a foreign key needs no index of its own: MongoDB refuses a second one of the same fields. The
 * indexes of unique values do not serve it, because they leave out records without a value.
 */
const isServed = ({ schema }: Table, key: readonly string[]): boolean =>
  (key.length === 1 && String(schema.primaryKey) === String(key)) ||
  (schema.indexes ?? []).some(
    ({ fields, unique }) => !unique && key.every((name, position) => fields[position] === name),
  )

/** Returns the indexes of a table, without that of its primary key. */
function indexesOf(table: Table): IndexForm[] {
  const names = constraintNames(table.physicalName)
  const pathsOf = (fields: readonly string[]) =>
    fields.flatMap((name) => fieldForms(table).filter((field) => field.name === name)).map(({ path }) => path)
  const declared = table.schema.indexes ?? []
  const unique = uniqueKeysOf({ ...table, schema: { ...table.schema, indexes: [] } })
    .slice(1)
    .map(({ fields }) => {
      const [only = ''] = fields
      const isOfField = fields.length === 1 && table.constraints.has(names.unique(only))
      return {
        name: isOfField ? names.unique(only) : names.uniqueKey(fields),
        paths: pathsOf(fields),
        unique: true,
      }
    })
  const keys = (table.schema.foreignKeys ?? [])
    .filter(({ fields }) => !isServed(table, fields))
    .map(({ fields }) => ({
      name: names.foreignKeyIndex(fields),
      paths: pathsOf(fields),
      unique: false,
    }))
  return [
    ...unique,
    ...keys,
    ...declared.map((index) => ({
      name: names.index(index.name),
      paths: pathsOf(index.fields),
      unique: index.unique,
    })),
  ]
}

/** Returns the foreign keys of a table to these tables of its app. */
const keysOf = (table: Table, tables: ReadonlyMap<string, Table>): { keys?: KeyForm[] } => {
  const keys = referenceForms(table, referencesOf(table, tables), 'all')
  return keys.length > 0 ? { keys } : {}
}

/**
 * Returns the question that makes the collection of a table, or that checks the one that was there before.
 * `tables`: those of its app.
 */
export function makeCollection(
  siteId: number,
  table: Table,
  tables: ReadonlyMap<string, Table>,
): Extract<Ask, { ask: 'make' | 'adopt' }> {
  const name = adoptedBy(table)
  if (name !== undefined) return { ask: 'adopt', name, indexes: indexesOf(table) }
  return {
    ask: 'make',
    collection: collectionForm(table),
    owner: ownerOf(siteId, table),
    required: [...table.fields.values()].filter(({ required }) => required).map(({ name }) => name),
    indexes: indexesOf(table),
    ...(table.schema.foreignKeys && { hasKeys: true }),
    ...keysOf(table, tables),
  }
}

/** Returns the question that gives the collection of a table the name of a deleted one. */
export const putAside = (siteId: number, table: Table): Extract<Ask, { ask: 'rename' }> => ({
  ask: 'rename',
  from: table.physicalName,
  to: trashedTableName(table.id),
  owner: ownerOf(siteId, table),
})

/** Returns the question that gives the collection of a deleted table its name again. See `makeCollection`. */
export const bringBack = (
  siteId: number,
  table: Table,
  tables: ReadonlyMap<string, Table>,
): Extract<Ask, { ask: 'rename' }> => ({
  ask: 'rename',
  from: trashedTableName(table.id),
  to: table.physicalName,
  owner: ownerOf(siteId, table),
  ...keysOf(table, tables),
})

/** Returns the question that drops the collection of a table. */
export const dropCollection = (siteId: number, table: Table): Extract<Ask, { ask: 'drop' }> => ({
  ask: 'drop',
  name: table.physicalName,
  owner: ownerOf(siteId, table),
})

/** What a schema can ask for that MongoDB does not have. */
const asked: readonly [Missing, (table: Table) => boolean][] = [
  [
    'setDefault',
    ({ schema }) => (schema.foreignKeys ?? []).some((key) => key['x-actions'].onDelete === 'SET DEFAULT'),
  ],
  ['adoptedKeys', (table) => adoptedBy(table) !== undefined && (table.schema.foreignKeys ?? []).length > 0],
  ['graph', ({ graph }) => graph !== undefined],
  ['history', ({ history }) => history !== undefined],
  ['search', ({ schema }) => (schema.search_fields ?? []).length > 0],
  ['access', ({ schema }) => schema.access !== undefined],
  [
    'indexes',
    ({ schema, fields }) =>
      (schema.indexes ?? []).some(
        ({ fields: names, method, where, descending = [] }) =>
          where !== undefined ||
          descending.length > 0 ||
          method !== 'btree' ||
          names.some((name) => !fields.has(name)),
      ),
  ],
]

/** Returns the problems of a schema for a datasource in MongoDB. */
export const collectionProblems = (table: Table): string[] => [
  ...adoptionProblems(table.schema),
  ...asked.flatMap(([missing, isAsked]) => (isAsked(table) ? [messageOf(missing)] : [])),
]
