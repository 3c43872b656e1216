/**
 * The objects of a table in Postgres apart from its columns: keys, checks, indexes and the search column. An
 * object is identified by its definition, not by its name. compare.ts compares schemas by their objects.
 */

import { emptySql, identifier, join, renderText, type Sql, sql } from '../../../kernel/db/sql.ts'
import { hasCheck } from '../../model/constraints.ts'
import type { ExclusionSchema } from '../../model/exclusion-form.ts'
import { constraintNames } from '../../model/names.ts'
import type { deleteRules, ForeignKeySchema, IndexSchema, indexMethods } from '../../model/schema-form.ts'
import { searchColumn } from '../../model/search-vector.ts'
import type { Table } from '../../model/table.ts'
import { fieldsOf } from '../../query/predicate.ts'
import { isInMongodb } from '../mongodb/capabilities.ts'
import { columnList } from './fields.ts'
import { conditionOf, type ObjectFilter, planned } from './filter.ts'
import { deletionMark, indexedFields, indexedValues } from './indexed-values.ts'
import { createKeyTriggers, dropKeyTriggers, isTriggerKey } from './trigger-keys.ts'

/** A key, check, index or search column. */
export interface TableObject {
  kind:
    | 'primary key'
    | 'unique'
    | 'check'
    | 'exclusion'
    | 'search'
    | 'index'
    | 'statistics'
    | 'foreign key'
    | 'trigger'
  name: string
  /** Its name in the operation history: `the index by_day`. */
  title: string
  /** The fields that it is defined on. */
  fields: readonly string[]
  /** The values of the schema's index, as written. Omitted: the fields. */
  indexed?: readonly string[]
  definition: Sql
  /** Whether it holds the stems or the words of the search. */
  isOfSearch?: true
  /** Whether it makes the values of its fields unique, and whether only after each statement. */
  unique?: boolean
  isDeferred?: boolean
  /** The filter of a partial index, and the fields that the filter uses. */
  where?: ObjectFilter
  whereFields?: readonly string[]
  /** The name of the rule that a check enforces, or of the check in the schema. */
  rule?: string
  exclusion?: ExclusionSchema
  check?: string
  references?: { table: Table; fields: readonly string[] }
  /** The statements that add and drop a trigger. */
  adding?: readonly Sql[]
  dropping?: readonly Sql[]
}

/** Tells whether two objects are the same except for their names. */
export const isSame = (a: TableObject, b: TableObject): boolean =>
  a.kind === b.kind &&
  Boolean(a.unique) === Boolean(b.unique) &&
  renderText(a.definition) === renderText(b.definition)

/** Tells whether a foreign key can reference the fields of an object. */
export const isKey = (object: TableObject): boolean =>
  Boolean(object.unique) && !object.where && !object.isDeferred

/** Returns the objects that CREATE TABLE declares: the primary key, unique constraints and checks. */
export function constraintsOf(table: Table): TableObject[] {
  const names = constraintNames(table.physicalName)
  const { primaryKey } = table.schema
  const objects: TableObject[] = [
    {
      kind: 'primary key',
      name: names.primaryKey,
      title: `the primary key ${primaryKey.join(', ')}`,
      fields: primaryKey,
      definition: sql`primary key (${columnList(table, primaryKey)})`,
      unique: true,
    },
  ]
  for (const { name, schema, column, rules } of table.fields.values()) {
    // A single primary key already makes its field unique: CREATE TABLE would silently ignore a second key.
    if (schema.constraints?.unique && String(primaryKey) !== name) {
      const isDeferred = schema.constraints.unique === 'deferred'
      const definition = isDeferred ? sql`unique (${column}) deferrable` : sql`unique (${column})`
      const title = `the rule unique of ${name}`
      objects.push({
        kind: 'unique',
        name: names.unique(name),
        title,
        fields: [name],
        definition,
        unique: true,
        isDeferred,
      })
    }
    for (const rule of rules.filter(hasCheck)) {
      const definition = sql`check (${rule.check(column)})`
      objects.push({
        kind: 'check',
        name: names.check(name, rule.name),
        title: `the rule ${rule.name} of ${name}`,
        fields: [name],
        definition,
        rule: rule.name,
      })
    }
  }
  for (const fields of table.schema.uniqueKeys ?? []) {
    const isThere = objects.some((object) => object.unique && String(object.fields) === String(fields))
    const [definition, title] = [
      sql`unique (${columnList(table, fields)})`,
      `the unique key ${fields.join(', ')}`,
    ]
    if (!isThere)
      objects.push({ kind: 'unique', name: names.uniqueKey(fields), title, fields, definition, unique: true })
  }
  return objects
}

/** Returns the declared indexes, and one for every foreign key that no other index covers. */
export function indexesOf(table: Table): TableObject[] {
  const names = constraintNames(table.physicalName)
  const indexes = (table.schema.indexes ?? []).map((index) =>
    declaredIndex(table, names.index(index.name), index),
  )
  for (const { fields } of table.schema.foreignKeys ?? []) {
    if (isIndexed(table, fields)) continue
    const definition = sql`using btree (${columnList(table, fields)})`
    indexes.push({
      kind: 'index',
      name: names.foreignKeyIndex(fields),
      title: `the index of the foreign key ${fields.join(', ')}`,
      fields,
      definition,
    })
  }
  return indexes
}

