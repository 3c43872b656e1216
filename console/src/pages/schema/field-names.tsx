/** A list of names of fields. */
import { MultiSelect } from '@mantine/core'

interface FieldNamesProps {
  label: string
  names: readonly string[]
  value: readonly string[]
  change(names: string[]): void
}

export function FieldNames({ label, names, value, change }: FieldNamesProps) {
  return (
    <MultiSelect
      label={label}
      data={[...new Set([...names, ...value])]}
      value={[...value]}
      onChange={change}
      searchable
      comboboxProps={{ withinPortal: false }}
      miw={260}
      maw={560}
    />
  )
}
