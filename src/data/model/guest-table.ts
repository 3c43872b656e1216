/** A table as guests see it: views with the fields that rules give. */
import { identifier, literal, type Sql, sql } from '../../kernel/db/sql.ts'
import { fieldsNamedIn } from './checks.ts'
import { fieldsOfExclusion } from './exclusions.ts'
import type { Field } from './field.ts'
import { guestNames } from './names.ts'
import type { FieldSchema, TableSchema } from './schema-form.ts'
import { searchedFields } from './search-vector.ts'
import { compileTable, type Place, storedAs, type Table, tableRowOf } from './table.ts'

/** The views of a table: the one of all rules, the one of the rule at a position, its edges, its versions. */
export type GuestViewPart = 'all' | number | 'edges' | 'edgePages' | 'history'

/** Returns the location of a view of a table. */
export function guestPlace(siteId: number, physicalName: string, part: GuestViewPart): Place {
  const names = guestNames(physicalName)
  const namespace = identifier(`site_${siteId}_guest`)
  const name = typeof part === 'number' ? names.rule(part) : names[part]
  return { namespace, relation: sql`${namespace}.${identifier(name)}` }
}

/** The role of the guests of all sites. */
export const guestRole = sql`tessera_guest`

/**
 * Returns the condition that every view contains: the guest is one of this site. Without it, a guest of
 * another site could read the view. Postgres checks it when it plans a statement, and again when it executes
 * a plan that it has kept (migrations/functions/tessera).
 */
export const isHere = (siteId: number): Sql =>
  sql`tessera.is_here(${literal(siteId)}) and (select tessera.is_here_now(${literal(siteId)}))`

/** The first statement of every function by which guests write. */
export const requireHere = (siteId: number): Sql => sql`perform tessera.is_here_now(${literal(siteId)})`

/** Returns the function by which guests write to a table. */
export const guestFunction = (siteId: number, physicalName: string, action: string): Sql =>
  sql`${identifier(`site_${siteId}_guest`)}.${identifier(guestNames(physicalName).write(action))}`

/** The parts of a table that rules allow. */
export interface Given {
  /** The names of the fields. */
  names: ReadonlySet<string>
  /** Those of them that each record shows. Omitted: all. Other fields have no value where they are hidden. */
  always?: ReadonlySet<string>
  /** The position of the only rule that applies. Omitted: several do. */
  position?: number | undefined
  /** The names of the fields of versions. Omitted: no rule gives versions. */
  ofVersions?: ReadonlySet<string> | undefined
}

/** Returns a table for reading what guests may see. The views leave soft-deleted records out. */
export function guestTable(
  siteId: number,
  table: Table,
  { names, always, position, ofVersions }: Given,
): Table {
  const given = compileGiven(siteId, table, names)
  const compiled = always ? { ...given, fields: optionalUnless(always, given.fields) } : given
  const { physicalName } = table
  const place = guestPlace(siteId, physicalName, position ?? 'all')
  const storage = storedAs('flat_table', { ...place, schema: compiled.schema, fields: compiled.fields }, '')
  const { graph } = compiled
  return {
    ...compiled,
    ...place,
    storage,
    rows: place.relation,
    softDelete: undefined,
    isView: true,
    graph: graph && {
      ...graph,
      edges: guestPlace(siteId, physicalName, 'edges').relation,
      edgePages: guestPlace(siteId, physicalName, 'edgePages').relation,
    },
    ...(ofVersions ? { guestVersions: guestVersions(siteId, table, ofVersions) } : {}),
  }
}

const optionalUnless = (always: ReadonlySet<string>, fields: Table['fields']): Table['fields'] =>
  new Map(
    [...fields].map(([name, field]) => [name, always.has(name) ? field : { ...field, required: false }]),
  )

/** Returns the versions of a table for reading what guests may see of them. */
function guestVersions(siteId: number, table: Table, names: ReadonlySet<string>): Table & { history: Sql } {
  const compiled = compileGiven(siteId, table, names)
  const place = guestPlace(siteId, table.physicalName, 'history')
  const shape = { ...place, schema: compiled.schema, fields: compiled.fields }
  const storage = storedAs('jsonb', shape, guestNames(table.physicalName).history)
  const columnOf = (one: { name: string }) => compiled.primaryKey.findIndex(({ name }) => name === one.name)
  return {
    ...compiled,
    ...place,
    storage: {
      ...storage,
      field(one, of) {
        const position = columnOf(one)
        if (position < 0) return storage.field(one, of)
        return of ? sql`${of}.${versionKey(position)}` : versionKey(position)
      },
    },
    rows: storage.rows(place.relation),
    history: place.relation,
    isView: true,
  }
}

/**
 * Returns the column of the versions view for a field of the primary key, by its position in the key. The
 * column is the one of the current record, because Postgres can use its index for a guest. No such index
 * exists for a member of a document.
 */
export const versionKey = (position: number): Sql => identifier(`_key${position}`)

const compileGiven = (siteId: number, table: Table, names: ReadonlySet<Field['name']>): Table => ({
  ...compileTable(siteId, {
    ...tableRowOf(table),
    json_schema: guestSchema(table.schema, names),
    app_rules: [],
  }),
  wholeSchema: table.schema,
})

/** Returns the parts of a schema that concern only these fields. */
function guestSchema(schema: TableSchema, names: ReadonlySet<string>): TableSchema {
  const areShown = (fields: readonly string[]) => fields.every((field) => names.has(field))
  const { fields, primaryKey, foreignKeys = [], indexes = [], uniqueKeys = [] } = schema
  const { search_language, hierarchy, graph, checks = [], exclusions = [] } = schema
  const all = new Set(fields.map(({ name }) => name))
  const isShown = (expression: string) => areShown(fieldsNamedIn(expression, all))
  // How a field is computed from hidden ones is hidden, too.
  const withoutHidden = ({ generated, ...field }: FieldSchema): FieldSchema =>
    generated !== undefined && isShown(generated) ? { ...field, generated } : field
  const searched = searchedFields(schema).filter(({ field }) => names.has(field))
  return {
    fields: fields.filter(({ name }) => names.has(name)).map(withoutHidden),
    primaryKey,
    foreignKeys: foreignKeys.filter((key) => areShown(key.fields)),
    uniqueKeys: uniqueKeys.filter(areShown),
    indexes: indexes.filter((index) => areShown(index.fields) && !index.where),
    ranges: Object.fromEntries(Object.entries(schema.ranges ?? {}).filter(([, pair]) => areShown(pair))),
    exclusions: exclusions.filter((one) => !one.where && areShown(fieldsOfExclusion(schema, one))),
    checks: checks.filter(({ expression }) => isShown(expression)),
    ...(searched.length > 0 ? { search_fields: searched } : {}),
    ...(search_language ? { search_language } : {}),
    ...(hierarchy ? { hierarchy } : {}),
    ...(graph ? { graph } : {}),
  }
}
