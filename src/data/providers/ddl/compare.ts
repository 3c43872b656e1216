/** What of a table stays in a change of its schema, what goes, and what comes. */
import { identifier, type Sql } from '../../../db/sql.ts'
import { type Field, type Table, withColumns } from '../../datatables/table.ts'
import { type Conversion, conversionOf, isKeptAlike } from '../conversions.ts'
import type { TableChange } from '../provider.ts'
import { foreignKeyOf, isKey, isSame, type TableObject } from './objects.ts'

export interface KeptField {
  before: Field
  after: Field
  /** How its values become those of its new type, where it gets one. */
  conversion: Conversion | undefined
}

export interface ForeignObject {
  table: Table
  object: TableObject
}

export interface Comparison {
  kept: readonly KeptField[]
  dropped: readonly Field[]
  added: readonly Field[]
  /** Objects in the order in which they are added; they are dropped in the opposite one. */
  keptObjects: readonly { before: TableObject; after: TableObject }[]
  droppedObjects: readonly TableObject[]
  addedObjects: readonly TableObject[]
  /** Foreign keys of other tables that have to be taken away for the time of the change. */
  inbound: readonly ForeignObject[]
}

/** How a provider makes what stands on fields. */
export interface Shape {
  /** The objects of `table`, each but the foreign keys before what may stand on it. `view`: it, or how it looks under other column names. */
  objects(view: Table, table: Table, change: TableChange): TableObject[]
  /** Whether what stands on a field goes on when it is renamed. */
  followsRenames: boolean
  /** What there is of a new field before the change of a large table: a column, whatever is needed (as each record has it without), or nothing yet. */
  early(field: Field, before: Table): 'column' | 'all' | 'nothing'
}

/** Where what stands on fields need not be made anew: its columns, by the new names of the fields. */
export const unchangedColumns = (kept: readonly KeptField[], { followsRenames }: Shape, columnOf: (field: KeptField) => Sql): Map<string, Sql> =>
  new Map(
    kept.flatMap((field) =>
      field.conversion || !(followsRenames || field.before.name === field.after.name) ? [] : [[field.after.name, columnOf(field)]],
    ),
  )

export function compare(change: TableChange, shape: Shape): Comparison {
  const { before, after } = change
  const kept: KeptField[] = []
  const added: Field[] = []
  for (const field of after.fields.values()) {
    const origin = before.fields.get(change.kept.get(field.name) ?? '')
    const conversion = origin && conversionOf(origin, field)
    // Where no value of one type is one of the other, the field is another one.
    if (origin && (conversion || isKeptAlike(origin, field))) kept.push({ before: origin, after: field, conversion })
    else added.push(field)
  }
  const origins = new Set(kept.map(({ before: origin }) => origin))
  const dropped = [...before.fields.values()].filter((field) => !origins.has(field))
  return { kept, dropped, added, ...compareObjects(change, kept, shape) }
}

function compareObjects(change: TableChange, kept: readonly KeptField[], shape: Shape) {
  const { before, after } = change
  const staying = unchangedColumns(kept, shape, ({ after: field }) => field.column)
  const unchanged = new Map(kept.flatMap((field) => (staying.has(field.after.name) ? [[field.before.name, field.after.column]] : [])))
  const stays = (fields: readonly string[]) => fields.every((field) => unchanged.has(field))
  // The objects of before, as they are called and as they read with the new names of their fields.
  const view = withColumns(before, (field) => unchanged.get(field.name) ?? identifier('_gone'))
  const renamed = shape.objects(view, before, change)
  const rest = shape.objects(after, after, change)
  const keptObjects: { before: TableObject; after: TableObject }[] = []
  const droppedObjects: TableObject[] = []
  const take = (object: TableObject): TableObject | undefined => {
    const alike = rest.filter((candidate) => isSame(object, candidate))
    const taken = alike.find(({ name }) => name === object.name) ?? alike[0]
    if (taken) rest.splice(rest.indexOf(taken), 1)
    return taken
  }
  shape.objects(before, before, change).forEach((object, position) => {
    const { references } = object
    const leadsToWhatStays =
      references?.table !== before || (stays(references.fields) && !droppedObjects.some((key) => isKey(key) && isOn(key, references.fields)))
    // Triggers do not follow the new name of a field.
    const isNamedAlike = object.kind !== 'held key' || rest.some(({ name }) => name === object.name)
    const taken =
      isNamedAlike && stays([...object.fields, ...(object.whereFields ?? [])]) && leadsToWhatStays
        ? take(renamed[position] as TableObject)
        : undefined
    if (taken) keptObjects.push({ before: object, after: taken })
    else droppedObjects.push(object)
  })
  const inbound = change.inbound
    .filter(({ key }) => droppedObjects.some((object) => isKey(object) && isOn(object, key.reference.fields)))
    .map(({ table, key }) => ({ table, object: foreignKeyOf(table, key, after) }))
  return { keptObjects, droppedObjects, addedObjects: rest, inbound }
}

const isOn = (object: TableObject, fields: readonly string[]): boolean =>
  object.fields.length === fields.length && fields.every((field) => object.fields.includes(field))
