/** Keywords for numbers. */
import { type Check, refuse } from '../run.ts'
import { type Family, numberIn } from './family.ts'

interface Bound {
  fits(value: number): boolean
  message: string
}

export const bounds: Family = ({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }) => {
  const least = numberIn(minimum)
  const most = numberIn(maximum)
  const list: Bound[] = []
  const above = (limit: number) => list.push({ fits: (value) => value > limit, message: `Ensure this value is greater than ${limit}.` })
  const below = (limit: number) => list.push({ fits: (value) => value < limit, message: `Ensure this value is less than ${limit}.` })
  // In draft-04 the exclusive ones are flags.
  if (least !== undefined && exclusiveMinimum === true) above(least)
  else if (least !== undefined) list.push({ fits: (value) => value >= least, message: `Ensure this value is greater than or equal to ${least}.` })
  if (most !== undefined && exclusiveMaximum === true) below(most)
  else if (most !== undefined) list.push({ fits: (value) => value <= most, message: `Ensure this value is less than or equal to ${most}.` })
  if (typeof exclusiveMinimum === 'number') above(exclusiveMinimum)
  if (typeof exclusiveMaximum === 'number') below(exclusiveMaximum)
  if (list.length === 0) return undefined
  const check: Check = (value, spot) => {
    if (typeof value !== 'number') return true
    let valid = true
    for (const bound of list) if (!bound.fits(value)) valid = refuse(spot, bound.message)
    return valid
  }
  return check
}

export const multiple: Family = ({ multipleOf }) => {
  const divisor = numberIn(multipleOf)
  if (divisor === undefined) return undefined
  const message = `Must be a multiple of ${divisor}.`
  return (value, spot) => {
    if (typeof value !== 'number') return true
    spot.run.spend(1 + digitsBetween(value, divisor) / digitsPerStep)
    return isMultiple(value, divisor) || refuse(spot, message)
  }
}

/** To divide decimals exactly takes a step for so many digits. */
const digitsPerStep = 20

/** How many digits it takes to write both numbers out. */
const digitsBetween = (a: number, b: number): number => Math.abs(Math.log10(Math.abs(a) || 1)) + Math.abs(Math.log10(b))

/** As the numbers are written: 0.3 is a multiple of 0.1, though the nearest binary numbers are not. */
function isMultiple(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0
  if (!Number.isFinite(value)) return false
  const [digits, exponent] = decimal(value)
  const [divisorDigits, divisorExponent] = decimal(divisor)
  const least = Math.min(exponent, divisorExponent)
  return (digits * 10n ** BigInt(exponent - least)) % (divisorDigits * 10n ** BigInt(divisorExponent - least)) === 0n
}

/** The number as whole digits and a power of ten. */
function decimal(value: number): [digits: bigint, exponent: number] {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return [BigInt(whole + fraction), Number(exponent) - fraction.length]
}
