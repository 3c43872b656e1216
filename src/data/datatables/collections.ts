/** The collections of tables in MongoDB: what they are made of, and whose they are. */

import { uniqueKeysOf } from '../model/keys.ts'
import { constraintNames } from '../model/names.ts'
import type { Table } from '../model/table.ts'
import { type Missing, messageOf } from '../providers/mongodb/capabilities.ts'
import { collectionForm, fieldForms } from '../providers/mongodb/forms.ts'
import type { Ask, IndexForm } from '../providers/mongodb/wire.ts'

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

/** Returns the question that makes the collection of a table. */
export const makeCollection = (siteId: number, table: Table): Extract<Ask, { ask: 'make' }> => ({
  ask: 'make',
  collection: collectionForm(table),
  owner: ownerOf(siteId, table),
  required: [...table.fields.values()].filter(({ required }) => required).map(({ name }) => name),
  indexes: indexesOf(table),
  ...(table.schema.foreignKeys && { hasKeys: true }),
})

/** Returns the question that renames the collection of a table. */
export const renameCollection = (
  siteId: number,
  from: Table,
  to: string,
): Extract<Ask, { ask: 'rename' }> => ({
  ask: 'rename',
  from: from.physicalName,
  to,
  owner: ownerOf(siteId, from),
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
  ['graph', ({ graph }) => graph !== undefined],
  ['history', ({ history }) => history !== undefined],
  ['search', ({ schema }) => (schema.search_fields ?? []).length > 0],
  [
    'ranges',
    ({ schema }) => Object.keys(schema.ranges ?? {}).length > 0 || (schema.exclusions ?? []).length > 0,
  ],
  [
    'checks',
    ({ schema, fields }) =>
      (schema.checks ?? []).length > 0 || [...fields.values()].some(({ formula }) => formula !== undefined),
  ],
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
export const collectionProblems = (table: Table): string[] =>
  asked.flatMap(([missing, isAsked]) => (isAsked(table) ? [messageOf(missing)] : []))
