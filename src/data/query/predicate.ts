/** A planned filter: a tree of conditions on a record's fields and on its related records. */
import type { Sql } from '../../kernel/db/sql.ts'
import type { Bounds } from '../model/exclusion-form.ts'
import type { Field } from '../model/field.ts'
import type { Property } from '../model/property.ts'
import type { Relationship } from '../model/relationships.ts'
import type { Table } from '../model/table.ts'
import type { Comparison } from './operators.ts'
import type { SearchNode } from './parse/search.ts'

/** A condition on records of one table. */
export type Predicate =
  | { kind: 'and' | 'or'; of: readonly Predicate[] }
  /** True where `of` is false or null. */
  | { kind: 'not'; of: Predicate }
  | {
      kind: 'compare'
      operand: Operand
      means: Comparison['forms'][number]['means']
      sql: Comparison['forms'][number]['sql']
      values: readonly BoundValue[]
      /** Whether everything that the operand can hold passes. */
      admitsAll: boolean
    }
  | { kind: 'hasValue'; operand: Operand; is: boolean }
  /** Whether the range between two fields overlaps another one. An end that is null is open. */
  | {
      kind: 'overlaps'
      from: Field
      to: Field
      bounds: Bounds
      ends: readonly [from: string | null, to: string | null]
    }
  /** Compares whether a boolean field is true. A field without a value is not true. */
  | { kind: 'isTrue'; field: Field; is: boolean }
  /**
   * True if one related record passes all of `where`. If a relationship to one has no record, its fields
   * count as fields without a value.
   */
  | { kind: 'related'; relationship: Relationship; where: Predicate }
  | Search

/** A search for words in a table. */
export interface Search {
  kind: 'search'
  table: Table
  query: SearchNode
  /** The name of Postgres's configuration. */
  language: string
  /** The fields in which a word may have a typo. */
  typos: readonly Field[]
}

/** A field, or a property inside its JSON. */
export interface Operand {
  field: Field
  property?: Property
}

/** A value to bind, or an expression of one, with its type in SQL. */
export interface BoundValue {
  value: string | readonly string[] | Sql
  type: Field['type']['column']
}

/** The predicate that every record passes. */
export const always: Predicate = { kind: 'and', of: [] }
/** The predicate that no record passes. */
export const never: Predicate = { kind: 'or', of: [] }

/** Tells whether a predicate is `always`. */
export const isAlways = (predicate: Predicate): boolean =>
  predicate.kind === 'and' && predicate.of.length === 0
const isNever = (predicate: Predicate): boolean => predicate.kind === 'or' && predicate.of.length === 0

/**
 * Returns the conjunction. Conditions on the same relationship are joined, so that a single related record
 * must pass all of them. R4.
 */
export function all(predicates: readonly Predicate[]): Predicate {
  const of: Predicate[] = []
  const positions = new Map<Relationship, number>()
  for (const predicate of predicates.flatMap((member) => (member.kind === 'and' ? member.of : [member]))) {
    if (isNever(predicate)) return never
    const position = predicate.kind === 'related' ? positions.get(predicate.relationship) : undefined
    const before = position === undefined ? undefined : of[position]
    if (predicate.kind === 'related' && before?.kind === 'related') {
      of[position as number] = { ...before, where: all([before.where, predicate.where]) }
    } else {
      if (predicate.kind === 'related') positions.set(predicate.relationship, of.length)
      of.push(predicate)
    }
  }
  return of.length === 1 ? (of[0] as Predicate) : { kind: 'and', of }
}

/**
 * Returns the disjunction. Different related records may meet the alternatives. This also holds for a single
 * alternative.
 */
export function any(predicates: readonly Predicate[]): Predicate {
  const of = predicates.flatMap((member) => (member.kind === 'or' ? member.of : [member]))
  return of.some(isAlways) ? always : { kind: 'or', of }
}

/** Returns the negation. It is also true where the predicate is null. */
export function not(predicate: Predicate): Predicate {
  if (isAlways(predicate)) return never
  if (isNever(predicate)) return always
  if (predicate.kind === 'hasValue' || predicate.kind === 'isTrue') return { ...predicate, is: !predicate.is }
  return predicate.kind === 'not' ? any([predicate.of]) : { kind: 'not', of: predicate }
}

/** Returns the predicate of the records that are not soft-deleted. D5. */
export const visible = ({ softDelete }: Table): Predicate =>
  softDelete ? { kind: 'isTrue', field: softDelete, is: false } : always

/**
 * Tells whether a predicate is true for a record that does not exist. It has no values and no related
 * records.
 */
export function holdsForMissingRecord(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case 'and':
      return predicate.of.every(holdsForMissingRecord)
    case 'or':
      return predicate.of.some(holdsForMissingRecord)
    case 'not':
      return !holdsForMissingRecord(predicate.of)
    case 'hasValue':
    case 'isTrue':
      return !predicate.is
    case 'related':
      return predicate.relationship.to === 'one' && holdsForMissingRecord(predicate.where)
    case 'compare':
    case 'overlaps':
    case 'search':
      return false
  }
}

/** Returns the fields of the record itself that a predicate uses, except those of a search. */
export function fieldsOf(predicate: Predicate): readonly Field[] {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return predicate.of.flatMap(fieldsOf)
    case 'not':
      return fieldsOf(predicate.of)
    case 'compare':
    case 'hasValue':
      return [predicate.operand.field]
    case 'isTrue':
      return [predicate.field]
    case 'overlaps':
      return [predicate.from, predicate.to]
    case 'related':
      return predicate.relationship.pairs.map(({ near }) => near)
    case 'search':
      return []
  }
}

/** Tells whether every record that passes has a value in the field. */
export function requiresValue(predicate: Predicate, field: Field): boolean {
  switch (predicate.kind) {
    case 'and':
      return predicate.of.some((member) => requiresValue(member, field))
    case 'or':
      return predicate.of.length > 0 && predicate.of.every((member) => requiresValue(member, field))
    case 'compare':
      return predicate.operand.field === field
    case 'hasValue':
      return predicate.is && predicate.operand.field === field
    default:
      return false
  }
}
