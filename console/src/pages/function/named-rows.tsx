/** The editor of named texts: the headers of a call, and the variables of code. */
import { Button, CloseButton, Group, Stack, Text, TextInput } from '@mantine/core'

/** A named text in the editor. */
export interface NamedRow {
  /** Identifies the row while its name changes. */
  id: number
  name: string
  value: string
  /** Whether the service has a value that it does not show. It stays if the input is empty. */
  isStored: boolean
}

/** The placeholder for a stored value. If it is sent back, the value stays. */
const hidden = '***HIDDEN***'

/** Returns the rows for texts whose values the service does not show. */
export const hiddenRows = (texts: Readonly<Record<string, string>>): NamedRow[] =>
  Object.keys(texts).map((name, id) => ({ id, name, value: '', isStored: true }))

/** Returns the rows for texts, with their values. */
export const shownRows = (texts: Readonly<Record<string, string>>): NamedRow[] =>
  Object.entries(texts).map(([name, value], id) => ({ id, name, value, isStored: false }))

/** Returns the texts to send for the rows. */
export const textsOf = (rows: readonly NamedRow[]): Record<string, string> =>
  Object.fromEntries(
    rows.map(({ name, value, isStored }) => [name.trim(), value === '' && isStored ? hidden : value]),
  )

/** The labels of the editor. */
interface RowTexts {
  title: string
  hint: string
  name: string
  nameOf(row: number): string
  value: string
  valueOf(row: number): string
  /** Shown in place of a value that the service hides. */
  kept?: string
  twice: string
  add: string
  remove(name: string): string
}

interface NamedRowsProps {
  texts: RowTexts
  rows: readonly NamedRow[]
  change(rows: NamedRow[]): void
  /** Returns the service's messages about the text with this name. */
  messageOf(name: string): string | undefined
  /** Whether a value can be empty. */
  allowsEmpty?: boolean
}

/** Shows the rows, and a button for another one. */
export function NamedRows({ texts, rows, change, messageOf, allowsEmpty = false }: NamedRowsProps) {
  const put = (row: NamedRow) => change(rows.map((other) => (other.id === row.id ? row : other)))
  const add = () => {
    const id = Math.max(-1, ...rows.map((row) => row.id)) + 1
    change([...rows, { id, name: '', value: '', isStored: false }])
  }
  const isTwice = (row: NamedRow) =>
    row.name !== '' && rows.some((other) => other.id < row.id && other.name.trim() === row.name.trim())
  return (
    <Stack gap="xs" role="group" aria-label={texts.title}>
      <Text size="sm" fw={600}>
        {texts.title}
      </Text>
      <Text size="xs" className="muted">
        {texts.hint}
      </Text>
      {rows.map((row, index) => {
        const message = isTwice(row) ? texts.twice : messageOf(row.name.trim())
        return (
          <Group key={row.id} align="start" gap="xs" wrap="nowrap">
            <TextInput
              aria-label={texts.nameOf(index + 1)}
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
              aria-label={texts.valueOf(index + 1)}
              placeholder={row.isStored ? texts.kept : texts.value}
              value={row.value}
              onChange={(event) => put({ ...row, value: event.currentTarget.value })}
              error={message !== undefined}
              autoComplete="off"
              spellCheck={false}
              flex={1}
              required={!row.isStored && !allowsEmpty}
            />
            <CloseButton
              mt={6}
              aria-label={texts.remove(row.name || String(index + 1))}
              onClick={() => change(rows.filter((other) => other.id !== row.id))}
            />
          </Group>
        )
      })}
      <Group>
        <Button variant="default" size="compact-sm" onClick={add}>
          {texts.add}
        </Button>
      </Group>
    </Stack>
  )
}

/** Whether two rows have the same name. */
export const hasTwins = (rows: readonly NamedRow[]): boolean =>
  new Set(rows.map(({ name }) => name.trim())).size < rows.length
