/**
 * The online phase of a schema change: the slow work on a large table is done before the transaction, under
 * pending names and without blocking readers or writers. The steps in the transaction then only rename the
 * results.
 */
import { emptySql, identifier, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Field } from '../../model/field.ts'
import { pendingName } from '../../model/names.ts'
import { withColumns } from '../../model/table.ts'
import { type OnlineStatement, onlineStatement } from '../online-statement.ts'
import type { DdlStep, TableChange } from '../provider.ts'
import { type Comparison, columnsOf, type KeptField, type Shape, unchangedColumns } from './compare.ts'
import { columnList } from './fields.ts'
import { addObject } from './object-steps.ts'
import { renameStatement, type TableObject } from './objects.ts'

/** The parts of a schema change that can be done online. */
export interface OnlineChange {
  /** Returns the pending name of a new field's column, if the online phase has to create it. */
  column(field: Field): Sql | undefined
  /** Returns the new column of a field whose type changes, if its values can be converted online. */
  conversion(field: Field): NewColumn | undefined
  /** Returns the statements that add a check online, and its name. */
  check(condition: Sql): { name: Sql; onlinePhase: OnlineStatement[] }
  /** Returns the step that adds an object online; undefined if that is impossible. */
  object(object: TableObject): DdlStep | undefined
}

/** The objects that need no online phase, or can have none: Postgres builds an exclusion only at once. */
const madeAtOnce: ReadonlySet<TableObject['kind']> = new Set(['search', 'statistics', 'trigger', 'exclusion'])

/** A column with a pending name. */
export interface NewColumn {
  name: string
  column: Sql
}

/**
 * Tells whether the values of a field can be converted online: not those that another object of the table
 * copies, nor those that a history has, nor those that were computed, nor the numbers of records.
 */
function isConvertible({ before, after }: TableChange, compared: Comparison, field: KeptField): boolean {
  const copies = ({ kind }: TableObject) => kind === 'search' || kind === 'trigger'
  return (
    field.conversion !== undefined &&
    field.computed === undefined &&
    after.storage.hasColumns &&
    before.history === undefined &&
    after.history === undefined &&
    before.identity !== field.before &&
    after.identity !== field.after &&
    !compared.droppedObjects.some((object) => copies(object) && object.fields.includes(field.before.name)) &&
    !compared.addedObjects.some((object) => copies(object) && object.fields.includes(field.after.name))
  )
}

/** Plans the online phase of a change. */
export function onlineChangeOf(change: TableChange, compared: Comparison, shape: Shape): OnlineChange {
  const { keptObjects, addedObjects } = compared
  const { kept, added } = columnsOf(compared)
  const { after } = change
  const { relation } = after
  let names = 0
  const newName = () => pendingName(after.id, names++)

  // Kept fields have their columns already, under their old names. New ones can be created early.
  const columns = unchangedColumns(kept, shape, ({ before }) => before.column)
  const converted = new Map<string, NewColumn>()
  for (const field of kept.filter((one) => isConvertible(change, compared, one))) {
    const name = newName()
    converted.set(field.after.name, { name, column: identifier(name) })
    columns.set(field.after.name, identifier(name))
  }
  const early = new Map(added.map((field) => [field.name, shape.earlyPresence(field, change.before)]))
  const isThere = (fields: readonly string[]) =>
    fields.every((name) => columns.has(name) || (early.get(name) ?? 'nothing') !== 'nothing')
  const isTargetThere = ({ references }: TableObject) =>
    references?.table !== after ||
    (references.fields.every((name) => columns.has(name)) &&
      keptObjects.some(
        (object) => object.after.unique && String(object.after.fields) === String(references.fields),
      ))
  const possible = addedObjects.filter(
    (object) =>
      !madeAtOnce.has(object.kind) &&
      isThere([...object.fields, ...(object.whereFields ?? [])]) &&
      isTargetThere(object),
  )
  const needed = new Set(
    possible
      .flatMap((object) => [...object.fields, ...(object.whereFields ?? [])])
      .filter((name) => early.get(name) === 'column'),
  )
  for (const name of needed) columns.set(name, identifier(newName()))
  const view = withColumns(after, (field) => columns.get(field.name) ?? field.column)
  /** The objects under their future names, written with the current columns. */
  const objects = shape.objects(view, after, change)
  const written = new Map(
    shape
      .objects(after, after, change)
      .map((object, position) => [object.name, objects[position] as TableObject]),
  )

  const constraint = (name: string, definition: Sql): OnlineStatement[] => [
    onlineStatement(
      'constraint',
      sql`alter table ${relation} add constraint ${identifier(name)} ${definition} not valid`,
    ),
    onlineStatement('validation', sql`alter table ${relation} validate constraint ${identifier(name)}`),
  ]

  return {
    column: (field) => (needed.has(field.name) ? columns.get(field.name) : undefined),
    conversion: (field) => converted.get(field.name),
    check(condition) {
      const name = newName()
      return { name: identifier(name), onlinePhase: constraint(name, sql`check (${condition})`) }
    },
    object(object) {
      const now = possible.includes(object) && written.get(object.name)
      if (!now) return undefined
      const pending = newName()
      const name = identifier(pending)
      const unique = object.unique ? sql`unique ` : emptySql
      const build = (definition: Sql) =>
        onlineStatement('index', sql`create ${unique}index concurrently ${name} on ${relation} ${definition}`)
      const step = addObject(after, object)
      switch (object.kind) {
        case 'index':
          return {
            ...step,
            onlinePhase: [build(now.definition)],
            statements: [renameStatement(after, object, pending, object.name)],
          }
        case 'unique':
        case 'primary key': {
          const kind = object.kind === 'unique' ? sql`unique` : sql`primary key`
          const final = identifier(object.name)
          const timing = object.isDeferred ? sql` deferrable` : emptySql
          return {
            ...step,
            onlinePhase: [build(sql`using btree (${columnList(view, object.fields)})`)],
            statements: [
              sql`alter table ${relation} add constraint ${final} ${kind} using index ${name}${timing}`,
            ],
          }
        }
        default:
          return {
            ...step,
            onlinePhase: constraint(pending, now.definition),
            statements: [renameStatement(after, object, pending, object.name)],
          }
      }
    },
  }
}
