/**
 * The objects that depend on the members of documents: keys are unique indexes on expressions, NOT NULLs are
 * checks, and fields with few values have statistics.
 */
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { constraintNames } from '../../model/names.ts'
import { searchVector } from '../../model/search-vector.ts'
import { type Table, withColumns } from '../../model/table.ts'
import { checksOf } from '../ddl/checks.ts'
import type { Shape } from '../ddl/compare.ts'
import { exclusionsOf } from '../ddl/exclusion-objects.ts'
import { columnList, columnOf } from '../ddl/fields.ts'
import { keysOf } from '../ddl/foreign-keys.ts'
import { constraintsOf, indexesOf, type TableObject } from '../ddl/objects.ts'
import { searchOf } from '../ddl/search-objects.ts'
import { statisticsOf } from '../ddl/statistics.ts'
import { computationOf } from './computation.ts'

/** Returns the objects of `table`. `view` is the table, or the table under other column names. */
export function objectsOf(view: Table, table: Table): TableObject[] {
  const written = withColumns(view, (field) => table.storage.field(field))
  return [
    ...requiredOf(written),
    ...computationOf(table),
    ...[...constraintsOf(written), ...searchOf(written)].map((object) => asIndex(written, object)),
    ...exclusionsOf(written),
    ...checksOf(written),
    ...indexesOf(written),
    ...statisticsOf(table),
  ]
}

/** How tables of documents create their objects. */
export const shape: Shape = {
  objects: (view, table, change) => [...objectsOf(view, table), ...keysOf(view, table, change)],
  // An expression contains the name of its field.
  followsRenames: false,
  // An absent member has no value. But a field of the same name that was dropped may have left values in the
  // documents.
  earlyPresence: (field, before) =>
    field.default || field.generated || field.formula || before.fields.has(field.name) ? 'nothing' : 'all',
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
