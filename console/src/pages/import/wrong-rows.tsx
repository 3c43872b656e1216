/** The errors of the rejected rows by their causes, to read, and the rows, to save. */
import { Button, Group, ScrollArea, Table, Text, Title } from '@mantine/core'
import { saveFile } from '../../shared/save-file.ts'
import { useTexts } from '../../texts/define.ts'
import { causesOf } from './causes.ts'
import type { WrongRow } from './send.ts'
import { importTexts } from './texts.ts'

interface WrongRowsProps {
  /** The name of the table. */
  name: string
  columns: readonly string[]
  wrong: readonly WrongRow[]
}

const shownMax = 100

/** Lists the errors. */
export function WrongRows({ name, columns, wrong }: WrongRowsProps) {
  const texts = useTexts(importTexts)
  const causes = causesOf(wrong)
  function save(): void {
    const head = [texts.line, texts.problem, ...columns]
    const rows = wrong.map(({ row: { line, cells }, problems }) => [
      line,
      problems.map(({ text }) => text).join(' '),
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
              <Table.Th>{texts.problem}</Table.Th>
              <Table.Th w={80}>{texts.count}</Table.Th>
              <Table.Th w={200}>{texts.lines}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {causes.slice(0, shownMax).map(({ cause, text, lines }) => (
              <Table.Tr key={cause}>
                <Table.Td>{text}</Table.Td>
                <Table.Td>{lines.length}</Table.Td>
                <Table.Td>{linesText(lines)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
      {causes.length > shownMax ? <Text size="sm">{texts.firstOf(shownMax, causes.length)}</Text> : null}
    </section>
  )
}

/** The maximum number of lines that are named for one problem. */
const linesMax = 10

const linesText = (lines: readonly number[]): string =>
  lines.slice(0, linesMax).join(', ') + (lines.length > linesMax ? ', …' : '')

/** Returns a cell of CSV. A missing value is empty, and an empty string is in quotes. */
function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return `"${text.replaceAll('"', '""')}"`
}
