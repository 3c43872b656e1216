/**
 * What a table has in Postgres beside its columns: keys, checks, indexes, the search column. Each is known by its
 * definition; its name is only what it is called. Two schemas are compared by these (compare.ts).
 */
import { identifier, inlined, join, nothing, renderText, type Sql, sql } from '../../../db/sql.ts'
import { isHeld } from '../../datatables/constraints.ts'
import { constraintNames } from '../../datatables/names.ts'
import type { deleteRules, ForeignKeySchema, IndexSchema, indexMethods } from '../../datatables/schema-form.ts'
import { searchColumn, searchedFields, searchVector } from '../../datatables/search-vector.ts'
import type { Table } from '../../datatables/table.ts'
import { parseFilter } from '../../query/parse.ts'
import { planFilter, planning } from '../../query/plan.ts'
import type { Predicate } from '../../query/predicate.ts'
import { Problems } from '../../query/problems.ts'
import { renderPredicate } from '../../query/render.ts'
import { columnList, columnOf } from './fields.ts'
import { holding, isHeld as isHeldKey, releasing } from './held-keys.ts'

type IndexFilter = NonNullable<IndexSchema['where']>

export interface TableObject {
  kind: 'primary key' | 'unique' | 'check' | 'search' | 'index' | 'foreign key' | 'held key'
  name: string
  /** In the history: `the index by_day`. */
  title: string
  /** The fields of its table that it is of. */
  fields: readonly string[]
  definition: Sql
  /** Keeps values of its fields apart. */
  unique?: boolean
  /** Only rows that pass it are in the index; it stands on fields, too. */
  where?: IndexFilter
  whereFields?: readonly string[]
  /** What a check asks of its field's column. */
  rule?: string
  references?: { table: Table; fields: readonly string[] }
  /** Of a held key: what adds it, and what drops it. */
  adding?: readonly Sql[]
  dropping?: readonly Sql[]
}

/** Whether two are the same but for their names. */
export const isSame = (a: TableObject, b: TableObject): boolean =>
  a.kind === b.kind && Boolean(a.unique) === Boolean(b.unique) && renderText(a.definition) === renderText(b.definition)

/** Whether a foreign key can lead to its fields. */
export const isKey = (object: TableObject): boolean => Boolean(object.unique) && !object.where

/** What CREATE TABLE declares: the primary key, what is unique, the checks. */
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
    // The primary key alone keeps its field unique; CREATE TABLE would leave a second key out without a word.
    if (schema.constraints?.unique && String(primaryKey) !== name) {
      const [definition, title] = [sql`unique (${column})`, `the rule unique of ${name}`]
      objects.push({ kind: 'unique', name: names.unique(name), title, fields: [name], definition, unique: true })
    }
    for (const rule of rules.filter(isHeld)) {
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
    const [definition, title] = [sql`unique (${columnList(table, fields)})`, `the unique key ${fields.join(', ')}`]
    if (!isThere) objects.push({ kind: 'unique', name: names.uniqueKey(fields), title, fields, definition, unique: true })
  }
  return objects
}

/** The declared ones, and one for every foreign key that no other index begins with. */
export function indexesOf(table: Table): TableObject[] {
  const names = constraintNames(table.physicalName)
  const indexes = (table.schema.indexes ?? []).map((index) => declaredIndex(table, names.index(index.name), index))
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
    ...(table.schema.indexes ?? []).filter((index) => index.method === 'btree' && !index.where).map((index) => index.fields),
  ]
  const unique = fields.length === 1 && table.fields.get(fields[0] as string)?.schema.constraints?.unique
  return Boolean(unique) || lists.some((list) => fields.every((field, position) => list[position] === field))
}

/** The filter was checked when the schema was (datatables/draft.ts). */
function declaredIndex(table: Table, name: string, index: IndexSchema): TableObject {
  const where = index.where && planned(table, index.where)
  return {
    kind: 'index',
    name,
    title: `the index ${index.name}`,
    fields: index.fields,
    definition: sql`using ${method[index.method]} (${columnList(table, index.fields)})${index.where ? sql` where ${conditionOf(table, index.where)}` : nothing}`,
    unique: index.unique,
    ...(index.where && where ? { where: index.where, whereFields: fieldsOf(where) } : {}),
  }
}

/** The condition of an index's filter, on the table's columns. */
export const conditionOf = (table: Table, filter: IndexFilter): Sql => inlined(renderPredicate(planned(table, filter)))

