/** Finds filters that exclude no record, which no write accepts. R20. */
import { type BoundValue, holdsForMissingRecord, type Operand, type Predicate } from './predicate.ts'

/** Returns the fields whose conditions are met by everything that the field can hold. */
export function fieldsWithoutCondition(predicate: Predicate): readonly string[] {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return predicate.of.flatMap(fieldsWithoutCondition)
    case 'not':
      return fieldsWithoutCondition(predicate.of)
    case 'related':
      return fieldsWithoutCondition(predicate.where)
    case 'compare':
      return predicate.admitsAll ? [predicate.operand.field.name] : []
    default:
      return []
  }
}

/** Tells whether the form of a predicate shows that every record passes. */
export function passesAll(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case 'and':
      return predicate.of.every(passesAll)
    case 'or':
      return predicate.of.some(passesAll) || hasOpposites(predicate.of)
    case 'not':
      return passesNone(predicate.of)
    case 'hasValue':
      return predicate.is && isFilled(predicate.operand)
    case 'related':
      return isFound(predicate) && passesAll(predicate.where)
    default:
      return false
  }
}

/** Tells whether the form of a predicate shows that no record passes. */
function passesNone(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case 'and':
      return predicate.of.some(passesNone) || hasOpposites(predicate.of)
    case 'or':
      return predicate.of.every(passesNone)
    case 'related':
      return passesNone(predicate.where) && !holdsForMissingRecord(predicate)
    case 'not':
      return passesAll(predicate.of)
    case 'hasValue':
      return !predicate.is && isFilled(predicate.operand)
    default:
      return false
  }
}

const isFilled = ({ field, property }: Operand): boolean => field.required && !property

/** Tells whether every record has the related one. */
const isFound = ({ relationship: { to, target, pairs } }: Predicate & { kind: 'related' }): boolean =>
  to === 'one' && target.softDelete === undefined && pairs.every(({ near }) => near.required)

/** Tells whether one of some alternatives is the negation of another. */
const hasOpposites = (of: readonly Predicate[]): boolean =>
  of.some((one, index) => of.slice(index + 1).some((other) => areOpposite(one, other)))

function areOpposite(one: Predicate, other: Predicate): boolean {
  if (one.kind === 'not') return isSame(one.of, other)
  if (other.kind === 'not') return isSame(one, other.of)
  if (one.kind === 'hasValue' || one.kind === 'isTrue')
    return one.kind === other.kind && isSame({ ...one, is: !one.is }, other)
  return false
}

/** Tells whether two predicates are written alike. */
function isSame(one: Predicate, other: Predicate): boolean {
  switch (one.kind) {
    case 'and':
    case 'or':
      return (
        one.kind === other.kind &&
        one.of.length === other.of.length &&
        one.of.every((member, index) => isSame(member, other.of[index] as Predicate))
      )
    case 'not':
      return other.kind === 'not' && isSame(one.of, other.of)
    case 'compare':
      return (
        other.kind === 'compare' &&
        one.sql === other.sql &&
        isSameOperand(one.operand, other.operand) &&
        textOf(one.values) === textOf(other.values)
      )
    case 'hasValue':
      return other.kind === 'hasValue' && one.is === other.is && isSameOperand(one.operand, other.operand)
    case 'isTrue':
      return other.kind === 'isTrue' && one.is === other.is && one.field === other.field
    case 'related':
      return (
        other.kind === 'related' && one.relationship === other.relationship && isSame(one.where, other.where)
      )
    case 'search':
      return other.kind === 'search' && JSON.stringify(one.query) === JSON.stringify(other.query)
  }
}

const isSameOperand = (one: Operand, other: Operand): boolean =>
  one.field === other.field && JSON.stringify(one.property) === JSON.stringify(other.property)

const textOf = (values: readonly BoundValue[]): string => JSON.stringify(values.map(({ value }) => value))
