/** Reads numbers as people write them. A text is a number as a whole, or it is none. */
import type { Form } from './form.ts'

/** The longest text that is read: a number of Postgres has fewer characters. */
const lengthMax = 200_000

/** Returns a number as JSON, with all digits that are written; undefined if the text is no number. */
export function readNumber(written: string, form: Form): string | undefined {
  if (written.length > lengthMax) return undefined
  const text = withoutUnit(plainSigns(written).trim(), form)
  const match = text === undefined ? null : expressionOf(form).exec(text)
  if (!match) return undefined
  const { sign, whole = '', fraction, alone = '', exponent = '' } = match.groups ?? {}
  const digits = whole.replace(/\D/g, '').replace(/^0+/, '')
  const after = fraction || alone
  return `${sign === '-' ? '-' : ''}${digits || '0'}${after && `.${after}`}${exponent}`
}

/** Writes each blank as a space, each apostrophe as `'`, and the minus sign as a hyphen. */
const plainSigns = (text: string): string => (ascii.test(text) ? text : withPlainSigns(text))

const ascii = /^[\x20-\x7e]*$/

const withPlainSigns = (text: string): string =>
  text
    .replace(/[\u00a0\u2007\u2009\u202f]/g, ' ')
    .replace(/[\u2019\u02bc]/g, "'")
    .replaceAll('\u2212', '-')

/** Removes a unit. A sign behind a number, or a parenthesis before it, could mean a minus. */
function withoutUnit(text: string, { bareNumber }: Form): string | undefined {
  if (bareNumber !== false) return text
  const start = /^[^\d+.,-]*/.exec(text)?.[0].length ?? 0
  let end = text.length
  while (end > start && !/[\d.]/.test(text[end - 1] as string)) end--
  return text.slice(0, start).includes('(') || /[-,]/.test(text.slice(end))
    ? undefined
    : text.slice(start, end)
}

const expressions = new Map<string, RegExp>()

/** Thousands are separated into groups of three, all of them, and only before the decimal sign. */
function expressionOf({ decimalChar = '.', groupChar = '' }: Form): RegExp {
  const key = `${decimalChar}\n${groupChar}`
  const known = expressions.get(key)
  if (known) return known
  const [decimal, group] = [escaped(decimalChar), escaped(groupChar)]
  const whole = group === '' ? '\\d+' : `\\d+|[1-9]\\d{0,2}(?:${group}\\d{3})+`
  const fractional =
    group === decimal
      ? `(?<whole>${whole})`
      : `(?:(?<whole>${whole})(?:${decimal}(?<fraction>\\d*))?|${decimal}(?<alone>\\d+))`
  const expression = new RegExp(`^(?<sign>[+-]?)${fractional}(?<exponent>[eE][+-]?\\d+)?$`)
  expressions.set(key, expression)
  return expression
}

const escaped = (sign: string): string => plainSigns(sign).replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
