/** The first rows of a file, with the field of each column. */
import { NativeSelect, Table, Text, Title } from '@mantine/core'
import type { Table as DataTable } from '../../session/queries.ts'
import { Sideways } from '../../shared/sideways.tsx'
import { useTexts } from '../../texts/define.ts'
import { cellText } from '../data/cell-text.ts'
import type { ColumnForm, Mapping } from './forms.ts'
import type { FileRows } from './read-file.ts'
import { importTexts } from './texts.ts'

interface ColumnsProps {
  file: FileRows
  table: DataTable
  mapping: Mapping
  change(mapping: Mapping): void
  forms: ReadonlyMap<string, ColumnForm>
  /** Takes the label of the form that is chosen for a column. */
  chooseForm(column: string, label: string): void
}

const shownMax = 5

/** Shows the rows. */
export function ColumnsPreview(props: ColumnsProps) {
  const { file, table, mapping, change, forms, chooseForm } = props
  const { columns, rows } = file
  const texts = useTexts(importTexts)
  const fields = table.json_schema.fields
    .filter(({ generated }) => generated === undefined)
    .map(({ name, type }) => ({ value: name, label: `${name} (${type})` }))
  function choose(column: string, field: string): void {
    const { [column]: _, ...others } = mapping
    change(field === '' ? others : { ...others, [column]: field })
  }
  return (
    <section aria-label={texts.columns}>
      <Title order={2} size="h5">
        {texts.columns}
      </Title>
      <Text size="sm" className="muted">
        {texts.columnsText} {texts.rows(rows.length)}.
      </Text>
      <Sideways label={texts.columns}>
        <Table withTableBorder mt="xs">
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Table.Th key={column} miw={150}>
                  {column}
                  <NativeSelect
                    size="xs"
                    aria-label={texts.fieldOf(column)}
                    data={[{ value: '', label: texts.leaveOut }, ...fields]}
                    value={mapping[column] ?? ''}
                    onChange={(event) => choose(column, event.currentTarget.value)}
                  />
                  <FormSelect column={column} form={forms.get(column)} choose={chooseForm} />
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.slice(0, shownMax).map(({ line, cells }) => (
              <Table.Tr key={line}>
                {columns.map((column) => (
                  <Table.Td key={column} className={column in mapping ? '' : 'muted'}>
                    {cellText(cells[column])}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Sideways>
    </section>
  )
}

interface FormSelectProps {
  column: string
  form: ColumnForm | undefined
  choose(column: string, label: string): void
}

/** Selects the form of a column, if its field has several. */
function FormSelect({ column, form, choose }: FormSelectProps) {
  const texts = useTexts(importTexts)
  if (!form) return null
  const labels = [...form.choices.keys()]
  const chosen = labels.find((label) => sameForm(form.choices.get(label), form.form))
  return (
    <NativeSelect
      size="xs"
      mt={4}
      aria-label={texts.formOf(column)}
      data={[...(chosen === undefined ? [{ value: '', label: texts.chooseForm }] : []), ...labels]}
      value={chosen ?? ''}
      error={form.form === undefined}
      onChange={(event) => choose(column, event.currentTarget.value)}
    />
  )
}

const sameForm = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
