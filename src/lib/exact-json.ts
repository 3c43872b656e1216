/** Reads JSON without losing a digit of its numbers. JSON.parse alone makes doubles of them. R6. */

/** A number that a double does not hold, as its text. JSON.stringify writes that text. */
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

/** Thrown by readJson. */
export class TooManyDigits extends Error {}

/** Reads JSON. Numbers that a double does not hold are RawNumbers. Throws TooManyDigits if its numbers written out have more digits than `digitsMax`. */
export function readJson(text: string, digitsMax = Infinity): unknown {
  if (!mayNeedCare(text, digitsMax)) return JSON.parse(text)
  let digits = 0
  return parse(text, (source, value) => {
    digits += writtenLength(source)
    if (digits > digitsMax) throw new TooManyDigits()
    return isExact(source, value)
  })
}

/** The same, but numbers that JSON.stringify would write in another way, as `1.0`, `1e22` or `-0`, are RawNumbers, too. */
export const readVerbatim = (text: string): unknown =>
  rewritten.test(text) ? parse(text, (source, value) => source === String(value)) : JSON.parse(text)

const isExact = (source: string, value: number): boolean => source === String(value) || comparable(source) === comparable(String(value))

/** Whether a number may be inexact, or the numbers too long. Strings can make it true by mistake, and never false: it only decides how the text is read. */
function mayNeedCare(text: string, digitsMax: number): boolean {
  let digits = 0
  for (const [, source = ''] of text.matchAll(long)) {
    digits += writtenLength(source)
    if (digits > digitsMax || !isExact(source, Number(source))) return true
  }
  return false
}

/** A number of 16 digits or more, or with an exponent. */
const long = /(?:^|[:,[])\s*(-?(?:\d[\d.]{15}|[\d.]+[eE])[\d.eE+-]*)/g
/** A number that has a fraction, an exponent or 16 digits, or is -0. */
const rewritten = /(?:^|[:,[])\s*(?:-0|-?\d+[.eE]|-?\d{16})/

const parse = (text: string, isKept: (source: string, value: number) => boolean): unknown =>
  JSON.parse(text, (_name, value: unknown, context?: { source?: string }) => {
    const source = context?.source
    return typeof value !== 'number' || source === undefined || isKept(source, value) ? value : JSON.rawJSON(source)
  })

/** The text of a number, whichever of the two it is; undefined for any other value. */
export function numberText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return isRawNumber(value) ? value.rawJSON : undefined
}

/** A text as it is; anything else as its JSON. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The number of a text; undefined if the text is no number of JSON. */
export const numberOf = (text: string): unknown => (jsonNumber.test(text) ? readJson(text) : undefined)

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** A value with doubles in the place of its RawNumbers: for what computes with them. */
export function approximate(value: unknown): unknown {
  if (isRawNumber(value)) return Number(value.rawJSON)
  if (Array.isArray(value)) return value.map(approximate)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, approximate(member)]))
}

/** `digits` × 10^`exponent`; `digits` neither begins nor ends with a 0, and those of zero are ''. */
interface Decimal {
  isNegative: boolean
  digits: string
  exponent: number
}

/** Of a text that is a number of JSON or JavaScript. */
function decimalOf(text: string): Decimal {
  const [, sign, whole = '', fraction = '', power = '0'] = /^(-?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const all = (whole + fraction).replace(/^0+/, '')
  let end = all.length
  while (all[end - 1] === '0') end--
  return { isNegative: sign === '-', digits: all.slice(0, end), exponent: end === 0 ? 0 : Number(power) - fraction.length + all.length - end }
}

/** A text by which numbers are compared: equal numbers have equal ones, and the order of texts is that of the numbers. */
export function comparable(text: string): string {
  const { isNegative, digits, exponent } = decimalOf(text)
  if (digits === '') return 'o'
  // Of 0.<digits> × 10^magnitude the magnitude decides, then the digits.
  const magnitude = exponent + digits.length
  if (!Number.isSafeInteger(magnitude)) return `${isNegative ? 'n' : 'p'}${magnitude}`
  if (!isNegative) return `p${padded(2 ** 52 + magnitude)}${digits}`
  return `n${padded(2 ** 52 - magnitude)}${digits.replace(/\d/g, (digit) => String(9 - Number(digit)))}~`
}

const padded = (number: number): string => String(number).padStart(16, '0')

/** The digits of a whole number, `1e3` and `1.0` among them; undefined if the text has a fraction or is beyond 64 bits. */
export function wholeDigits(text: string): string | undefined {
  const { isNegative, digits, exponent } = decimalOf(text)
  if (digits === '') return '0'
  if (exponent < 0 || digits.length + exponent > 19) return undefined
  return `${isNegative ? '-' : ''}${digits}${'0'.repeat(exponent)}`
}

/** Whether a number has no fraction. */
export const isWhole = (text: string): boolean => decimalOf(text).exponent >= 0

/** How many digits Postgres's numeric has before the point and after it. */
const wholeMax = 131_072
const fractionMax = 16_383

/** Why Postgres cannot hold a number; undefined if it can. */
export function numberProblem(text: string): string | undefined {
  const { before, after } = writtenDigits(text)
  return before <= wholeMax && after <= fractionMax ? undefined : `A number may have ${wholeMax} digits before the point and ${fractionMax} after it.`
}

/** The digits of a number as Postgres writes it out, before the point and after it. */
function writtenDigits(text: string): { before: number; after: number } {
  const [mantissa = '', power = '0'] = text.split(/[eE]/)
  const fraction = mantissa.split('.')[1]?.length ?? 0
  const { digits, exponent } = decimalOf(text)
  return { before: digits === '' ? Math.abs(Number(power)) : Math.max(1, digits.length + exponent), after: Math.max(0, fraction - Number(power)) }
}

/** At most: what Postgres cannot hold is not written out. */
function writtenLength(text: string): number {
  const { before, after } = writtenDigits(text)
  return Math.min(before, wholeMax) + Math.min(after, fractionMax)
}
