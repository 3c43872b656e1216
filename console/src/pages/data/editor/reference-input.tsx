/** The input of a reference: finds the record of the other table by its label. */
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ForeignKey, type Table, tableQuery } from '../../../session/queries.ts'
import { type DataRecord, type Source, tableOf } from '../records.ts'
import type { ValueInputProps } from './input-props.ts'

const settleMs = 200
const shownMax = 20

/**
 * Returns the field whose value identifies a record for people: the first searched field, or the first text
 * field.
 */
export function nameField({ json_schema: { fields, search_fields } }: Table): string | undefined {
  const searched = search_fields?.[0]
  const name = typeof searched === 'string' ? searched : searched?.field
  return name ?? fields.find(({ type }) => type === 'string')?.name
}

/** Returns the table that a key references, by its name in the same app. */
export const targetOf = (source: Source, { reference }: ForeignKey): Source => ({
  ...source,
  table: reference.resource === '' ? source.table : reference.resource,
})

/** Shows the input. The text is the value of the referenced key. */
export function ReferenceInput({
  source,
  field,
  foreignKey,
  text,
  change,
  error,
  isRequired = false,
}: ValueInputProps & { foreignKey: ForeignKey }) {
  const target = targetOf(source, foreignKey)
  const key = foreignKey.reference.fields[0] ?? 'id'
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed, settleMs)
  const table = useQuery(tableQuery(target.site, target.app, target.table))
  const name = table.data && nameField(table.data)
  const found = useQuery({
    queryKey: [target.site, 'records', target.app, target.table, 'references', name, search],
    enabled: table.isSuccess,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const fields = name === undefined || name === key ? [key] : [key, name]
      const where = search && name ? { [`${name}__icontains`]: search } : undefined
      const options = { fields, pageSize: shownMax, total: 'none', signal, ...(where ? { where } : {}) }
      return (await tableOf(target).list(options as object)).data as DataRecord[]
    },
  })
  const options = new Map<string, string>(text === '' ? [] : [[text, text]])
  for (const record of found.data ?? []) {
    const value = String(record[key])
    options.set(value, name && name !== key ? `${value} · ${record[name]}` : value)
  }
  return (
    <Select
      label={field.title ?? field.name}
      description={field.description}
      error={error}
      required={isRequired}
      data={[...options].map(([value, label]) => ({ value, label }))}
      value={text === '' ? null : text}
      onChange={(value) => change(value ?? '')}
      searchable
      clearable={!field.constraints?.required}
      onSearchChange={(next) => setTyped([...options.values()].includes(next) ? '' : next)}
      filter={({ options: all }) => all}
      comboboxProps={{ withinPortal: false }}
      data-autofocus
    />
  )
}
