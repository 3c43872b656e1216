/**
 * Changes the value of a cell in place. The record is loaded again first, so that nobody's change is lost.
 */
import { Alert, Button, Group, Popover, Stack, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { StaleError } from '../../../../../client/src/index.ts'
import { queryClient } from '../../../session/client.ts'
import type { Field, Table } from '../../../session/queries.ts'
import { messagesOf, Problem } from '../../../shared/problem.tsx'
import { Loading } from '../../../shared/states.tsx'
import { useTexts } from '../../../texts/define.ts'
import { shellTexts } from '../../../texts/shell.ts'
import { cellText } from '../cell-text.ts'
import { type DataRecord, keyText, type Source } from '../records.ts'
import { dataTexts } from '../texts.ts'
import { isReadable, isStructured, textOf, valueOfText } from '../values.ts'
import { changeRecord, noteUndo, recordQuery, type Tagged } from '../write.ts'
import { ValueInput } from './value-input.tsx'

interface CellEditorProps {
  source: Source
  table: Table
  field: Field
  record: DataRecord
  /** Closes the editor. `changed`: whether something was saved. */
  close(changed: boolean): void
}

/** Shows the editor next to its cell. */
export function CellEditor(props: CellEditorProps) {
  const { source, table, record, field, close } = props
  const texts = useTexts(dataTexts)
  // The focus may be outside if the pressed button no longer exists.
  useHotkeys([['Escape', () => close(false)]], [])
  /** Keys in the editor must not reach the grid. */
  function onKeyDown(event: KeyboardEvent): void {
    event.stopPropagation()
    if (event.key === 'Escape') close(false)
  }
  const key = keyText(table.primary_key, record)
  const { data, error } = useQuery({ ...recordQuery(source, key), gcTime: 0, refetchOnWindowFocus: false })
  return (
    <Popover
      opened
      onClose={() => close(false)}
      trapFocus={data !== undefined}
      hideDetached={false}
      withRoles={false}
      position="bottom-start"
      width={isStructured(field) ? 'min(560px, 94vw)' : 340}
      withinPortal
    >
      <Popover.Target>
        <span className="anchor" />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={texts.edit(field.name)} onKeyDown={onKeyDown}>
        {error ? <Problem error={error} /> : null}
        {!data && !error ? <Loading /> : null}
        {data ? <EditorForm {...props} read={data} /> : null}
      </Popover.Dropdown>
    </Popover>
  )
}

function EditorForm({ source, table, field, read, close }: CellEditorProps & { read: Tagged }) {
  const texts = useTexts(dataTexts)
  const shell = useTexts(shellTexts)
  const [base, setBase] = useState(read)
  const [text, setText] = useState(() => textOf(field, read.record[field.name]))
  const [error, setError] = useState<unknown>()
  const [theirs, setTheirs] = useState<Tagged>()
  const [isSaving, setSaving] = useState(false)
  const key = keyText(table.primary_key, read.record)
  const foreignKey = table.json_schema.foreignKeys?.find(
    ({ fields }) => fields.length === 1 && fields[0] === field.name,
  )

  async function save(known: Tagged): Promise<void> {
    // Invalid JSON shows its own error.
    if (isSaving || !isReadable(field, text)) return
    setError(undefined)
    if (text === textOf(field, known.record[field.name])) return close(false)
    setSaving(true)
    try {
      const value = valueOfText(field, text)
      const before = known.record[field.name] ?? null
      const after = await changeRecord(source, table.primary_key, key, { [field.name]: value }, known.etag)
      const newKey = keyText(table.primary_key, after.record)
      noteUndo(() => changeRecord(source, table.primary_key, newKey, { [field.name]: before }, after.etag))
      close(true)
    } catch (thrown) {
      if (thrown instanceof StaleError) setTheirs(await readAgain())
      else setError(thrown)
    } finally {
      setSaving(false)
    }
  }

  const readAgain = async (): Promise<Tagged | undefined> => {
    return queryClient.fetchQuery(recordQuery(source, key)).catch((thrown: unknown) => {
      setError(thrown)
      return undefined
    })
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    void save(base)
  }

  /**
   * Enter saves, as in a spreadsheet; with Shift, it starts a new line. JSON has an editor with its own keys.
   */
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey || !(event.target instanceof HTMLTextAreaElement)) return
    event.preventDefault()
    void save(base)
  }

  const own = messagesOf(error, '')[field.name]
  return (
    <form onSubmit={submit} onKeyDown={onKeyDown}>
      <Stack gap="xs">
        <ValueInput
          source={source}
          field={field}
          foreignKey={foreignKey}
          text={text}
          change={setText}
          error={error && own ? own.join(' ') : undefined}
          save={() => void save(base)}
          isAlone
        />
        {error ? <Problem error={error} except={[field.name]} /> : null}
        {theirs ? (
          <Alert color="orange" title={texts.conflict} role="alert">
            <Text size="sm">{texts.conflictText(cellText(theirs.record[field.name]) || texts.noValue)}</Text>
            <Group gap="xs" mt="xs">
              <Button
                size="compact-sm"
                onClick={() => {
                  setBase(theirs)
                  setTheirs(undefined)
                  void save(theirs)
                }}
              >
                {texts.keepMine}
              </Button>
              <Button size="compact-sm" variant="default" onClick={() => close(true)}>
                {texts.takeTheirs}
              </Button>
            </Group>
          </Alert>
        ) : (
          <Group gap="xs">
            <Button type="submit" size="compact-md" aria-busy={isSaving}>
              {texts.save}
            </Button>
            <Button size="compact-md" variant="default" onClick={() => close(false)}>
              {shell.cancel}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}
