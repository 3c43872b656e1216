/** Parses JSON without losing digits of its numbers, which JSON.parse converts to doubles. R6. */

/** A number that a double cannot represent, as text. JSON.stringify writes that text. */
export interface RawNumber {
  readonly rawJSON: string
}

declare global {
  interface JSON {
    rawJSON(text: string): RawNumber
    isRawJSON(value: unknown): value is RawNumber
  }
}

export const isRawNumber = (value: unknown): value is RawNumber => JSON.isRawJSON(value)

/** Thrown by `readJson` if the numbers of a text have too many digits. */
export class TooManyDigits extends Error {}

/** What a scan has found about the numbers of a text (json-scan.ts). */
interface FoundNumbers {
  isInexact: boolean
  digits: number
}

/**
 * Parses JSON. Numbers that a double cannot represent become RawNumbers. Throws SyntaxError, and
 * TooManyDigits if all numbers together have more than `digitsMax` digits when written without exponents.
 * A text that was scanned is not searched again.
 */
export function readJson(text: string, digitsMax = Infinity, found?: FoundNumbers): unknown {
  if (found && found.digits > digitsMax) throw new TooManyDigits()
  if (!(found?.isInexact ?? mayBeInexact(text, digitsMax))) return JSON.parse(text)
  let digits = 0
  return parse(text, (source, value) => {
    digits += writtenLength(source)
    if (digits > digitsMax) throw new TooManyDigits()
    return isExact(source, value)
  })
}

/**
 * Parses JSON. Numbers that JSON.stringify would write differently, for example `1.0`, `1e22` or `-0`, become
 * RawNumbers.
 */
export const readJsonVerbatim = (text: string): unknown =>
  reformattedNumber.test(text) ? parse(text, (source, value) => source === String(value)) : JSON.parse(text)

/** Tells whether a double has the value that its source writes. */
export const isExact = (source: string, value: number): boolean =>
  source === String(value) || sortKeyOf(source) === sortKeyOf(String(value))

/**
 * Tells whether a number may be inexact, or the numbers too long. Text in strings may cause a false positive,
 * which only costs time.
 */
function mayBeInexact(text: string, digitsMax: number): boolean {
  let digits = 0
  for (const [, source = ''] of text.matchAll(longNumber)) {
    digits += writtenLength(source)
    if (digits > digitsMax || !isExact(source, Number(source))) return true
  }
  return false
}

/** Matches a number with 16 or more digits, or with an exponent. */
const longNumber = /(?:^|[:,[])\s*(-?(?:\d[\d.]{15}|[\d.]+[eE])[\d.eE+-]*)/g
/** Matches a number with a fraction, an exponent or 16 digits, and -0. */
const reformattedNumber = /(?:^|[:,[])\s*(?:-0|-?\d+[.eE]|-?\d{16})/

const parse = (text: string, isSafe: (source: string, value: number) => boolean): unknown =>
  JSON.parse(text, (_name, value: unknown, context?: { source?: string }) => {
    const source = context?.source
    return typeof value !== 'number' || source === undefined || isSafe(source, value)
      ? value
      : JSON.rawJSON(source)
  })

/** Returns the text of a number or a RawNumber; undefined for any other value. */
export function numberText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return isRawNumber(value) ? value.rawJSON : undefined
}

/** Returns a string unchanged, and any other value as JSON. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Parses a text that is a JSON number. Returns undefined for any other text. */
export const numberOf = (text: string): unknown => (isJsonNumber(text) ? readJson(text) : undefined)

export const isJsonNumber = (text: string): boolean => jsonNumber.test(text)

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Replaces RawNumbers in a value by the nearest doubles, for code that computes with them. */
export function withDoubles(value: unknown): unknown {
  if (isRawNumber(value)) return Number(value.rawJSON)
  if (Array.isArray(value)) return value.map(withDoubles)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withDoubles(member)]))
}

