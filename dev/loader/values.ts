/** Converts values of files to values of the service, by the type of their field. No digit is lost. */
import { isRawNumber, numberText, readJsonVerbatim, wholeDigits } from '../../src/lib/exact-json.ts'
import { quoteValue } from '../../src/lib/quote-value.ts'
import { readDate, readDatetime, readTime } from './dates.ts'
import type { Members } from './descriptor.ts'
import { CellNumber } from './rows/row.ts'

/** Thrown for a text that is not a value of its field's type. */
export class ValueError extends Error {}

/** Reads a text. Throws ValueError. */
type ReadText = (text: string, field: Members) => unknown

const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

/** Returns a number as JSON if the file writes it in another form, for example `+.50`. */
function jsonNumber(text: string): string | undefined {
  if (!number.test(text)) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = ''] =
    /^([+-]?)0*(\d*)\.?(\d*)((?:[eE].*)?)$/.exec(text) ?? []
  return `${sign === '-' ? '-' : ''}${whole || '0'}${fraction ? `.${fraction}` : ''}${exponent}`
}

/** Returns the text of a number without separators, and without the units that `bareNumber: false` allows. */
function bare(written: string, field: Members): string {
  const { groupChar, decimalChar, bareNumber } = field
  let text = written.trim()
  if (bareNumber === false) text = text.replace(/^[^\d+.-]+|[^\d.]+$/g, '').trim()
  if (typeof groupChar === 'string' && groupChar !== '') text = text.replaceAll(groupChar, '')
  return typeof decimalChar === 'string' && decimalChar !== '' ? text.replace(decimalChar, '.') : text
}

const readNumber: ReadText = (text, field) => {
  const json = jsonNumber(bare(text, field))
  if (json !== undefined) return JSON.rawJSON(json)
  if (/^[+-]?(?:nan|inf(?:inity)?)$/i.test(text.trim()))
    throw new ValueError(
      `${quoteValue(text)} cannot be stored. Add it to "missingValues" to load it as no value.`,
    )
  throw new ValueError(`${quoteValue(text)} is not a number.${numberHint(text, field)}`)
}

/** Suggests a setting for a number that is written with commas, a unit or a percent sign. */
function numberHint(text: string, { groupChar, decimalChar, bareNumber }: Members): string {
  if (text.includes(',') && groupChar === undefined && decimalChar === undefined)
    return (
      ' If the comma separates thousands, set "groupChar": "," of the field; if decimals, "decimalChar": ' +
      '",".'
    )
  if (/^\D{0,3}[\d.,]+\D{0,4}$/.test(text.trim()) && bareNumber !== false)
    return ' If the number has a unit, set "bareNumber": false for the field.'
  return ''
}

const readInteger: ReadText = (text, field) => {
  const json = jsonNumber(bare(text, field))
  const digits = json === undefined ? undefined : wholeDigits(json)
  if (digits !== undefined) return JSON.rawJSON(digits)
  const hint = json === undefined ? numberHint(text, field) : ' The type of its field could be "number".'
  throw new ValueError(`${quoteValue(text)} is not a whole number.${hint}`)
}

/** Returns the texts for true or false, which a field may declare. */
const words = (field: Members, name: string, usual: readonly string[]): readonly string[] =>
  Array.isArray(field[name]) ? field[name].map(String) : usual

const readBoolean: ReadText = (text, field) => {
  const yes = words(field, 'trueValues', ['true', 'True', 'TRUE', '1'])
  const no = words(field, 'falseValues', ['false', 'False', 'FALSE', '0'])
  const word = text.trim()
  if (yes.includes(word)) return true
  if (no.includes(word)) return false
  throw new ValueError(
    `${quoteValue(text)} is neither ${yes.join(', ')} nor ${no.join(', ')}. Other words are named by ` +
      `"trueValues" and "falseValues" of the field.`,
  )
}

const readJsonText: ReadText = (text) => {
  try {
    return readJsonVerbatim(text)
  } catch {
    throw new ValueError(`${quoteValue(text)} is not JSON.`)
  }
}

