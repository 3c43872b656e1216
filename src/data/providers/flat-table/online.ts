/**
 * How steps are done to a large table without holding up who reads and writes it: what takes long is done ahead, under
 * a pending name and without locks that others wait for; the step itself then only gives it its place and its name.
 */
import { identifier, nothing, type Sql, sql } from '../../../db/sql.ts'
import { pendingName } from '../../datatables/names.ts'
import { type Field, withColumns } from '../../datatables/table.ts'
import type { Ahead, DdlStep, TableChange } from '../provider.ts'
import { columnList, declared } from './columns.ts'
import { type Comparison, type KeptField, objectsOf } from './compare.ts'
import { addField, require } from './field-steps.ts'
import { add } from './object-steps.ts'
import { renaming, type TableObject } from './objects.ts'

/** The steps that can be done so; undefined where one cannot. */
export interface AheadSteps {
  field(field: Field): DdlStep | undefined
  required(field: KeptField): DdlStep | undefined
  object(object: TableObject): DdlStep | undefined
}

export function aheadOf(change: TableChange, { kept, added, keptObjects, addedObjects }: Comparison): AheadSteps {
  const { after } = change
  const { relation } = after
  let names = 0
  const newName = () => identifier(pendingName(after.id, names++))

  // Columns that stay as they are stand there now, under their old names; new ones that need no value for each record can be there early.
  const columns = new Map(kept.flatMap((field) => (field.conversion ? [] : [[field.after.name, field.before.column]])))
  const early = new Set(added.filter((field) => !field.generated).map(({ name }) => name))
  const isThere = (fields: readonly string[]) => fields.every((name) => columns.has(name) || early.has(name))
  const leadsSomewhere = ({ references }: TableObject) =>
    references?.table !== after ||
    (references.fields.every((name) => columns.has(name)) &&
      keptObjects.some((object) => object.after.unique && String(object.after.fields) === String(references.fields)))
  const possible = addedObjects.filter(
    (object) => object.kind !== 'search' && isThere([...object.fields, ...(object.whereFields ?? [])]) && leadsSomewhere(object),
  )
  const needed = new Set(possible.flatMap((object) => [...object.fields, ...(object.whereFields ?? [])]).filter((name) => early.has(name)))
  for (const name of needed) columns.set(name, newName())
  const view = withColumns(after, (field) => columns.get(field.name) ?? field.column)
  /** The objects as they are written now, by those that they are to become. */
  const objects = objectsOf(view, after, change)
  const written = new Map(objectsOf(after, after, change).map((object, position) => [object.name, objects[position] as TableObject]))

  const ahead = (stage: Ahead['stage'], statement: Sql): Ahead => ({ stage, statement })
  const constraint = (name: Sql, definition: Sql): Ahead[] => [
    ahead('constraint', sql`alter table ${relation} add constraint ${name} ${definition} not valid`),
    ahead('validation', sql`alter table ${relation} validate constraint ${name}`),
  ]

  return {
    field(field) {
      const pending = needed.has(field.name) && columns.get(field.name)
      if (!pending) return undefined
      return {
        ...addField(after, field),
        ahead: [ahead('column', sql`alter table ${relation} add column ${declared(after, field, pending)}`)],
        statements: [sql`alter table ${relation} rename column ${pending} to ${field.column}`],
      }
    },
    required(field) {
      if (field.conversion) return undefined
      const step = require(after, field)
      const name = newName()
      // Postgres sees by the check that no record has to be looked at.
      return {
        ...step,
        ahead: constraint(name, sql`check (${field.before.column} is not null)`),
        statements: [...step.statements, sql`alter table ${relation} drop constraint ${name}`],
      }
    },
    object(object) {
      const now = possible.includes(object) && written.get(object.name)
      if (!now) return undefined
      const pending = pendingName(after.id, names++)
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
          return { ...step, ahead: constraint(name, now.definition), statements: [renaming(after, object, pending, object.name)] }
      }
    },
  }
}