function planned(table: Table, filter: IndexFilter): Predicate {
  const problems = new Problems()
  const predicate = planFilter(planning(table, problems), parseFilter('where', filter, problems))
  problems.throwIfAny()
  return predicate
}

function fieldsOf(predicate: Predicate): string[] {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return predicate.of.flatMap(fieldsOf)
    case 'not':
      return fieldsOf(predicate.of)
    case 'compare':
    case 'hasValue':
      return [predicate.operand.field.name]
    case 'isTrue':
      return [predicate.field.name]
    // What an index's filter cannot speak of: other tables, and the search.
    case 'related':
    case 'search':
      return []
  }
}

/** The generated column of what is searched, with its index. D6. */
export function searchOf(table: Table): TableObject[] {
  const vector = searchVector(table.schema, (field) => columnOf(table, field))
  if (!vector) return []
  return [
    {
      kind: 'search',
      name: constraintNames(table.physicalName).searchIndex,
      title: 'the search',
      fields: searchedFields(table.schema).map(({ field }) => field),
      definition: sql`${searchColumn(table.schema)} tsvector generated always as (${vector}) stored`,
    },
  ]
}

/** `referenced` is the table that the key's `resource` names. */
export function foreignKeyOf(table: Table, key: ForeignKeySchema, referenced: Table): TableObject {
  const { fields } = key.reference
  const about = {
    name: constraintNames(table.physicalName).foreignKey(key.fields),
    title: `the foreign key ${key.fields.join(', ')} to ${referenced.name}`,
    fields: key.fields,
    references: { table: referenced, fields },
  }
  if (isHeldKey(table, referenced)) {
    const triggers = holding(table, key, referenced)
    return { kind: 'held key', ...about, definition: join(triggers, sql`; `), adding: triggers, dropping: [releasing(table, key)] }
  }
  return {
    kind: 'foreign key',
    ...about,
    definition: sql`foreign key (${columnList(table, key.fields)})
        references ${referenced.relation} (${columnList(referenced, fields)}) on delete ${deleteRule[key['x-actions'].onDelete]}`,
  }
}

/** Drops a foreign key. `referenced` undefined: what it leads to is not known any more. */
export function dropForeignKey(table: Table, key: ForeignKeySchema, referenced: Table | undefined): Sql[] {
  const constraint = identifier(constraintNames(table.physicalName).foreignKey(key.fields))
  if (referenced) return dropping(table, foreignKeyOf(table, key, referenced))
  const held = releasing(table, key)
  return table.storage.hasColumns ? [sql`alter table ${table.relation} drop constraint if exists ${constraint}`, held] : [held]
}

const searchIndex = (table: Table, name: string) =>
  sql`create index ${identifier(name)} on ${table.relation} using gin (${searchColumn(table.schema)})`

export function adding(table: Table, object: TableObject): Sql[] {
  switch (object.kind) {
    case 'held key':
      return [...(object.adding ?? [])]
    case 'search':
      return [sql`alter table ${table.relation} add column ${object.definition}`, searchIndex(table, object.name)]
    case 'index':
      return [sql`create ${object.unique ? sql`unique ` : nothing}index ${identifier(object.name)} on ${table.relation} ${object.definition}`]
    default:
      return [sql`alter table ${table.relation} add constraint ${identifier(object.name)} ${object.definition}`]
  }
}

export function dropping(table: Table, object: TableObject): Sql[] {
  switch (object.kind) {
    case 'held key':
      return [...(object.dropping ?? [])]
    case 'search':
      return [sql`alter table ${table.relation} drop column ${searchColumn(table.schema)}`]
    case 'index':
      return [sql`drop index ${table.namespace}.${identifier(object.name)}`]
    default:
      return [sql`alter table ${table.relation} drop constraint ${identifier(object.name)}`]
  }
}

/** From one name to another, of an object of this kind. */
export const renaming = (table: Table, { kind }: Pick<TableObject, 'kind'>, from: string, to: string): Sql =>
  kind === 'index' || kind === 'search'
    ? sql`alter index ${table.namespace}.${identifier(from)} rename to ${identifier(to)}`
    : sql`alter table ${table.relation} rename constraint ${identifier(from)} to ${identifier(to)}`

const deleteRule: Record<(typeof deleteRules)[number], Sql> = {
  CASCADE: sql`cascade`,
  'SET NULL': sql`set null`,
  'SET DEFAULT': sql`set default`,
  RESTRICT: sql`restrict`,
  'NO ACTION': sql`no action`,
}

const method: Record<(typeof indexMethods)[number], Sql> = { btree: sql`btree`, hash: sql`hash`, gin: sql`gin`, brin: sql`brin` }
