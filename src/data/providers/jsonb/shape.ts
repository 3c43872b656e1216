/** What stands on the fields of documents: what is a key or a NOT NULL of a column elsewhere is an index or a check of an expression. */
import { type Sql, sql } from '../../../db/sql.ts'
import { constraintNames } from '../../datatables/names.ts'
import { searchVector } from '../../datatables/search-vector.ts'
import { type Table, withColumns } from '../../datatables/table.ts'
import type { Shape } from '../ddl/compare.ts'
import { columnList, columnOf } from '../ddl/fields.ts'
import { keysOf } from '../ddl/foreign-keys.ts'
import { constraintsOf, indexesOf, searchOf, type TableObject } from '../ddl/objects.ts'

/** The objects of `table`; `view` is it, or how it looks under other column names. */
export function objectsOf(view: Table, table: Table): TableObject[] {
  const written = withColumns(view, (field) => table.storage.field(field))
  return [
    ...requiredOf(written),
    ...[...constraintsOf(written), ...searchOf(written)].map((object) => asIndex(written, object)),
    ...indexesOf(written),
  ]
}

export const shape: Shape = {
  objects: (view, table, change) => [...objectsOf(view, table), ...keysOf(view, table, change)],
  // An expression has the name of the field in it.
  followsRenames: false,
  // A document without a field is one without a value in it; another field of the same name may still have one there.
  early: (field, before) => (field.default || field.generated || before.fields.has(field.name) ? 'nothing' : 'all'),
}

function requiredOf(table: Table): TableObject[] {
  const names = constraintNames(table.physicalName)
  return [...table.fields.values()]
    .filter((field) => field.required)
    .map(({ name, column }) => ({
      kind: 'check',
      name: names.check(name, 'required'),
      title: `the rule required of ${name}`,
      fields: [name],
      definition: sql`check (${column} is not null)`,
      rule: 'required',
    }))
}

function asIndex(table: Table, object: TableObject): TableObject {
  const index = (definition: Sql): TableObject => ({ ...object, kind: 'index', definition })
  if (object.unique) return index(sql`using btree (${columnList(table, object.fields)})`)
  const vector = object.kind === 'search' && searchVector(table.schema, (field) => columnOf(table, field))
  return vector ? index(sql`using gin ((${vector}))`) : object
}