/** The number `digits` × 10^`exponent`. `digits` does not begin or end with 0, and is empty for zero. */
interface Decimal {
  isNegative: boolean
  digits: string
  exponent: number
}

/** Parses a number as JSON or JavaScript writes it. */
export function decimalOf(text: string): Decimal {
  const [, sign, whole = '', fraction = '', power = '0'] =
    /^(-?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const all = (whole + fraction).replace(/^0+/, '')
  let end = all.length
  while (all[end - 1] === '0') end--
  return {
    isNegative: sign === '-',
    digits: all.slice(0, end),
    exponent: end === 0 ? 0 : Number(power) - fraction.length + all.length - end,
  }
}

/** Returns the exact sum of numbers as JSON writes them. */
export function sumOf(texts: readonly string[]): string {
  const all = texts.map(decimalOf)
  const exponent = Math.min(0, ...all.map((one) => one.exponent))
  const units = all.reduce((sum, one) => {
    const unit = BigInt(one.digits || '0') * 10n ** BigInt(one.exponent - exponent)
    return one.isNegative ? sum - unit : sum + unit
  }, 0n)
  const digits = String(units < 0n ? -units : units).padStart(1 - exponent, '0')
  const [whole, fraction] = [
    digits.slice(0, digits.length + exponent),
    digits.slice(digits.length + exponent),
  ]
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** Returns a text that sorts like the number. Equal numbers have equal texts. */
export function sortKeyOf(text: string): string {
  const { isNegative, digits, exponent } = decimalOf(text)
  if (digits === '') return 'o'
  // The number is 0.<digits> × 10^magnitude. The magnitude is compared first, then the digits.
  const magnitude = exponent + digits.length
  if (!Number.isSafeInteger(magnitude)) return `${isNegative ? 'n' : 'p'}${magnitude}`
  if (!isNegative) return `p${padded(2 ** 52 + magnitude)}${digits}`
  return `n${padded(2 ** 52 - magnitude)}${digits.replace(/\d/g, (digit) => String(9 - Number(digit)))}~`
}

const padded = (number: number): string => String(number).padStart(16, '0')

/**
 * Returns the digits of a whole number, also of `1e3` and `1.0`. Returns undefined for a fraction, or for
 * more than 19 digits.
 */
export function wholeDigits(text: string): string | undefined {
  const { isNegative, digits, exponent } = decimalOf(text)
  if (digits === '') return '0'
  if (exponent < 0 || digits.length + exponent > 19) return undefined
  return `${isNegative ? '-' : ''}${digits}${'0'.repeat(exponent)}`
}

/** Tells whether a number has no fraction. */
export const isWholeNumber = (text: string): boolean => decimalOf(text).exponent >= 0

/** The maximum number of digits of Postgres's numeric before the decimal point. */
const wholeMax = 131_072
/** The maximum number of digits of it after the decimal point. */
const fractionMax = 16_383

/** Returns why Postgres cannot store a number; undefined if it can. */
export function numberProblem(text: string): string | undefined {
  const { before, after } = writtenDigits(text)
  return before <= wholeMax && after <= fractionMax
    ? undefined
    : `A number may have at most ${wholeMax} digits before the decimal point and ${fractionMax} after it.`
}

/** Counts the digits of a number without exponent, before and after the decimal point. */
function writtenDigits(text: string): { before: number; after: number } {
  const [mantissa = '', power = '0'] = text.split(/[eE]/)
  const fraction = mantissa.split('.')[1]?.length ?? 0
  const { digits, exponent } = decimalOf(text)
  return {
    before: digits === '' ? Math.abs(Number(power)) : Math.max(1, digits.length + exponent),
    after: Math.max(0, fraction - Number(power)),
  }
}

/** Counts the digits of a number when it is written without exponent, up to the limits of Postgres. */
export function writtenLength(text: string): number {
  const { before, after } = writtenDigits(text)
  return Math.min(before, wholeMax) + Math.min(after, fractionMax)
}
