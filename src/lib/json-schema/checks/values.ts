/** Keywords for values of every type: `type`, `const`, `enum`. */
import { isObject } from '../document.ts'
import { refuse } from '../run.ts'
import { either, quoted } from '../words.ts'
import { type Family, listIn, namesIn } from './family.ts'

const isOf: Record<string, (value: unknown) => boolean> = {
  array: Array.isArray,
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  null: (value) => value === null,
  number: (value) => typeof value === 'number',
  object: isObject,
  string: (value) => typeof value === 'string',
}

export const type: Family = ({ type }) => {
  const types = typeof type === 'string' ? [type] : namesIn(type)
  const tests = types.flatMap((name) => isOf[name] ?? [])
  if (types.length === 0) return undefined
  const message = `Must be of type ${either(types)}.`
  return (value, spot) => tests.some((test) => test(value)) || refuse(spot, message)
}

export const constant: Family = ({ const: wanted }) => {
  if (wanted === undefined) return undefined
  const message = `Must be ${quoted(wanted)}.`
  return (value, spot) => (sameKind(value, wanted) && spot.run.keyOf(value) === spot.run.keyOf(wanted)) || refuse(spot, message)
}

export const enumeration: Family = ({ enum: wanted }, { weigh }) => {
  if (wanted === undefined) return undefined
  const values = listIn(wanted)
  weigh(values.length)
  const message = values.length > 0 ? `Must be one of: ${either(values.map(quoted))}.` : 'No value is allowed here.'
  const plain = new Set(values.filter((value) => typeof value !== 'object' || value === null))
  const others = values.filter((value) => typeof value === 'object' && value !== null)
  return (value, spot) => {
    const { run } = spot
    const found =
      typeof value !== 'object' || value === null
        ? plain.has(value)
        : others.some((other) => sameKind(value, other) && run.keyOf(value) === run.keyOf(other))
    return found || refuse(spot, message)
  }
}

/** Whether two values could be equal. It is cheaper to ask than their keys. */
const sameKind = (a: unknown, b: unknown): boolean => typeof a === typeof b && Array.isArray(a) === Array.isArray(b)
