/** What a filter means: a tree of comparisons of a record's fields and of the records it is related to. */
import type { Sql } from '../../db/sql.ts'
import type { Field, Table } from '../datatables/table.ts'
import type { Comparison } from './operators.ts'
import type { Relationship } from './relationships.ts'

export type Predicate =
  | { kind: 'and' | 'or'; of: readonly Predicate[] }
  /** Holds where the other does not, and where nobody can tell. */
  | { kind: 'not'; of: Predicate }
  | { kind: 'compare'; operand: Operand; sql: Comparison['forms'][number]['sql']; values: readonly Bound[] }
  | { kind: 'hasValue'; operand: Operand; is: boolean }
  /** Whether the boolean field is true; without a value it is not. */
  | { kind: 'isTrue'; field: Field; is: boolean }
  /** A related record, one and the same, passes `where`. To one: that there is none is as if all its fields were without a value. */
  | { kind: 'related'; relationship: Relationship; where: Predicate }
  | { kind: 'search'; column: Sql; language: string; text: string }

/** A field, or a property inside its JSON. */
export interface Operand {
  field: Field
  property?: Property
}

export interface Property {
  path: readonly string[]
  /** As what it is read. A property that is something else has no value, then. `any`: whatever it is. */
  as: 'string' | 'number' | 'boolean' | 'json' | 'any'
}

/** A value to bind, with the type that it has in SQL. */
interface Bound {
  value: string | readonly string[]
  type: Field['type']['column']
}

export const always: Predicate = { kind: 'and', of: [] }
export const never: Predicate = { kind: 'or', of: [] }

export const isAlways = (predicate: Predicate): boolean => predicate.kind === 'and' && predicate.of.length === 0
const isNever = (predicate: Predicate): boolean => predicate.kind === 'or' && predicate.of.length === 0

/** One conjunction. What it asks of one relationship it asks of one related record. R4. */
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

/** Alternatives, even a single one, ask of related records of their own. */
export function any(predicates: readonly Predicate[]): Predicate {
  const of = predicates.flatMap((member) => (member.kind === 'or' ? member.of : [member]))
  return of.some(isAlways) ? always : { kind: 'or', of }
}

export function not(predicate: Predicate): Predicate {
  if (isAlways(predicate)) return never
  if (isNever(predicate)) return always
  if (predicate.kind === 'hasValue' || predicate.kind === 'isTrue') return { ...predicate, is: !predicate.is }
  return predicate.kind === 'not' ? any([predicate.of]) : { kind: 'not', of: predicate }
}

/** Soft-deleted records are not seen. D5. */
export const visible = ({ softDelete }: Table): Predicate => (softDelete ? { kind: 'isTrue', field: softDelete, is: false } : always)

/** Whether it holds for a record that is not there: all fields without a value, nothing related to it. */
export function holdsForNobody(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case 'and':
      return predicate.of.every(holdsForNobody)
    case 'or':
      return predicate.of.some(holdsForNobody)
    case 'not':
      return !holdsForNobody(predicate.of)
    case 'hasValue':
    case 'isTrue':
      return !predicate.is
    case 'related':
      return predicate.relationship.to === 'one' && holdsForNobody(predicate.where)
    case 'compare':
    case 'search':
      return false
  }
}

/** Whether no record passes in which the field has no value. */
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
