/** Sets the same value in all matching records, after showing how many there are. */
import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Field, Table } from '../../session/queries.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { messagesOf, Problem } from '../../shared/problem.tsx'
import { useTell } from '../../shared/tell.ts'
import { useTexts } from '../../texts/define.ts'
import { ValueInput } from './editor/value-input.tsx'
import { refreshRecords, type Source, tableOf } from './records.ts'
import type { Filters } from './state.ts'
import { dataTexts } from './texts.ts'
import { isReadable, valueOfText } from './values.ts'

interface BulkProps {
  source: Source
  table: Table
  filters: Filters
  isOpen: boolean
  close(): void
}

/** Shows the form. */
export function BulkDialog({ source, table, filters, isOpen, close }: BulkProps) {
  const texts = useTexts(dataTexts)
  return (
    <Dialog isOpen={isOpen} close={close} title={texts.bulk}>
      {Object.keys(filters).length === 0 ? (
        <Text>{texts.needsFilter}</Text>
      ) : (
        <BulkForm source={source} table={table} filters={filters} close={close} />
      )}
    </Dialog>
  )
}

function BulkForm({ source, table, filters, close }: Omit<BulkProps, 'isOpen'>) {
  const texts = useTexts(dataTexts)
  const tell = useTell()
  const fields = table.json_schema.fields.filter(
    ({ name, generated }) => generated === undefined && !table.primary_key.includes(name),
  )
  const [fieldName, setField] = useState(fields[0]?.name ?? '')
  const [text, setText] = useState('')
  const [count, setCount] = useState<number>()
  const [error, setError] = useState<unknown>()
  const field = fields.find(({ name }) => name === fieldName) as Field

  async function write(dryRun: boolean): Promise<void> {
    // Invalid JSON shows its own error.
    if (!isReadable(field, text)) return
    setError(undefined)
    try {
      const changes = { [field.name]: valueOfText(field, text) }
      // The preview counts any number of records. The write then expects exactly these.
      const options = dryRun ? { dryRun, all: true } : { expect: count as number }
      const changed = await tableOf(source).updateWhere(filters, changes, options)
      if (dryRun) return setCount(changed)
      await refreshRecords(source)
      tell(texts.changed(changed))
      close()
    } catch (thrown) {
      setCount(undefined)
      setError(thrown)
    }
  }

  function preview(event: FormEvent): void {
    event.preventDefault()
    void write(true)
  }

  const own = messagesOf(error, '')[field.name]
  return (
    <form onSubmit={preview}>
      <Stack gap="sm">
        <Text size="sm">{texts.bulkText}</Text>
        <NativeSelect
          label={texts.field}
          data={fields.map(({ name }) => name)}
          value={fieldName}
          onChange={(event) => {
            setField(event.currentTarget.value)
            setText('')
            setCount(undefined)
          }}
        />
        <ValueInput
          source={source}
          field={{ ...field, title: texts.value }}
          foreignKey={table.json_schema.foreignKeys?.find(
            ({ fields: names }) => names.length === 1 && names[0] === field.name,
          )}
          text={text}
          change={(next) => {
            setText(next)
            setCount(undefined)
          }}
          error={error && own ? own.join(' ') : undefined}
          save={() => void write(true)}
        />
        {error ? <Problem error={error} except={[field.name]} /> : null}
        <Text role="status">{count === undefined ? '' : texts.wouldChange(count)}</Text>
        <Group>
          <Button type="submit" variant={count ? 'default' : 'filled'}>
            {texts.preview}
          </Button>
          {count ? (
            <Button color="red.9" onClick={() => void write(false)}>
              {texts.change(count)}
            </Button>
          ) : null}
        </Group>
      </Stack>
    </form>
  )
}
