/** Numbers of any size as Decimal128, which has 34 digits, and back as plain digits. */
import { Decimal128 } from 'mongodb'

const digitsMax = 34
/** The exponents of the last digit that a Decimal128 can have. */
const [exponentMin, exponentMax] = [-6176, 6111]

const parts = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?(?:[eE](?<power>[+-]?\d+))?$/

interface Parts {
  isNegative: boolean
  /** All digits as a whole number, and the power of ten of the last one. */
  digits: bigint
  exponent: number
}

function partsOf(text: string): Parts {
  const { sign, whole = '0', fraction = '', power = '0' } = parts.exec(text)?.groups ?? {}
  return {
    isNegative: sign === '-',
    digits: BigInt(whole + fraction),
    exponent: Number(power) - fraction.length,
  }
}

/** A number as a whole number and the power of ten of its last digit. */
export interface Exact {
  digits: bigint
  exponent: number
}

/** Returns a number with all its digits. */
export function exactOf(text: string): Exact {
  const { isNegative, digits, exponent } = partsOf(text)
  return { digits: isNegative ? -digits : digits, exponent }
}

/** Writes a number without an exponent. */
export function plainText({ digits, exponent }: Exact): string {
  const [sign, all] = digits < 0n ? ['-', String(-digits)] : ['', String(digits)]
  if (exponent >= 0) return digits === 0n ? '0' : `${sign}${all}${'0'.repeat(exponent)}`
  const padded = all.padStart(1 - exponent, '0')
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`
}

/** Returns a number as Decimal128. The caller has checked that it fits. Zero has no sign. */
export function decimalOf(text: string): Decimal128 {
  const { isNegative, digits, exponent } = partsOf(text)
  const sign = isNegative && digits !== 0n ? '-' : ''
  return Decimal128.fromString(`${sign}${digits}E${exponent}`)
}

/** Returns the largest Decimal128 that is not above a number, and whether it is that number. */
export function floorOf(text: string): { value: Decimal128; isExact: boolean } {
  const { isNegative, ...number } = partsOf(text)
  let { digits, exponent } = number
  let isExact = true
  if (digits === 0n) return { value: Decimal128.fromString('0'), isExact }
  const drop = Math.max(String(digits).length - digitsMax, exponentMin - exponent, 0)
  if (drop > 0) {
    const unit = drop > String(digits).length ? 0n : 10n ** BigInt(drop)
    const kept = unit === 0n ? 0n : digits / unit
    isExact = unit !== 0n && kept * unit === digits
    digits = isNegative && !isExact ? kept + 1n : kept
    exponent += drop
  }
  // Zeros at the end take the place of a large exponent.
  while (exponent > exponentMax && String(digits).length < digitsMax) {
    digits *= 10n
    exponent--
  }
  if (exponent > exponentMax)
    return {
      value: Decimal128.fromString(isNegative ? '-Infinity' : '9.999999999999999999999999999999999E6144'),
      isExact: false,
    }
  return { value: Decimal128.fromString(`${isNegative ? '-' : ''}${digits}E${exponent}`), isExact }
}

/** Writes a Decimal128 as a JSON number without an exponent; null if it is not a number. */
export function plainDecimal(value: Decimal128): string {
  const text = value.toString()
  if (!parts.test(text)) return 'null'
  return plainText(exactOf(text))
}
