/** The checks of the keywords for numbers. */

import { addProblem } from '../evaluation.ts'
import type { Check } from '../node.ts'
import { type Family, numberIn } from './family.ts'

interface Bound {
  allows(value: number): boolean
  message: string
}

/** `minimum`, `maximum`, `exclusiveMinimum` and `exclusiveMaximum` */
export const range: Family = ({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }) => {
  const least = numberIn(minimum)
  const most = numberIn(maximum)
  const bounds: Bound[] = []
  const above = (limit: number) =>
    bounds.push({ allows: (value) => value > limit, message: `Ensure this value is greater than ${limit}.` })
  const below = (limit: number) =>
    bounds.push({ allows: (value) => value < limit, message: `Ensure this value is less than ${limit}.` })
  // In draft-04, the exclusive keywords are booleans.
  if (least !== undefined && exclusiveMinimum === true) above(least)
  else if (least !== undefined)
    bounds.push({
      allows: (value) => value >= least,
      message: `Ensure this value is greater than or equal to ${least}.`,
    })
  if (most !== undefined && exclusiveMaximum === true) below(most)
  else if (most !== undefined)
    bounds.push({
      allows: (value) => value <= most,
      message: `Ensure this value is less than or equal to ${most}.`,
    })
  if (typeof exclusiveMinimum === 'number') above(exclusiveMinimum)
  if (typeof exclusiveMaximum === 'number') below(exclusiveMaximum)
  if (bounds.length === 0) return undefined
  const check: Check = (value, spot) => {
    if (typeof value !== 'number') return true
    let valid = true
    for (const bound of bounds) if (!bound.allows(value)) valid = addProblem(spot, bound.message)
    return valid
  }
  return check
}

/** `multipleOf` */
export const multiple: Family = ({ multipleOf }) => {
  const divisor = numberIn(multipleOf)
  if (divisor === undefined) return undefined
  const message = `Must be a multiple of ${divisor}.`
  return (value, spot) => {
    if (typeof value !== 'number') return true
    spot.run.spend(1 + digitsBetween(value, divisor) / digitsPerStep)
    return isMultiple(value, divisor) || addProblem(spot, message)
  }
}

/** The number of digits that are divided exactly in one step. */
const digitsPerStep = 20

/** Returns the approximate number of digits of both numbers together. */
const digitsBetween = (a: number, b: number): number =>
  Math.abs(Math.log10(Math.abs(a) || 1)) + Math.abs(Math.log10(b))

/** Compares the decimal forms: 0.3 is a multiple of 0.1, although the doubles are not. */
function isMultiple(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0
  if (!Number.isFinite(value)) return false
  const [digits, exponent] = decimal(value)
  const [divisorDigits, divisorExponent] = decimal(divisor)
  const least = Math.min(exponent, divisorExponent)
  return (
    (digits * 10n ** BigInt(exponent - least)) % (divisorDigits * 10n ** BigInt(divisorExponent - least)) ===
    0n
  )
}

/** Returns a number as an integer times a power of ten. */
function decimal(value: number): [digits: bigint, exponent: number] {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return [BigInt(whole + fraction), Number(exponent) - fraction.length]
}