function isIndexed(table: Table, fields: readonly string[]): boolean {
  const lists = [
    table.schema.primaryKey,
    ...(table.schema.indexes ?? [])
      .filter((index) => index.method === 'btree' && !index.where)
      .map((index) => index.fields),
  ]
  const unique = fields.length === 1 && table.fields.get(fields[0] as string)?.schema.constraints?.unique
  return Boolean(unique) || lists.some((list) => fields.every((field, position) => list[position] === field))
}

/** Returns the object of a declared index. Its filter was checked with the schema (datatables/draft.ts). */
function declaredIndex(table: Table, name: string, index: IndexSchema): TableObject {
  const filtered = index.where ? fieldsOf(planned(table, index.where)) : []
  const mark = deletionMark(table, index, filtered)
  const used = [...filtered, ...(mark ? [mark] : [])]
  const values = join([indexedValues(table, index), ...(mark ? [mark.column] : [])])
  const condition = index.where ? sql` where ${conditionOf(table, index.where)}` : emptySql
  return {
    kind: 'index',
    name,
    title: `the index ${index.name}`,
    fields: indexedFields(table, index),
    indexed: index.fields,
    definition: sql`using ${method[index.method]} (${values})${condition}`,
    unique: index.unique,
    ...(index.where ? { where: index.where } : {}),
    ...(used.length > 0 ? { whereFields: used.map(({ name }) => name) } : {}),
  }
}

/** Returns the object of a foreign key. `referenced` is the table that the key's `resource` names. */
export function foreignKeyOf(table: Table, key: ForeignKeySchema, referenced: Table): TableObject {
  const { fields } = key.reference
  const about = {
    name: constraintNames(table.physicalName).foreignKey(key.fields),
    title: `the foreign key ${key.fields.join(', ')} to ${referenced.name}`,
    fields: key.fields,
    references: { table: referenced, fields },
  }
  if (isTriggerKey(table, referenced)) {
    const triggers = createKeyTriggers(table, key, referenced)
    return {
      kind: 'trigger',
      ...about,
      definition: join(triggers, sql`; `),
      adding: triggers,
      dropping: [dropKeyTriggers(table, key)],
    }
  }
  const target = sql`${referenced.relation} (${columnList(referenced, fields)})`
  return {
    kind: 'foreign key',
    ...about,
    definition: sql`foreign key (${columnList(table, key.fields)})
        references ${target} on delete ${deleteRule[key['x-actions'].onDelete]}`,
  }
}

/**
 * Returns the statements that drop a foreign key. `referenced` is undefined if the referenced table is
 * unknown.
 */
export function dropForeignKey(table: Table, key: ForeignKeySchema, referenced: Table | undefined): Sql[] {
  // Each write keeps the keys there.
  if (isInMongodb(table)) return []
  const constraint = identifier(constraintNames(table.physicalName).foreignKey(key.fields))
  if (referenced) return dropStatements(table, foreignKeyOf(table, key, referenced))
  const triggers = dropKeyTriggers(table, key)
  return table.storage.hasColumns
    ? [sql`alter table ${table.relation} drop constraint if exists ${constraint}`, triggers]
    : [triggers]
}

const searchIndex = (table: Table, name: string) =>
  sql`create index ${identifier(name)} on ${table.relation} using gin (${searchColumn(table.schema)})`

export function addStatements(table: Table, object: TableObject): Sql[] {
  const name = identifier(object.name)
  const { relation } = table
  switch (object.kind) {
    case 'trigger':
      return [...(object.adding ?? [])]
    case 'search':
      return [sql`alter table ${relation} add column ${object.definition}`, searchIndex(table, object.name)]
    case 'index': {
      const unique = object.unique ? sql`unique ` : emptySql
      return [sql`create ${unique}index ${name} on ${relation} ${object.definition}`]
    }
    case 'statistics': {
      const whole = sql`${table.namespace}.${name}`
      return [sql`create statistics if not exists ${whole} ${object.definition} from ${relation}`]
    }
    default:
      return [sql`alter table ${relation} add constraint ${name} ${object.definition}`]
  }
}

export function dropStatements(table: Table, object: TableObject): Sql[] {
  switch (object.kind) {
    case 'trigger':
      return [...(object.dropping ?? [])]
    case 'search':
      return [sql`alter table ${table.relation} drop column ${searchColumn(table.schema)}`]
    case 'index':
      return [sql`drop index ${table.namespace}.${identifier(object.name)}`]
    case 'statistics':
      return [sql`drop statistics if exists ${table.namespace}.${identifier(object.name)}`]
    default:
      return [sql`alter table ${table.relation} drop constraint ${identifier(object.name)}`]
  }
}

/** Returns the statement that renames an object of a kind. */
export const renameStatement = (
  table: Table,
  object: Pick<TableObject, 'kind'>,
  ...names: [from: string, to: string]
): Sql => {
  const [old, name] = names.map(identifier) as [Sql, Sql]
  return object.kind === 'index' || object.kind === 'search'
    ? sql`alter index ${table.namespace}.${old} rename to ${name}`
    : sql`alter table ${table.relation} rename constraint ${old} to ${name}`
}

const deleteRule: Record<(typeof deleteRules)[number], Sql> = {
  CASCADE: sql`cascade`,
  'SET NULL': sql`set null`,
  'SET DEFAULT': sql`set default`,
  RESTRICT: sql`restrict`,
  'NO ACTION': sql`no action`,
}

const method: Record<(typeof indexMethods)[number], Sql> = {
  btree: sql`btree`,
  hash: sql`hash`,
  gin: sql`gin`,
  brin: sql`brin`,
  trigram: sql`gin`,
}
