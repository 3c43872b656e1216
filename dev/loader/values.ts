/** Converts values of files to values of the service, by the type of their field. No digit is lost. */
import { isRawNumber, numberText, readJsonVerbatim, wholeDigits } from '../../src/kernel/lib/exact-json.ts'
import { parseJson } from '../../src/kernel/lib/parse-json.ts'
import { quoteValue } from '../../src/kernel/lib/quote-value.ts'
import { formOf } from '../../src/kernel/lib/written/form.ts'
import { readNumber } from '../../src/kernel/lib/written/numbers.ts'
import { readWritten } from '../../src/kernel/lib/written/read-written.ts'
import type { Members } from './descriptor.ts'
import { Cell, CellError, CellMoment, CellNumber } from './rows/cells.ts'

/** Thrown for a text that is not a value of its field's type. */
export class ValueError extends Error {
  /** The problem without the text. */
  readonly problem: string

  constructor(text: string, problem: string) {
    super(`${quoteValue(text)} ${problem}`)
    this.problem = problem
  }
}

/** Reads a text. Throws ValueError. */
type ReadText = (text: string, field: Members) => unknown

const readJsonText: ReadText = (text) => {
  const parsed = parseJson(text)
  if ('value' in parsed) return readJsonVerbatim(text)
  throw new ValueError(text, parsed.isJson ? `cannot be read. ${parsed.problem}` : 'is not JSON.')
}

const readList: ReadText = (text, field) => {
  const items = text.split(typeof field.delimiter === 'string' ? field.delimiter : ',')
  return items.map((item) => readText(field.itemType, item, { ...field, format: undefined }))
}

/** A longitude and a latitude, separated by a comma and any space. */
const readGeopoint: ReadText = (text, { format }) => {
  if (format === 'array' || format === 'object') return readJsonText(text, {})
  return /^\S+, ?\S+$/.test(text) ? text : text.trim().replace(/\s*,\s*/, ', ')
}

/** The types whose texts are JSON, or need no reading. */
const readers: Record<string, ReadText> = {
  object: readJsonText,
  array: readJsonText,
  geojson: readJsonText,
  geopoint: readGeopoint,
  list: readList,
  uuid: (text) => text.trim(),
}

/** Reads a text as a value of a type. Throws ValueError. */
function readText(type: unknown, text: string, field: Members): unknown {
  const name = typeof type === 'string' ? type : 'string'
  const reading = readWritten(name, text, formOf(field))
  if (!reading) {
    const read = readers[name]
    return read ? read(text, field) : text
  }
  if ('problem' in reading) throw new ValueError(text, reading.problem + reading.hint)
  return 'number' in reading ? JSON.rawJSON(reading.number) : reading.value
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
    return readText(field.type, value, field)
  }
  if (value instanceof Cell) return missing.has(value.text) ? null : convertCell(field, value)
  const text = numberText(value)
  if (text !== undefined && missing.has(text)) return null
  return isRawNumber(value) && field.type === 'string' ? value.rawJSON : value
}

/** Converts a value of a spreadsheet, which may be in a column of any type. */
function convertCell(field: Members, cell: Cell): unknown {
  if (cell instanceof CellError) throw new ValueError(cell.text, cell.problem)
  if (cell instanceof CellNumber) return convertNumber(field, cell.text)
  return cell instanceof CellMoment ? convertMoment(field, cell) : cell.text
}

function convertNumber(field: Members, text: string): unknown {
  if (field.type === 'any') return JSON.rawJSON(readNumber(text, {}) ?? 'null')
  const value = readText(field.type, text, { ...field, decimalChar: undefined, groupChar: undefined })
  return value === text ? (wholeDigits(text) ?? text) : value
}

/** Converts a date, a time of day or a duration. Other types than these get the text that the sheet shows. */
function convertMoment({ type = 'string' }: Members, { type: own, values, text }: CellMoment): unknown {
  const value = values.get(String(type))
  if (value !== undefined) return type === 'year' ? JSON.rawJSON(value) : value
  if (['date', 'datetime', 'time', 'duration', 'year'].includes(String(type)))
    throw new ValueError(text, `is a ${own} in its sheet, not a ${type}.`)
  return values.get('string') ?? text
}
