/** Creates a record: an input for each field, with the service's messages next to the fields. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Field, Table } from '../../session/queries.ts'
import { Cancel, Dialog } from '../../shared/dialog.tsx'
import { messagesOf, Problem } from '../../shared/problem.tsx'
import { useTexts } from '../../texts/define.ts'
import { ValueInput } from './editor/value-input.tsx'
import type { DataRecord, Source } from './records.ts'
import { tableOf } from './records.ts'
import { deleteRecords, refreshAll } from './removal.ts'
import { dataTexts } from './texts.ts'
import { useUndo } from './undo.tsx'
import { isReadable, textOf, valueOfText } from './values.ts'
import { noteUndo } from './write.ts'

interface NewRecordProps {
  source: Source
  table: Table
  /** The initial values. */
  preset?: DataRecord
  close(): void
  /** Called with the new record. */
  created?(record: DataRecord): void
}

/** Shows the form. */
export function NewRecord({ source, table, preset = {}, close, created }: NewRecordProps) {
  const texts = useTexts(dataTexts)
  const { tellUndoable } = useUndo()
  const fields = table.json_schema.fields.filter((field) => !isGiven(table, field))
  const [entered, setEntered] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(fields.map((field) => [field.name, textOf(field, preset[field.name])])),
  )
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)

  const textIn = ({ name }: Field) => entered[name] ?? ''

  async function create(): Promise<void> {
    // Fields without a text get their defaults.
    const filled = fields.map((field) => [field, textIn(field)] as const).filter(([, text]) => text !== '')
    // Invalid JSON shows its own error.
    if (isBusy || !filled.every(([field, text]) => isReadable(field, text))) return
    const values = Object.fromEntries(filled.map(([field, text]) => [field.name, valueOfText(field, text)]))
    setError(undefined)
    setBusy(true)
    try {
      const record = (await tableOf(source).create(values as never)) as DataRecord
      noteUndo(async () => {
        await deleteRecords(source, table, [record], { isHard: true })
        await refreshAll(source)
      })
      tellUndoable(texts.created)
      await refreshAll(source)
      created?.(record)
      close()
    } catch (thrown) {
      setError(thrown)
    } finally {
      setBusy(false)
    }
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    void create()
  }

  const messages = error ? messagesOf(error, '') : {}
  return (
    <Dialog isOpen close={close} title={texts.newIn(source.table)} size="lg">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <Text size="sm" className="muted">
            {texts.newText}
          </Text>
          {fields.map((field) => (
            <ValueInput
              key={field.name}
              source={source}
              field={field}
              foreignKey={table.json_schema.foreignKeys?.find(
                ({ fields: names }) => names.length === 1 && names[0] === field.name,
              )}
              text={textIn(field)}
              change={(text) => setEntered((before) => ({ ...before, [field.name]: text }))}
              error={messages[field.name]?.join(' ')}
              isRequired={isNeeded(table, field)}
              save={() => void create()}
            />
          ))}
          {error ? <Problem error={error} except={fields.map(({ name }) => name)} /> : null}
          <Group>
            <Button type="submit" loading={isBusy}>
              {texts.create}
            </Button>
            <Cancel close={close} />
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

const ownTimes: readonly string[] = ['created_at', 'updated_at']
const counted: readonly string[] = ['integer', 'uuid']

/**
 * Returns whether the service sets the value: a generated key or value, its own times, and the deletion mark.
 */
const isGiven = ({ primary_key }: Table, { name, type, generated }: Field): boolean =>
  generated !== undefined ||
  (type === 'datetime' && ownTimes.includes(name)) ||
  (type === 'boolean' && name === 'is_deleted') ||
  (primary_key.length === 1 && primary_key[0] === name && counted.includes(type))

const isNeeded = ({ primary_key }: Table, { name, default: otherwise, constraints }: Field): boolean =>
  otherwise === undefined &&
  (Boolean(constraints?.required) || (primary_key.length > 1 && primary_key.includes(name)))
