/** Infers a Table Schema from the rows of a file that has none. */
import { isDate, isDatetime, timeOfDay } from '../../src/data/model/date-texts.ts'
import { isWholeNumber, numberText, readJson, wholeDigits } from '../../src/lib/exact-json.ts'
import { isUuid } from '../../src/lib/is-uuid.ts'
import { isMembers, type Members } from './descriptor.ts'
import { FaultsError } from './faults.ts'
import type { Files } from './files.ts'
import type { Resource } from './package.ts'
import { Refusal } from './refusal.ts'
import { CellNumber, type Row } from './rows/row.ts'
import { rowsOf } from './rows/rows.ts'

/** Tells whether a number is whole and within the range of integers, ±2^63. */
function isWhole(text: string): boolean {
  const digits = isWholeNumber(text) ? wholeDigits(text) : undefined
  return digits !== undefined && BigInt(digits) === BigInt.asIntN(64, BigInt(digits))
}

/** A type, with the test for texts in CSV and for values in JSON. The first matching type is used. */
interface Candidate {
  type: string
  isText(text: string): boolean
  isValue(value: unknown): boolean
}

const never = () => false
const isOf = (test: (text: string) => boolean) => (value: unknown) => typeof value === 'string' && test(value)

const candidates: readonly Candidate[] = [
  {
    type: 'integer',
    // A text such as 007 is a code, not a number.
    isText: (text) => /^-?(?:0|[1-9]\d*)$/.test(text) && isWhole(text),
    isValue: (value) => numberText(value) !== undefined && isWhole(numberText(value) ?? ''),
  },
  {
    type: 'number',
    isText: (text) => /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text),
    isValue: (value) => numberText(value) !== undefined,
  },
  {
    type: 'boolean',
    isText: (text) => /^(?:true|false|True|False|TRUE|FALSE)$/.test(text),
    isValue: (value) => typeof value === 'boolean',
  },
  { type: 'date', isText: isDate, isValue: isOf(isDate) },
  { type: 'datetime', isText: isDatetime, isValue: isOf(isDatetime) },
  {
    type: 'time',
    isText: (text) => timeOfDay.test(text),
    isValue: isOf((text) => timeOfDay.test(text)),
  },
  { type: 'uuid', isText: isUuid, isValue: isOf(isUuid) },
  { type: 'object', isText: (text) => text.startsWith('{') && isMembers(parsed(text)), isValue: isMembers },
  {
    type: 'array',
    isText: (text) => text.startsWith('[') && Array.isArray(parsed(text)),
    isValue: Array.isArray,
  },
  { type: 'string', isText: () => true, isValue: (value) => typeof value === 'string' },
  { type: 'any', isText: never, isValue: () => true },
]

function parsed(text: string): unknown {
  try {
    return readJson(text)
  } catch {
    return undefined
  }
}

/** The types that a column can still have. */
class ColumnTypes {
  left = candidates
  hasValues = false

  add(value: unknown, isText: boolean): void {
    if (value === null || value === undefined || value === '') return
    this.hasValues = true
    this.left = this.left.filter((candidate) => fits(candidate, value, isText))
  }

  get type(): string {
    return this.hasValues ? (this.left[0]?.type ?? 'string') : 'string'
  }
}

function fits({ type, isText, isValue }: Candidate, value: unknown, isCsv: boolean): boolean {
  if (value instanceof CellNumber) return isText(value.text)
  if (value instanceof Date) {
    const isDay = value.getTime() % 86_400_000 === 0
    return type === 'datetime' || type === 'string' || (type === 'date' && isDay)
  }
  return isCsv && typeof value === 'string' ? isText(value) : isValue(value)
}

/**
 * Reads all rows, and returns a schema that all of them fit. Throws if the file has no rows, or cannot be
 * read.
 */
export async function inferSchema(files: Files, resource: Resource, onRow: () => void): Promise<Members> {
  const columns = new Map<string, ColumnTypes>()
  const isText = resource.format === 'csv'
  for await (const row of rowsOf(files, resource)) {
    if (row.fault !== undefined) throw new FaultsError([{ file: row.file, line: row.line, text: row.fault }])
    addRow(columns, row, isText)
    onRow()
  }
  if (columns.size === 0) {
    const file = resource.sources[0]?.path ?? resource.name
    throw new Refusal(`${file} has no rows from which its fields could be told. Describe them in a schema.`)
  }
  return { fields: [...columns].map(([name, { type }]) => ({ name, type })) }
}

function addRow(columns: Map<string, ColumnTypes>, { header, values }: Row, isText: boolean): void {
  for (const [index, label] of header.labels.entries()) {
    let column = columns.get(label)
    if (!column) {
      column = new ColumnTypes()
      columns.set(label, column)
    }
    column.add(values[index], isText)
  }
}
