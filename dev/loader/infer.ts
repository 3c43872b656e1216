/** Infers a Table Schema from the rows of a file that has none, and the forms of its values. */
import { isDate, isDatetime, timeOfDay } from '../../src/kernel/lib/date-texts.ts'
import { isWholeNumber, numberText, readJson, wholeDigits } from '../../src/kernel/lib/exact-json.ts'
import { isUuid } from '../../src/kernel/lib/is-uuid.ts'
import { quoteValue } from '../../src/kernel/lib/quote-value.ts'
import type { Guess, Hints } from '../../src/kernel/lib/written/guess.ts'
import { ColumnForms } from './column-forms.ts'
import { isMembers, type Members } from './descriptor.ts'
import { FaultsError } from './faults.ts'
import type { Files } from './files.ts'
import type { Resource } from './package.ts'
import { Refusal } from './refusal.ts'
import { CellError, CellMoment, CellNumber, type MomentType } from './rows/cells.ts'
import type { Row } from './rows/row.ts'
import { rowsOf } from './rows/rows.ts'

/** Tells whether a number is whole and within the range of integers, ±2^63. */
function isWhole(text: string): boolean {
  const digits = isWholeNumber(text) ? wholeDigits(text) : undefined
  return digits !== undefined && BigInt(digits) === BigInt.asIntN(64, BigInt(digits))
}

/** The types that a column with a date, a time or a duration of a spreadsheet can get without a loss. */
const typesOfMoments: Record<MomentType, readonly string[]> = {
  date: ['date', 'datetime'],
  datetime: ['datetime'],
  time: ['time', 'duration'],
  duration: ['duration'],
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
  // Only a spreadsheet tells durations from texts.
  { type: 'duration', isText: never, isValue: never },
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
  readonly forms: ColumnForms

  constructor(hints: Hints) {
    this.forms = new ColumnForms(hints)
  }

  add(value: unknown, isText: boolean): void {
    if (value === null || value === undefined || value === '' || value instanceof CellError) return
    this.hasValues = true
    this.left = this.left.filter((candidate) => fits(candidate, value, isText))
    if (typeof value === 'string') this.forms.add(value)
  }

  get type(): string {
    return this.hasValues ? (this.left[0]?.type ?? 'string') : 'string'
  }
}

function fits({ type, isText, isValue }: Candidate, value: unknown, isCsv: boolean): boolean {
  if (value instanceof CellNumber) return isText(value.text)
  if (value instanceof CellMoment) return type === 'string' || typesOfMoments[value.type].includes(type)
  return isCsv && typeof value === 'string' ? isText(value) : isValue(value)
}

/** What the rows of a file tell about its fields. */
export interface InferredSchema {
  /** Fields with types and forms that all values have. */
  schema: Members
  /** Returns the form of a column as values of a type, by the label of the column. */
  formOf(label: string, type: string): Guess
  /** The columns whose values may be read in two ways, and are texts for that reason. */
  doubts: readonly string[]
}

/** Reads all rows. Throws if the file has no rows, or cannot be read. */
export async function inferSchema(
  files: Files,
  resource: Resource,
  onRow: () => void,
): Promise<InferredSchema> {
  const columns = new Map<string, ColumnTypes>()
  const isText = resource.format === 'csv'
  for await (const row of rowsOf(files, resource)) {
    if (row.fault !== undefined) throw new FaultsError([{ file: row.file, line: row.line, text: row.fault }])
    addRow(columns, row, isText, resource.hints)
    onRow()
  }
  if (columns.size === 0) {
    const file = resource.sources[0]?.path ?? resource.name
    throw new Refusal(`${file} has no rows from which its fields could be told. Describe them in a schema.`)
  }
  const hints = { decimalChar: signOfFile(columns), ...resource.hints }
  const doubts: string[] = []
  const fields = [...columns].map(([name, { type, forms }]) => {
    const found = isText && formless.includes(type) ? forms.infer(hints) : undefined
    if (found && 'doubt' in found) doubts.push(`The column ${quoteValue(name)} has texts: ${found.doubt}`)
    if (found && 'form' in found) return { name, type: found.type, ...found.form }
    const isOfOtherSign = isText && type === 'number' && !forms.guess(type, hints)
    return { name, type: isOfOtherSign ? 'string' : type }
  })
  const formOf = (label: string, type: string) => columns.get(label)?.forms.guess(type, hints)
  return { schema: { fields }, formOf, doubts }
}

/** The types of columns of CSV that may be others in another form: texts, and numbers with the other sign. */
const formless = ['string', 'number']

/** Returns the decimal sign of the numbers of a file, if all columns that tell it have the same one. */
function signOfFile(columns: ReadonlyMap<string, ColumnTypes>): string | undefined {
  const told = [...columns.values()].flatMap(({ forms: { decimalChar } }) => decimalChar ?? [])
  const [sign, ...others] = new Set(told)
  return others.length === 0 ? sign : undefined
}

function addRow(
  columns: Map<string, ColumnTypes>,
  { header, values }: Row,
  isText: boolean,
  hints: Hints,
): void {
  for (const [index, label] of header.labels.entries()) {
    let column = columns.get(label)
    if (!column) {
      column = new ColumnTypes(hints)
      columns.set(label, column)
    }
    column.add(values[index], isText)
  }
}
