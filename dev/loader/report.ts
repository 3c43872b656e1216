/** The report before a load: the tables that were inferred from rows, and the changes. */
import { describeForm, formOf } from '../../src/kernel/lib/written/form.ts'
import { plain } from './faults.ts'
import type { Table } from './table.ts'

/** The maximum number of printed notes of one kind. */
const notesMax = 40

/** Returns the lines about changed or ignored parts. */
export function notesText(notes: readonly string[]): string[] {
  const lines = notes.slice(0, notesMax).map(plain)
  return notes.length > notesMax ? [...lines, `… and ${notes.length - notesMax} more.`] : lines
}

/** Returns the lines that show an inferred table: a field a line, with its type and the form of its values. */
export function inferredText({ name, columns, schema, inferred }: Table): string[] {
  const width = Math.max(...[...columns.values()].map((column) => column.name.length))
  const types = new Map(
    (Array.isArray(schema.fields) ? schema.fields : []).map((field: { name: string; type: string }) => [
      field.name,
      field.type,
    ]),
  )
  const fields = [...columns.values()].map((column) => {
    const label = column.label === column.name ? '' : `  (${plain(column.label)})`
    const form = describeForm(formOf(column.field))
    const read = form === '' ? '' : `, read with ${form}`
    return `  ${column.name.padEnd(width)}  ${types.get(column.name) ?? ''}${plain(read)}${label}`
  })
  return [`The fields of ${name}, as its rows say:`, ...fields, ...(inferred?.doubts ?? []).map(plain)]
}
