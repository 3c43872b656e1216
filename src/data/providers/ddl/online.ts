/**
 * How steps are done to a large table without holding up who reads and writes it: what takes long is done ahead, under
 * a pending name and without locks that others wait for; the step itself then only gives it its place and its name.
 */
import { identifier, nothing, type Sql, sql } from '../../../db/sql.ts'
import { pendingName } from '../../datatables/names.ts'
import { type Field, withColumns } from '../../datatables/table.ts'
import type { Ahead, DdlStep, TableChange } from '../provider.ts'
import { type Comparison, type Shape, unchangedColumns } from './compare.ts'
import { columnList } from './fields.ts'
import { add } from './object-steps.ts'
import { renaming, type TableObject } from './objects.ts'

export interface AheadOfChange {
  /** The pending name of the column that a new field has ahead, where it is needed. */
  column(field: Field): Sql | undefined
  /** A check that is added without holding anybody up, and its name. */
  check(condition: Sql): { name: Sql; ahead: Ahead[] }
  /** The step that adds an object; undefined where it cannot be done ahead. */
  object(object: TableObject): DdlStep | undefined
}

export const ahead = (stage: Ahead['stage'], statement: Sql): Ahead => ({ stage, statement })

export function aheadOf(change: TableChange, { kept, added, keptObjects, addedObjects }: Comparison, shape: Shape): AheadOfChange {
  const { after } = change
  const { relation } = after
  let names = 0
  const newName = () => pendingName(after.id, names++)

  // What stays as it is stands there now, under its old name; what is new may be there early.
  const columns = unchangedColumns(kept, shape, ({ before }) => before.column)
  const early = new Map(added.map((field) => [field.name, shape.early(field, change.before)]))
  const isThere = (fields: readonly string[]) => fields.every((name) => columns.has(name) || (early.get(name) ?? 'nothing') !== 'nothing')
  const leadsSomewhere = ({ references }: TableObject) =>
    references?.table !== after ||
    (references.fields.every((name) => columns.has(name)) &&
      keptObjects.some((object) => object.after.unique && String(object.after.fields) === String(references.fields)))
  const possible = addedObjects.filter(
    (object) =>
      object.kind !== 'search' && object.kind !== 'held key' && isThere([...object.fields, ...(object.whereFields ?? [])]) && leadsSomewhere(object),
  )
  const needed = new Set(
    possible.flatMap((object) => [...object.fields, ...(object.whereFields ?? [])]).filter((name) => early.get(name) === 'column'),
  )
  for (const name of needed) columns.set(name, identifier(newName()))
  const view = withColumns(after, (field) => columns.get(field.name) ?? field.column)
  /** The objects as they are written now, by those that they are to become. */
  const objects = shape.objects(view, after, change)
  const written = new Map(shape.objects(after, after, change).map((object, position) => [object.name, objects[position] as TableObject]))

  const constraint = (name: string, definition: Sql): Ahead[] => [
    ahead('constraint', sql`alter table ${relation} add constraint ${identifier(name)} ${definition} not valid`),
    ahead('validation', sql`alter table ${relation} validate constraint ${identifier(name)}`),
  ]

  return {
    column: (field) => (needed.has(field.name) ? columns.get(field.name) : undefined),
    check(condition) {
      const name = newName()
      return { name: identifier(name), ahead: constraint(name, sql`check (${condition})`) }
    },
    object(object) {
      const now = possible.includes(object) && written.get(object.name)
      if (!now) return undefined
      const pending = newName()
      const name = identifier(pending)
      const build = (definition: Sql) =>
        ahead('index', sql`create ${object.unique ? sql`unique ` : nothing}index concurrently ${name} on ${relation} ${definition}`)
      const step = add(after, object)
      switch (object.kind) {
        case 'index':
          return { ...step, ahead: [build(now.definition)], statements: [renaming(after, object, pending, object.name)] }
        case 'unique':
        case 'primary key':
          return {
            ...step,
            ahead: [build(sql`using btree (${columnList(view, object.fields)})`)],
            statements: [
              sql`alter table ${relation} add constraint ${identifier(object.name)} ${object.kind === 'unique' ? sql`unique` : sql`primary key`} using index ${name}`,
            ],
          }
        default:
          return { ...step, ahead: constraint(pending, now.definition), statements: [renaming(after, object, pending, object.name)] }
      }
    },
  }
}
