/** Finds a record of the table by its name. */
import type { Table } from '../../session/queries.ts'
import { ReferenceInput } from '../data/editor/reference-input.tsx'
import type { Source } from '../data/records.ts'
import { keyField } from './nodes.ts'

interface RecordInputProps {
  label: string
  source: Source
  table: Table
  /** The key, as text. Empty: none. */
  text: string
  change(text: string): void
}

/** Shows the input of a reference to the same table. */
export function RecordInput({ label, source, table, text, change }: RecordInputProps) {
  const key = keyField(table)
  return (
    <ReferenceInput
      source={source}
      field={{ name: key, type: 'string', title: label }}
      foreignKey={{ fields: [key], reference: { resource: '', fields: [key] } }}
      text={text}
      change={change}
      error={undefined}
    />
  )
}
