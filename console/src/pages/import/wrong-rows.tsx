/** The rejected rows with their errors, to read and to save. */
import { Button, Group, ScrollArea, Table, Text, Title } from '@mantine/core'
import { saveFile } from '../../shared/save-file.ts'
import { useTexts } from '../../texts/define.ts'
import type { WrongRow } from './send.ts'
import { importTexts } from './texts.ts'

interface WrongRowsProps {
  /** The name of the table. */
  name: string
  columns: readonly string[]
  wrong: readonly WrongRow[]
}

const shownMax = 100

/** Lists the rejected rows. */
export function WrongRows({ name, columns, wrong }: WrongRowsProps) {
  const texts = useTexts(importTexts)
  function save(): void {
    const head = [texts.line, texts.problem, ...columns]
    const rows = wrong.map(({ row: { line, cells }, messages }) => [
      line,
      messages.join(' '),
      ...columns.map((column) => cells[column]),
    ])
    const text = [head, ...rows].map((row) => row.map(csvCell).join(',')).join('\r\n')
    saveFile(new Blob([text, '\r\n'], { type: 'text/csv' }), `${name}-wrong.csv`)
  }
  return (
    <section aria-label={texts.wrongRows}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          {texts.wrongRows}
        </Title>
        <Button size="compact-sm" variant="default" onClick={save}>
          {texts.saveWrong}
        </Button>
      </Group>
      <ScrollArea.Autosize mah={420} type="auto" tabIndex={0} aria-label={texts.wrongRows}>
        <Table withTableBorder>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={80}>{texts.line}</Table.Th>
              <Table.Th>{texts.problem}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {wrong.slice(0, shownMax).map(({ row: { line }, messages }) => (
              <Table.Tr key={line}>
                <Table.Td>{line}</Table.Td>
                <Table.Td>{messages.join(' ')}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
      {wrong.length > shownMax ? <Text size="sm">{texts.firstOf(shownMax, wrong.length)}</Text> : null}
    </section>
  )
}

/** Returns a cell of CSV. A missing value is empty, and an empty string is in quotes. */
function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return `"${text.replaceAll('"', '""')}"`
}
