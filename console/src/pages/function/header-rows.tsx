/**
 * The editor of the headers of a call: their names, and their values, which are hidden after they are saved.
 */
import { Button, CloseButton, Group, Stack, Text, TextInput } from '@mantine/core'
import { useTexts } from '../../texts/define.ts'
import { functionTexts } from './texts.ts'

/** A header in the editor. */
export interface HeaderRow {
  /** Identifies the row while its name changes. */
  id: number
  name: string
  value: string
  /** Whether the service has a value. It stays if the input is empty. */
  isStored: boolean
}

/** The placeholder for a stored value. If it is sent back, the value stays. */
const hidden = '***HIDDEN***'

/** Returns the rows for the headers of a function. */
export const rowsOf = (headers: Readonly<Record<string, string>>): HeaderRow[] =>
  Object.keys(headers).map((name, id) => ({ id, name, value: '', isStored: true }))

/** Returns the headers to send for the rows. */
export const headersOf = (rows: readonly HeaderRow[]): Record<string, string> =>
  Object.fromEntries(
    rows.map(({ name, value, isStored }) => [name.trim(), value === '' && isStored ? hidden : value]),
  )

interface HeaderRowsProps {
  rows: readonly HeaderRow[]
  change(rows: HeaderRow[]): void
  /** Returns the service's messages about the header with this name. */
  messageOf(name: string): string | undefined
}

/** Shows the rows, and a button for another one. */
export function HeaderRows({ rows, change, messageOf }: HeaderRowsProps) {
  const texts = useTexts(functionTexts)
  const put = (row: HeaderRow) => change(rows.map((other) => (other.id === row.id ? row : other)))
  const add = () => {
    const id = Math.max(-1, ...rows.map((row) => row.id)) + 1
    change([...rows, { id, name: '', value: '', isStored: false }])
  }
  const isTwice = (row: HeaderRow) =>
    row.name !== '' && rows.some((other) => other.id < row.id && other.name.trim() === row.name.trim())
  return (
    <Stack gap="xs" role="group" aria-label={texts.headers}>
      <Text size="sm" fw={600}>
        {texts.headers}
      </Text>
      <Text size="xs" className="muted">
        {texts.headersHint}
      </Text>
      {rows.map((row, index) => {
        const message = isTwice(row) ? texts.headerTwice : messageOf(row.name.trim())
        return (
          <Group key={row.id} align="start" gap="xs" wrap="nowrap">
            <TextInput
              aria-label={texts.headerName(index + 1)}
              placeholder={texts.name}
              value={row.name}
              onChange={(event) => put({ ...row, name: event.currentTarget.value })}
              error={message}
              autoComplete="off"
              spellCheck={false}
              flex={1}
              required
            />
            <TextInput
              aria-label={texts.headerValue(index + 1)}
              placeholder={row.isStored ? texts.headerKept : texts.value}
              value={row.value}
              onChange={(event) => put({ ...row, value: event.currentTarget.value })}
              error={message !== undefined}
              autoComplete="off"
              spellCheck={false}
              flex={1}
              required={!row.isStored}
            />
            <CloseButton
              mt={6}
              aria-label={texts.removeHeader(row.name || String(index + 1))}
              onClick={() => change(rows.filter((other) => other.id !== row.id))}
            />
          </Group>
        )
      })}
      <Group>
        <Button variant="default" size="compact-sm" onClick={add}>
          {texts.addHeader}
        </Button>
      </Group>
    </Stack>
  )
}

/** Whether two rows have the same name. */
export const hasTwins = (rows: readonly HeaderRow[]): boolean =>
  new Set(rows.map(({ name }) => name.trim())).size < rows.length
