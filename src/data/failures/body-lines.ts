/** Reads a CSV or JSON lines body as an array of records. */
import { jsonRefused, tooManyRows } from '../../kernel/http/body-errors.ts'
import type { SentBody } from '../../kernel/http/body-formats.ts'
import { bodyBytesMax } from '../../kernel/http/failures.ts'
import { CsvFault, type CsvRow, csvRows, lengthFault } from '../../kernel/lib/csv.ts'
import { isJsonNumber } from '../../kernel/lib/exact-json.ts'
import { faultText } from '../../kernel/lib/json-fault.ts'
import { faultInLine } from '../../kernel/lib/json-place.ts'
import { anyJson, JsonScanner, type JsonShape } from '../../kernel/lib/json-scan.ts'
import { ProblemList } from '../../kernel/lib/problem-list.ts'
import type { Field } from '../model/field.ts'
import type { Table } from '../model/table.ts'
import { type Form, type RecordsBody, readBody, rowsMax } from './body.ts'
import { invalidRecords, malformedLines, recordsTooLong } from './errors.ts'

/** A record as JSON text, with the line on which it begins. */
interface Line {
  line: number
  json: string
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const lineFeed = 0x0a

/** Reads a body for a table. Throws as `readBody` and `readLines` do. */
export const readSent = ({ text, format, scan }: SentBody, form: Form, table: Table): RecordsBody =>
  format === 'json' ? readBody(text, form, scan) : readLines(text, format, form, table)

/** Tells whether a body contains several records: an array, or lines. */
export const isBulk = ({ format, scan }: SentBody): boolean => format !== 'json' || scan?.isArray === true

/**
 * Reads a CSV or JSON lines body for a table. Throws 400 with the line and the column for invalid CSV or
 * JSON, and 413 for too many records.
 */
function readLines(text: string, format: 'csv' | 'ndjson', form: Form, table: Table): RecordsBody {
  if (format === 'ndjson') return bodyOf(gathered(jsonLines(text)), form)
  try {
    const rows = csvRows(text)
    const first = rows.next()
    const columns = columnsOf(first.done ? undefined : first.value, table, form)
    const places = new Map(columns.map(({ name }, index) => [name, index + 1]))
    return bodyOf(gathered(csvLines(rows, columns)), form, places)
  } catch (fault) {
    if (fault instanceof CsvFault) throw malformedLines('CSV', fault.line, fault.column, fault.message)
    throw fault
  }
}

function bodyOf(all: readonly Line[], form: Form, columns?: ReadonlyMap<string, number>): RecordsBody {
  const body = readBody(`[${all.map(({ json }) => json).join(',')}]`, form)
  return { ...body, places: { lines: all.map(({ line }) => line), ...(columns ? { columns } : {}) } }
}

/** Collects the lines. Throws 413 if a body may not have so many, or if they are too long. */
function gathered(lines: Iterable<Line>): Line[] {
  const all: Line[] = []
  let length = 0
  for (const line of lines) {
    all.push(line)
    length += line.json.length
    if (all.length > rowsMax) throw tooManyRows(rowsMax)
    if (length > bodyBytesMax) throw recordsTooLong(bodyBytesMax)
  }
  return all
}

/** The shape of the records of lines. */
const recordShape: JsonShape = { members: 'table' }

function* jsonLines(text: string): Generator<Line> {
  const scanner = new JsonScanner(recordShape)
  const bytes = encoder.encode(text)
  let line = 0
  let empty = 0
  for (let start = 0; start < bytes.length; ) {
    line++
    const next = bytes.indexOf(lineFeed, start)
    const end = next === -1 ? bytes.length : next
    const { fault } = scanner.scan(bytes, start, end)
    if (fault?.kind === 'values') throw jsonRefused(fault)
    if (fault && fault.kind !== 'repeated') throw malformedLines('JSON', line, undefined, faultText(fault))
    const json = decoder.decode(bytes.subarray(start, end))
    start = end + 1
    if (json.trim() === '') {
      if (++empty > rowsMax) throw tooManyRows(rowsMax)
      continue
    }
    const wrong = faultInLine(json)
    if (wrong) throw malformedLines('JSON', line, wrong.column, `${wrong.reason}.`)
    if (fault) throw malformedLines('JSON', line, undefined, faultText(fault))
    yield { line, json }
  }
}

/** A column of CSV. */
interface Column {
  name: string
  /** Undefined: no field has its name. */
  field: Field | undefined
}

/** Reads the header. In a body with keys, the column `id` can stand for the primary key. */
function columnsOf(header: CsvRow | undefined, { fields, primaryKey }: Table, form: Form): Column[] {
  if (!header) throw malformedLines('CSV', 1, 1, 'The first line must contain the field names.')
  const problems = new ProblemList()
  const seen = new Set<string>()
  const key = form === 'many' && primaryKey.length === 1 ? primaryKey[0] : undefined
  const columns = header.values.map((text, index): Column => {
    const name = text ?? ''
    const field = fields.get(name) ?? (name === 'id' ? key : undefined)
    const tell = (message: string) =>
      problems.add(name || wholeBody, `line ${header.line}, column ${index + 1}: ${message}`)
    if (name === '') tell('The column has no name.')
    else if (seen.has(name)) tell('The column occurs twice.')
    else if (!field) tell(`Unknown field. Fields: ${[...fields.keys()].join(', ')}.`)
    seen.add(name)
    return { name, field }
  })
  if (!problems.isEmpty) throw invalidRecords(problems.details())
  return columns
}

/** The name under which messages appear that concern no single field. */
const wholeBody = 'non_field_errors'

function* csvLines(rows: Iterable<CsvRow>, columns: readonly Column[]): Generator<Line> {
  const scanner = new JsonScanner(anyJson)
  let empty = 0
  const names = columns.map(({ name }) => JSON.stringify(name))
  for (const { line, values } of rows) {
    if (values.length === 1 && values[0] === null && columns.length > 1) {
      if (++empty > rowsMax) throw tooManyRows(rowsMax)
      continue
    }
    if (values.length !== columns.length)
      throw invalidRecords({
        [wholeBody]: [`line ${line}: ${lengthFault(values.length, columns.length)}`],
      })
    const members = values.map((value, index) => {
      const { name = '', field } = columns[index] ?? {}
      const refuse: Refuse = (problem) => {
        throw invalidRecords({ [name]: [`line ${line}, column ${index + 1}: ${problem}`] })
      }
      return `${names[index]}:${jsonOf(value, field, scanner, refuse)}`
    })
    const json = `{${members.join(',')}}`
    yield { line, json }
  }
}

/**
 * Returns a value as JSON, by the type of its field. A value of another type stays a string and is rejected
 * later.
 */
function jsonOf(
  value: string | null,
  field: Field | undefined,
  scanner: JsonScanner,
  refuse: Refuse,
): string {
  if (value === null) return 'null'
  const type = field?.type.column.strings.join() ?? 'text'
  return readers[type]?.(value, scanner, refuse) ?? JSON.stringify(value)
}

/** Throws the 400 for a value, with its problem. */
type Refuse = (problem: string) => never
type Reader = (value: string, scanner: JsonScanner, refuse: Refuse) => string | undefined

/**
 * The readers of values of types that are not strings in JSON. They return undefined for a value of another
 * type.
 */
const readers: Readonly<Record<string, Reader>> = {
  bigint: (value) => (isJsonNumber(value) ? value : undefined),
  numeric: (value) => (isJsonNumber(value) ? value : undefined),
  boolean: (value) => (/^(?:true|false)$/i.test(value) ? value.toLowerCase() : undefined),
  jsonb: (value, scanner, refuse) => (isJson(value, scanner, refuse) ? value : undefined),
}

/**
 * Tells whether a text is JSON. Refuses JSON that must not be read, for example with a name twice in one
 * object. Throws 413 if the values that were scanned have too many members together.
 */
function isJson(text: string, scanner: JsonScanner, refuse: Refuse): boolean {
  const { fault } = scanner.scan(encoder.encode(text))
  if (fault?.kind === 'values') throw jsonRefused(fault)
  try {
    JSON.parse(text)
  } catch {
    return false
  }
  if (fault) refuse(faultText(fault))
  return true
}