const readList: ReadText = (text, field) => {
  const items = text.split(typeof field.delimiter === 'string' ? field.delimiter : ',')
  const read = readers[typeof field.itemType === 'string' ? field.itemType : 'string']
  return read ? items.map((item) => read(item, { ...field, format: undefined })) : items
}

/** A longitude and a latitude, separated by a comma and any space. */
const readGeopoint: ReadText = (text, { format }) => {
  if (format === 'array' || format === 'object') return readJsonText(text, {})
  return /^\S+, ?\S+$/.test(text) ? text : text.trim().replace(/\s*,\s*/, ', ')
}

const readers: Record<string, ReadText> = {
  integer: readInteger,
  year: readInteger,
  number: readNumber,
  boolean: readBoolean,
  date: (text, field) => orThrow(readDate(text, formatOf(field)), text, field, 'a date', '2026-01-31'),
  time: (text, field) => orThrow(readTime(text, formatOf(field)), text, field, 'a time of day', '18:30:00'),
  datetime: (text, field) =>
    orThrow(readDatetime(text, formatOf(field)), text, field, 'a date and time', '2026-01-31T18:30:00Z'),
  object: readJsonText,
  array: readJsonText,
  geojson: readJsonText,
  geopoint: readGeopoint,
  list: readList,
  uuid: (text) => text.trim(),
}

const formatOf = ({ format }: Members): string | undefined =>
  typeof format === 'string' ? format : undefined

/** Suggests the type for a text without a day. */
const partOfDate = (text: string): string | undefined =>
  /^\d{4}(?:-\d{2})?$/.test(text.trim())
    ? ` It has no day: declare the type "${text.includes('-') ? 'yearmonth' : 'year'}".`
    : undefined

function orThrow(
  value: string | undefined,
  text: string,
  field: Members,
  what: string,
  example: string,
): string {
  if (value !== undefined) return value
  const format = formatOf(field)
  const wanted =
    format === undefined || format === 'default' ? `, for example ${example}` : ` of the format ${format}`
  const hint =
    format === undefined || format === 'default'
      ? ' Another form is named by the "format" of the field, for example "%d.%m.%Y".'
      : ''
  throw new ValueError(`${quoteValue(text)} is not ${what}${wanted}.${partOfDate(text) ?? hint}`)
}

/** How a file represents a field's values. */
export interface Written {
  /** The field as its file describes it. */
  field: Members
  /** The texts that mean "no value". */
  missing: ReadonlySet<string>
}

/** Returns a value for the service; null if there is none. Throws ValueError. */
export function convertValue({ field, missing }: Written, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') {
    if (missing.has(value)) return null
    const read = readers[typeof field.type === 'string' ? field.type : 'string']
    return read ? read(value, field) : value
  }
  if (value instanceof CellNumber) return convertCell(field, value.text, missing)
  if (value instanceof Date) return convertDay(field, value)
  const text = numberText(value)
  if (text !== undefined && missing.has(text)) return null
  return isRawNumber(value) && field.type === 'string' ? value.rawJSON : value
}

/** Converts a number of a spreadsheet, which may be in a column of any type. */
function convertCell(field: Members, text: string, missing: ReadonlySet<string>): unknown {
  if (missing.has(text)) return null
  if (field.type === 'any') return JSON.rawJSON(jsonNumber(text) ?? 'null')
  const read = readers[typeof field.type === 'string' ? field.type : 'string']
  return read
    ? read(text, { ...field, decimalChar: undefined, groupChar: undefined })
    : (wholeDigits(text) ?? text)
}

/** Converts a date of a spreadsheet, which may be in a column of dates, times or texts. */
function convertDay({ type }: Members, day: Date): unknown {
  const text = day.toISOString().replace('.000Z', 'Z')
  if (type === 'date' || (type !== 'datetime' && type !== 'time' && text.endsWith('T00:00:00Z')))
    return text.slice(0, 10)
  if (type === 'time') return text.slice(11, -1)
  return type === 'year' ? JSON.rawJSON(text.slice(0, 4)) : text
}
