/** The fields of a record, each with its value and its editor. */
import { Button, Table as DataTable } from '@mantine/core'
import { useState } from 'react'
import { queryClient } from '../../session/client.ts'
import type { Field, Table } from '../../session/queries.ts'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import { CellEditor } from '../data/editor/cell-editor.tsx'
import { targetOf } from '../data/editor/reference-input.tsx'
import { keyText, type Source } from '../data/records.ts'
import { asIn } from '../data/state.ts'
import { dataTexts } from '../data/texts.ts'
import { textOf } from '../data/values.ts'
import { recordQuery } from '../data/write.ts'
import type { PartProps } from './part.ts'
import { recordTexts } from './texts.ts'

/** Lists the fields. */
export function RecordFields({ source, table, record }: PartProps) {
  const texts = useTexts(dataTexts)
  const shown = useTexts(recordTexts)
  const [edited, setEdited] = useState<string>()
  const key = keyText(table.primary_key, record)
  const isFixed = source.as !== undefined || record.is_deleted === true
  const fields = table.json_schema.fields.filter(({ name }) => source.as === undefined || name in record)
  return (
    <DataTable withTableBorder>
      <DataTable.Tbody>
        {fields.map((field) => (
          <DataTable.Tr key={field.name}>
            <DataTable.Th scope="row" w={{ base: 90, sm: 200 }}>
              {field.name}
            </DataTable.Th>
            <DataTable.Td className="wrapped">
              <Value source={source} table={table} field={field} value={record[field.name]} />
            </DataTable.Td>
            <DataTable.Td w={110} pos="relative">
              {isFixed || field.generated !== undefined || table.primary_key.includes(field.name) ? null : (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={texts.edit(field.name)}
                  onClick={() => setEdited(field.name)}
                >
                  {shown.change}
                </Button>
              )}
              {edited === field.name ? (
                <CellEditor
                  source={source}
                  table={table}
                  field={field}
                  record={record}
                  close={(isChanged) => {
                    setEdited(undefined)
                    if (isChanged) void queryClient.invalidateQueries(recordQuery(source, key))
                  }}
                />
              ) : null}
            </DataTable.Td>
          </DataTable.Tr>
        ))}
      </DataTable.Tbody>
    </DataTable>
  )
}

interface ValueProps {
  source: Source
  table: Table
  field: Field
  value: unknown
}

/** A reference links to its record. */
function Value({ source, table, field, value }: ValueProps) {
  const texts = useTexts(dataTexts)
  if (value === null || value === undefined) return <span className="muted">{texts.noValue}</span>
  const key = table.json_schema.foreignKeys?.find(
    ({ fields }) => fields.length === 1 && fields[0] === field.name,
  )
  if (!key) return textOf(field, value)
  const { site, app, table: target } = targetOf(source, key)
  return (
    <TextLink to={addressOf(site, 'data', app, target, String(value))} search={asIn(source) as never}>
      {textOf(field, value)}
    </TextLink>
  )
}
