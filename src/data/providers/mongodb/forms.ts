/** Writes tables and plans as plain data, for the Worker that renders them for MongoDB. */
import { renderText, type Sql } from '../../../kernel/db/sql.ts'
import { wayOf } from '../../model/adopted.ts'
import type { Field } from '../../model/field.ts'
import type { Relationship } from '../../model/relationships.ts'
import type { Table } from '../../model/table.ts'
import { baseOf } from '../../model/types.ts'
import type { Order } from '../../query/plan/order.ts'
import {
  all,
  holdsForMissingRecord,
  not,
  type Operand,
  type Predicate,
  visible,
} from '../../query/predicate.ts'
import { adoptedBy, notInMongodb } from './capabilities.ts'
import type {
  CollectionForm,
  FieldForm,
  OperandForm,
  PairForm,
  PredicateForm,
  RelatedForm,
  TermForm,
} from './read-forms.ts'

/** A table of which some fields are computed, each with its path. */
export type Computed = Table & { computed?: ReadonlyMap<Field, string> }

/** Returns the path of a field: the key is the `_id` of a document, or a member of it. */
function pathOf({ primaryKey, computed }: Computed, field: Field): string {
  const own = computed?.get(field)
  if (own !== undefined) return own
  if (!primaryKey.some(({ name }) => name === field.name)) return field.name
  return primaryKey.length === 1 ? '_id' : `_id.${field.name}`
}

const fieldForm = (table: Computed, field: Field): FieldForm => ({
  name: field.name,
  path: pathOf(table, field),
  type: table.computed?.has(field)
    ? typeOfComputed(field)
    : (wayOf(field.schema)?.name ?? baseOf(field.schema)),
})

/** The type of a computed value is one of fields, or `local datetime`, or JSON. */
const typeOfComputed = ({ schema: { type } }: Field): string => (type === 'JSON' ? 'object' : type)

/** Returns fields of a table with their paths; omitted: all. */
export const fieldForms = (table: Table, fields: Iterable<Field> = table.fields.values()): FieldForm[] =>
  [...fields].map((field) => fieldForm(table, field))

/** Returns what a question has to know of a table. */
export const collectionForm = (table: Table): CollectionForm => ({
  name: adoptedBy(table) ?? table.physicalName,
  ...(adoptedBy(table) !== undefined && { isAdopted: true }),
  // Computed values are not in the collection.
  fields: fieldForms(
    table,
    table.schema.fields.flatMap(({ name }) => table.fields.get(name) ?? []),
  ),
  key: table.primaryKey.map(({ name }) => name),
})

/** The types of values, by the types as which Postgres reads them. */
const typesOfSql: ReadonlyMap<string, string> = new Map([
  ['text', 'string'],
  ['bigint', 'integer'],
  ['numeric', 'number'],
  ['boolean', 'boolean'],
  ['date', 'date'],
  ['daterange', 'date'],
  ['time', 'time'],
  ['timestamptz', 'datetime'],
  ['tstzrange', 'datetime'],
  ['uuid', 'uuid'],
  ['jsonb', 'json'],
])

const typeOfSql = (type: Sql): string => typesOfSql.get(renderText(type).replace(/\[\]$/, '')) ?? 'string'

/** The types as which a property inside a document can be read. */
const readings: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'json', 'value', 'any'])

/** Returns an operand. Throws 422 for a property that MongoDB cannot read as its type. */
export function operandForm(table: Table, { field, property }: Operand, compared?: Sql): OperandForm {
  const { path, type } = fieldForm(table, field)
  if (!property) return { path, type, inside: [] }
  if (!readings.has(property.as)) throw notInMongodb('typedProperty')
  const own = compared && property.as === 'any' ? typeOfSql(compared) : property.as
  return { path, type: own, inside: property.path }
}

const textsOf = (values: readonly { value: string | readonly string[] | Sql }[]): string[] =>
  values.flatMap(({ value }) => {
    if (typeof value === 'string') return [value]
    if (Array.isArray(value)) return value as string[]
    throw notInMongodb('other')
  })

/** Returns a filter. Throws 422 for what MongoDB cannot compare. */
export function predicateForm(table: Table, predicate: Predicate): PredicateForm {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return { is: predicate.kind, of: predicate.of.map((one) => predicateForm(table, one)) }
    case 'not':
      return { is: 'not', of: predicateForm(table, predicate.of) }
    case 'hasValue':
      return { is: 'has value', operand: operandForm(table, predicate.operand), wanted: predicate.is }
    case 'isTrue':
      return { is: 'true', path: pathOf(table, predicate.field), wanted: predicate.is }
    case 'compare': {
      const { operand, means, values } = predicate
      return {
        is: 'compared',
        operand: operandForm(table, operand, values[0]?.type),
        by: means,
        values: textsOf(values),
      }
    }
    case 'related': {
      const { relationship, where } = predicate
      // A missing record also passes. So no related record may exist that does not.
      const wanted = !(relationship.to === 'one' && holdsForMissingRecord(where))
      return { is: 'related', related: relatedForm(table, relationship, wanted ? where : not(where)), wanted }
    }
    case 'overlaps':
      throw notInMongodb('ranges')
    case 'search':
      throw notInMongodb('search_filter')
  }
}

/** Returns the records of a relationship that pass a filter, without those that are soft-deleted. */
export function relatedForm(
  table: Computed,
  { target, pairs, junction }: Relationship,
  where: Predicate,
): RelatedForm {
  return {
    from: target.physicalName,
    pairs: pairForms(pairs, table, junction?.table ?? target),
    where: predicateForm(target, all([visible(target), where])),
    ...(junction && {
      via: {
        from: junction.table.physicalName,
        pairs: pairForms(junction.pairs, junction.table, target),
        where: predicateForm(junction.table, visible(junction.table)),
      },
    }),
  }
}

export const pairForms = (pairs: Relationship['pairs'], near: Computed, far: Table): PairForm[] =>
  pairs.map((pair) => ({ near: pathOf(near, pair.near), far: pathOf(far, pair.far) }))

/** Returns the order of the primary key. */
export const keyOrder = (table: Table): TermForm[] =>
  table.primaryKey.map((field) => ({
    operand: operandForm(table, { field }),
    descending: false,
    nullable: false,
    nullsFirst: false,
  }))

/** Returns an order. Throws 422 for a value that MongoDB cannot sort by. */
export const orderForm = (table: Table, order: readonly Order[]): TermForm[] =>
  order.map((term): TermForm => {
    if (term.by === 'rank') throw notInMongodb('search_filter')
    const { expression, descending, nullable, nullsFirst } = term
    // Others may leave out any field of a collection that was there before.
    const direction = { descending, nullable: nullable || adoptedBy(table) !== undefined, nullsFirst }
    if ('relationships' in expression && expression.relationships.length > 0) throw notInMongodb('related')
    if (expression.kind === 'column')
      return { operand: operandForm(table, { field: expression.field }), ...direction }
    if (expression.kind !== 'property') throw notInMongodb('other')
    return { operand: operandForm(table, expression), ...direction }
  })
