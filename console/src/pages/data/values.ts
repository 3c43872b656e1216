/** Converts values to texts for an editor, and back. */
import { parseStrictly } from '../../../../src/kernel/lib/parse-json.ts'
import { readNumber } from '../../../../src/kernel/lib/written/numbers.ts'
import type { Field } from '../../session/queries.ts'
import { numberOf, parseExact } from '../../shared/exact-json.ts'
import { jsonTypes, numericTypes } from '../schema/field-kinds.ts'
import type { Operator } from './operators.ts'

/** Returns whether the values of a field are numbers. */
export const isNumeric = ({ type }: Field): boolean => numericTypes.has(type)

/** Returns whether the values of a field are JSON. */
export const isStructured = ({ type }: Field): boolean => jsonTypes.has(type)

/** Returns the text of a value in an editor. */
export function textOf(field: Field, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (isStructured(field)) return JSON.stringify(value, null, 2)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * Returns the value of a text. An empty text means no value. Integers beyond 2^53 stay strings, which the API
 * accepts. All other numbers keep the digits of the text; a text that is no number stays a text, which the
 * API refuses. Throws SyntaxError if the text must be JSON but is not, or has a name twice in one object.
 */
export function valueOfText(field: Field, text: string): unknown {
  if (isStructured(field)) return text.trim() === '' ? null : parseStrictly(text, parseExact)
  if (text === '') return null
  if (field.type === 'boolean') return text === 'true'
  if (!isNumeric(field)) return text
  const written = readNumber(text, {})
  if (written === undefined) return text.trim()
  const isLong = field.type !== 'number' && /^-?\d+$/.test(written) && !Number.isSafeInteger(Number(written))
  return isLong ? written : numberOf(written)
}

/** Returns whether a text can be a value of the field. Only JSON is checked. */
export function isReadable(field: Field, text: string): boolean {
  try {
    valueOfText(field, text)
    return true
  } catch {
    return false
  }
}

/** Returns the value of a filter for the entered texts. */
export function filterValue(field: Field, { entry }: Operator, text: string): unknown {
  if (entry === 'yes or no') return text !== 'false'
  if (entry === 'text') return text
  return entry === 'value' ? valueOfText(field, text) : partsOf(text).map((part) => valueOfText(field, part))
}

/** Splits a list at its commas. A part in quotes may have commas, and quotes that are doubled. */
const partsOf = (text: string): string[] =>
  [...`${text},`.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*?))\s*,/gy)].map(
    ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain,
  )

const quotedPart = (text: string): string =>
  /[",]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** Returns the text of a filter's value. */
export function filterText(value: unknown): string {
  if (Array.isArray(value)) return value.map((part) => quotedPart(String(part))).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
