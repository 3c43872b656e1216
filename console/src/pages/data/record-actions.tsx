/** The actions on records of a grid: create a record, delete and restore selected ones. */
import { Button, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Table } from '../../session/queries.ts'
import { Problem } from '../../shared/problem.tsx'
import { useTell } from '../../shared/tell.ts'
import { addressOf } from '../../shell/address.ts'
import { useTexts } from '../../texts/define.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { NewRecord } from './new-record.tsx'
import type { Picked } from './picked.ts'
import type { Source } from './records.ts'
import { keepsDeleted, unmark } from './removal.ts'
import { dataTexts } from './texts.ts'

interface RecordActionsProps {
  source: Source
  table: Table
  picked: Picked
  showsDeleted: boolean
  showDeleted(isShown: boolean): void
}

/** Shows the buttons. */
export function RecordActions({ source, table, picked, showsDeleted, showDeleted }: RecordActionsProps) {
  const texts = useTexts(dataTexts)
  const tell = useTell()
  const [open, setOpen] = useState<'new' | 'delete'>()
  const [error, setError] = useState<unknown>()
  const close = () => setOpen(undefined)
  const count = picked.records.length
  const marked = picked.records.filter((record) => record.is_deleted === true)

  async function restore(): Promise<void> {
    setError(undefined)
    try {
      await unmark(source, table, marked)
      picked.clear()
      tell(texts.restored(marked.length))
    } catch (thrown) {
      setError(thrown)
    }
  }

  return (
    <>
      <Group gap="xs">
        {table.is_reference ? null : (
          <>
            <Button size="compact-sm" onClick={() => setOpen('new')}>
              {texts.new}
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              renderRoot={(button) => (
                <Link {...button} to={addressOf(source.site, 'import', source.app, source.table)} />
              )}
            >
              {texts.import}
            </Button>
          </>
        )}
        <Button
          size="compact-sm"
          variant="default"
          renderRoot={(button) => (
            <Link {...button} to={addressOf(source.site, 'schema', source.app, source.table)} />
          )}
        >
          {texts.schema}
        </Button>
        {keepsDeleted(table) ? (
          <Button
            size="compact-sm"
            variant={showsDeleted ? 'filled' : 'default'}
            aria-pressed={showsDeleted}
            onClick={() => showDeleted(!showsDeleted)}
          >
            {texts.showDeleted}
          </Button>
        ) : null}
        <Text size="sm" role="status">
          {count > 0 ? texts.selected(count) : ''}
        </Text>
        {count > 0 ? (
          <>
            <Button size="compact-sm" color="red.9" onClick={() => setOpen('delete')}>
              {texts.delete}
            </Button>
            {marked.length > 0 ? (
              <Button size="compact-sm" variant="default" onClick={() => void restore()}>
                {texts.restore}
              </Button>
            ) : null}
            <Button size="compact-sm" variant="default" onClick={picked.clear}>
              {texts.clearSelection}
            </Button>
          </>
        ) : null}
      </Group>
      {error ? <Problem error={error} /> : null}
      {open === 'new' ? <NewRecord source={source} table={table} close={close} /> : null}
      {open === 'delete' ? (
        <DeleteDialog
          source={source}
          table={table}
          records={picked.records}
          close={close}
          deleted={() => {
            picked.clear()
            close()
          }}
        />
      ) : null}
    </>
  )
}
