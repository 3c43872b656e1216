/** The checks of the keywords for values of every type: `type`, `const` and `enum`. */
import { isObject } from '../document.ts'
import { addProblem } from '../evaluation.ts'
import { listWithOr, quoteJson } from '../message-parts.ts'
import { type Family, listIn, namesIn } from './family.ts'

const typeChecks: Record<string, (value: unknown) => boolean> = {
  array: Array.isArray,
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  null: (value) => value === null,
  number: (value) => typeof value === 'number',
  object: isObject,
  string: (value) => typeof value === 'string',
}

/** `type` */
export const type: Family = ({ type }) => {
  const types = typeof type === 'string' ? [type] : namesIn(type)
  const checks = types.map((name) => typeChecks[name]).filter((check) => check !== undefined)
  if (types.length === 0) return undefined
  const message = `Must be of type ${listWithOr(types)}.`
  return (value, spot) => checks.some((check) => check(value)) || addProblem(spot, message)
}

/** `const` */
export const constant: Family = ({ const: wanted }) => {
  if (wanted === undefined) return undefined
  const message = `Must be ${quoteJson(wanted)}.`
  return (value, spot) =>
    (sameKind(value, wanted) && spot.run.keyOf(value) === spot.run.keyOf(wanted)) || addProblem(spot, message)
}

/** `enum` */
export const enumeration: Family = ({ enum: wanted }, { weigh }) => {
  if (wanted === undefined) return undefined
  const values = listIn(wanted)
  weigh(values.length)
  const message =
    values.length > 0 ? `Must be one of: ${listWithOr(values.map(quoteJson))}.` : 'No value is allowed here.'
  const plain = new Set(values.filter((value) => typeof value !== 'object' || value === null))
  const others = values.filter((value) => typeof value === 'object' && value !== null)
  return (value, spot) => {
    const { run } = spot
    const found =
      typeof value !== 'object' || value === null
        ? plain.has(value)
        : others.some((other) => sameKind(value, other) && run.keyOf(value) === run.keyOf(other))
    return found || addProblem(spot, message)
  }
}

/** Tells whether two values could be equal. This is cheaper than computing their keys. */
const sameKind = (a: unknown, b: unknown): boolean =>
  typeof a === typeof b && Array.isArray(a) === Array.isArray(b)
