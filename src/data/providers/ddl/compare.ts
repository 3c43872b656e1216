/** Compares two schemas of a table: which fields, keys, checks and indexes are kept, dropped and added. */
import { identifier, renderText, type Sql } from '../../../kernel/db/sql.ts'
import type { Field } from '../../model/field.ts'
import { type Table, withColumns } from '../../model/table.ts'
import { formulaSql, isComputed } from '../../query/plan/expression/row-expression.ts'
import { type Conversion, conversionOf, isKeptAlike } from '../conversions.ts'
import type { TableChange } from '../provider.ts'
import { foreignKeyOf, isKey, isSame, type TableObject } from './objects.ts'

/** A field of both schemas, perhaps renamed. */
export interface KeptField {
  before: Field
  after: Field
  /** The conversion of its values, if its type changes. */
  conversion: Conversion | undefined
  /**
   * How Postgres gets other values for it: `again`, if they are computed in another way than before; `never`,
   * if they are no longer computed, and stay. Omitted: it does not.
   */
  computed?: 'again' | 'never'
}

/** A foreign key of another table. */
export interface ForeignObject {
  table: Table
  object: TableObject
}

/** The differences between two schemas of a table. */
export interface Comparison {
  kept: readonly KeptField[]
  dropped: readonly Field[]
  added: readonly Field[]
  /** The objects in the order in which they are added. They are dropped in the opposite order. */
  keptObjects: readonly { before: TableObject; after: TableObject }[]
  droppedObjects: readonly TableObject[]
  addedObjects: readonly TableObject[]
  /** Foreign keys of other tables that must be dropped during the change. */
  inbound: readonly ForeignObject[]
}

/** How a provider creates the objects that depend on fields. */
export interface Shape {
  /**
   * Returns the objects of `table`, each before those that depend on it, foreign keys last. `view` is the
   * table, or the table under other column names.
   */
  objects(view: Table, table: Table, change: TableChange): TableObject[]
  /** Whether an object stays valid when one of its fields is renamed. */
  followsRenames: boolean
  /**
   * Returns what of a new field can be created before the transaction that changes a large table: `column` is
   * the column alone, under a temporary name; `all` the complete field, because existing records need neither
   * a value nor a check; `nothing` waits for the transaction.
   */
  earlyPresence(field: Field, before: Table): 'column' | 'all' | 'nothing'
}

/** Returns the columns of the fields whose objects can be kept, by the new names of the fields. */
export const unchangedColumns = (
  kept: readonly KeptField[],
  { followsRenames }: Shape,
  columnOf: (field: KeptField) => Sql,
): Map<string, Sql> =>
  new Map(
    kept.flatMap((field) =>
      field.conversion || field.computed || !(followsRenames || field.before.name === field.after.name)
        ? []
        : [[field.after.name, columnOf(field)]],
    ),
  )

/** Compares the schemas before and after a change. */
export function compare(change: TableChange, shape: Shape): Comparison {
  const { before, after } = change
  const kept: KeptField[] = []
  const added: Field[] = []
  for (const field of after.fields.values()) {
    const origin = before.fields.get(change.kept.get(field.name) ?? '')
    const conversion = origin && conversionOf(origin, field)
    // If no conversion between the types exists, the field is dropped and added.
    if (origin && (conversion || isKeptAlike(origin, field)))
      kept.push({ before: origin, after: field, conversion })
    else added.push(field)
  }
  const origins = new Set(kept.map(({ before: origin }) => origin))
  const dropped = [...before.fields.values()].filter((field) => !origins.has(field))
  const marked = markComputed(change, kept)
  return { kept: marked, dropped, added, ...compareObjects(change, marked, shape) }
}

/** Marks the fields that Postgres computes otherwise than before. */
function markComputed({ before, after }: TableChange, kept: readonly KeptField[]): KeptField[] {
  const staying = new Map(
    kept.flatMap((one) => (one.conversion ? [] : [[one.before.name, one.after.column]])),
  )
  // The old expressions with the new columns of their fields.
  const view = withColumns(before, (field) => staying.get(field.name) ?? gone)
  return kept.map((field) => {
    const [past, present] = [view.fields.get(field.before.name) as Field, field.after]
    if (!isComputed(present)) return isComputed(past) ? { ...field, computed: 'never' } : field
    const isSame =
      !field.conversion &&
      isComputed(past) &&
      renderText(formulaSql(view, past)) === renderText(formulaSql(after, present))
    return isSame ? field : { ...field, computed: 'again' }
  })
}

/** Stands for the column of a field that is not there after the change, or has other values. */
const gone = identifier('_gone')

/**
 * Returns the differences as those of what stores the fields: a field that is computed in another way is
 * dropped and added again. Computed fields are dropped before those that they are computed from, and added
 * after them.
 */
export function columnsOf({
  kept,
  dropped,
  added,
}: Comparison): Pick<Comparison, 'kept' | 'dropped' | 'added'> {
  const again = kept.filter(({ computed }) => computed === 'again')
  const isFirst = (field: Field) => Number(!isComputed(field))
  return {
    kept: kept.filter((field) => !again.includes(field)),
    dropped: [...dropped, ...again.map(({ before }) => before)].toSorted((a, b) => isFirst(a) - isFirst(b)),
    added: [...added, ...again.map(({ after }) => after)].toSorted((a, b) => isFirst(b) - isFirst(a)),
  }
}

function compareObjects(change: TableChange, kept: readonly KeptField[], shape: Shape) {
  const { before, after } = change
  const staying = unchangedColumns(kept, shape, ({ after: field }) => field.column)
  const unchanged = new Map(
    kept.flatMap((field) => (staying.has(field.after.name) ? [[field.before.name, field.after.column]] : [])),
  )
  const stays = (fields: readonly string[]) => fields.every((field) => unchanged.has(field))
  // The old objects with their old names, but with the new columns of their fields.
  const view = withColumns(before, (field) => unchanged.get(field.name) ?? gone)
  const renamed = shape.objects(view, before, change)
  const rest = shape.objects(after, after, change)
  const keptObjects: { before: TableObject; after: TableObject }[] = []
  const droppedObjects: TableObject[] = []
  const take = (object: TableObject): TableObject | undefined => {
    const alike = rest.filter((candidate) => isSame(object, candidate))
    const match = alike.find(({ name }) => name === object.name) ?? alike[0]
    if (match) rest.splice(rest.indexOf(match), 1)
    return match
  }
  shape.objects(before, before, change).forEach((object, position) => {
    const { references } = object
    const keepsReference =
      references?.table !== before ||
      (stays(references.fields) && !droppedObjects.some((key) => isKey(key) && isOn(key, references.fields)))
    // Triggers do not follow renamed fields.
    const keepsName = object.kind !== 'trigger' || rest.some(({ name }) => name === object.name)
    const match =
      keepsName && stays([...object.fields, ...(object.whereFields ?? [])]) && keepsReference
        ? take(renamed[position] as TableObject)
        : undefined
    if (match) keptObjects.push({ before: object, after: match })
    else droppedObjects.push(object)
  })
  const inbound = change.inbound
    .filter(({ key }) => droppedObjects.some((object) => isKey(object) && isOn(object, key.reference.fields)))
    .map(({ table, key }) => ({ table, object: foreignKeyOf(table, key, after) }))
  return { keptObjects, droppedObjects, addedObjects: rest, inbound }
}

const isOn = (object: TableObject, fields: readonly string[]): boolean =>
  object.fields.length === fields.length && fields.every((field) => object.fields.includes(field))
