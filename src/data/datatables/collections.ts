/** The collections of tables in MongoDB: what they are made of, and whose they are. */

import { adoptionProblems } from '../model/adopted.ts'
import { trashedTableName } from '../model/names.ts'
import { referencesOf } from '../model/relationships.ts'
import type { Table } from '../model/table.ts'
import { adoptedBy, type Missing, messageOf } from '../providers/mongodb/capabilities.ts'
import { collectionForm } from '../providers/mongodb/forms.ts'
import { indexesOf } from '../providers/mongodb/index-forms.ts'
import { referenceForms } from '../providers/mongodb/key-forms.ts'
import type { Ask, KeyForm } from '../providers/mongodb/wire.ts'

/** The name by which a collection says whose it is. */
const ownerOf = (siteId: number, { id }: Pick<Table, 'id'>): string => `tessera ${siteId}/${id}`

const requiredIn = ({ fields }: Table): string[] =>
  [...fields.values()].filter(({ required }) => required).map(({ name }) => name)

/**
 * Returns the question that prepares a collection for the schema of `after`: what a write of either schema
 * can bear. Of a collection that was there before, only its indexes are looked at.
 */
export function alterCollection(
  siteId: number,
  before: Table,
  after: Table,
): Extract<Ask, { ask: 'alter' | 'adopt' }> {
  const name = adoptedBy(after)
  if (name !== undefined) return { ask: 'adopt', name, indexes: indexesOf(after) }
  const required = requiredIn(after)
  const was = requiredIn(before)
  const present = new Set(indexesOf(before).map((index) => index.name))
  return {
    ask: 'alter',
    collection: collectionForm(after),
    owner: ownerOf(siteId, after),
    required,
    indexes: indexesOf(after).filter((index) => !present.has(index.name)),
    fresh: [...after.fields.keys()].filter((field) => !before.fields.has(field)),
    filled: required.filter((field) => !was.includes(field)),
  }
}

/** Returns the question that leaves a collection nothing but what the schema of its table has. */
export const tidyCollection = (
  siteId: number,
  table: Table,
  gone: readonly string[],
): Extract<Ask, { ask: 'tidy' }> => ({
  ask: 'tidy',
  collection: collectionForm(table),
  owner: ownerOf(siteId, table),
  required: requiredIn(table),
  indexes: indexesOf(table),
  gone: [...gone],
})

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
    required: requiredIn(table),
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
export const collectionProblems = (table: Table): string[] => [
  ...adoptionProblems(table.schema),
  ...asked.flatMap(([missing, isAsked]) => (isAsked(table) ? [messageOf(missing)] : [])),
]
