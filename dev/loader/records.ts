/** Converts the rows of a file to records, and collects all problems of a row. */
import { valueProblems } from '../../src/data/model/constraints.ts'
import type { Field } from '../../src/data/model/field.ts'
import { nearest } from '../../src/kernel/lib/nearest.ts'
import { quoteValue } from '../../src/kernel/lib/quote-value.ts'
import type { Fault } from './faults.ts'
import { Cell } from './rows/cells.ts'
import type { Header, Row } from './rows/row.ts'
import { delimiterHint } from './sniff.ts'
import { type Column, columnOf, fillsItself, type Table } from './table.ts'
import { convertValue, ValueError } from './values.ts'

/** A record as it is sent. */
export type JsonRecord = Record<string, unknown>

/** A row as a record, or its problems. */
export interface ConvertedRow {
  row: Row
  record: JsonRecord
  faults: readonly Fault[]
  /** Whether the problems are in the header, so that no row can be loaded. */
  isHeaderWrong: boolean
}

interface Target {
  column: Column
  field: Field
}

/** Creates the function that converts the rows of a table, in order. */
export function rowConverter(table: Table): (row: Row) => ConvertedRow {
  let header: Header | undefined
  let targets: (Target | undefined)[] = []
  let lacking: Field[] = []
  let unknown: Fault[] = []
  return (row) => {
    const wrong = { row, record: {}, isHeaderWrong: false }
    if (row.fault !== undefined)
      return { ...wrong, faults: [{ file: row.file, line: row.line, text: row.fault }] }
    if (row.header !== header) {
      header = row.header
      targets = header.labels.map((label) => targetOf(table, label))
      const present = new Set(targets.map((target) => target?.field))
      lacking = [...table.model.fields.values()].filter(
        (field) => field.required && !fillsItself(table.model, field) && !present.has(field),
      )
      unknown = table.ignoresUnknown ? [] : unknownColumns(table, row, targets)
      if (unknown.length > 0 && !header.isOfRow) return { ...wrong, faults: unknown, isHeaderWrong: true }
    }
    const faults = unknown.map((fault) => ({ ...fault, line: row.line }))
    const record: JsonRecord = {}
    for (const [index, target] of targets.entries()) {
      if (!target) continue
      const { column, field } = target
      const { value, problems } = convert(column, field, row.values[index])
      for (const problem of problems)
        faults.push({ file: row.file, line: row.line, column: index + 1, name: column.label, ...problem })
      if (value !== null) record[field.name] = value
      else if (!field.required) record[field.name] = null
      else if (!fillsItself(table.model, field) && problems.length === 0)
        faults.push({ file: row.file, line: row.line, column: index + 1, name: column.label, text: required })
    }
    for (const { name } of lacking)
      faults.push({
        file: row.file,
        line: row.line,
        text: `There is no column ${quoteValue(name)}, and it is required.`,
      })
    return { row, record, faults, isHeaderWrong: false }
  }
}

const required = 'The value is missing, but required.'

function targetOf(table: Table, label: string): Target | undefined {
  const column = columnOf(table, label)
  const field = column && table.model.fields.get(column.name)
  return column && field ? { column, field } : undefined
}

/** Suggests what a label without a field may mean. */
function hintFor(label: string, { labels, isOfRow }: Header, { columns, resource }: Table): string {
  if (labels.length === 1 && !isOfRow && resource.format === 'csv') {
    const hint = delimiterHint(label, resource.dialect.delimiter)
    if (hint !== '') return hint
  }
  const [, first] = /^(.*)_\d+$/.exec(label) ?? []
  if (first !== undefined && labels.includes(first))
    return ` The file has ${quoteValue(first)} more than once.`
  if (label.startsWith('#'))
    return ' If lines that begin with "#" are comments, set "commentChar": "#" in the dialect.'
  const close = nearest(label, columns.keys())
  return close === undefined
    ? ''
    : ` Is it ${quoteValue(close)}? Use the same name in the file and in the schema.`
}

function unknownColumns(
  table: Table,
  { file, header }: Row,
  targets: readonly (Target | undefined)[],
): Fault[] {
  const labels = [...table.columns.keys()].map((label) => quoteValue(label)).join(', ')
  return header.labels.flatMap((label, index) =>
    targets[index]
      ? []
      : {
          file,
          line: header.line,
          column: index + 1,
          name: label,
          text:
            `The schema has no field of this name.${hintFor(label, header, table)} Its fields are ` +
            `${labels}.`,
        },
  )
}

type Problem = Pick<Fault, 'text' | 'cause'>

function convert(column: Column, field: Field, written: unknown): { value: unknown; problems: Problem[] } {
  try {
    const value = convertValue(column, written)
    if (value === null) return { value, problems: [] }
    const said = quoteValue(written instanceof Cell ? written.text : written)
    const causes = valueProblems(field.type, field.rules, value)
    return { value, problems: causes.map((cause) => ({ text: `${said}: ${cause}`, cause })) }
  } catch (error) {
    if (!(error instanceof ValueError)) throw error
    return { value: null, problems: [{ text: error.message, cause: error.problem }] }
  }
}
