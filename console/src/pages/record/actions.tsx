/** The actions on a whole record: copy, delete and restore it. */
import { Badge, Button, Group } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Problem } from '../../shared/problem.tsx'
import { useTell } from '../../shared/tell.ts'
import { addressOf } from '../../shell/address.ts'
import { useTexts } from '../../texts/define.ts'
import { DeleteDialog } from '../data/delete-dialog.tsx'
import { NewRecord } from '../data/new-record.tsx'
import { keyText } from '../data/records.ts'
import { unmark } from '../data/removal.ts'
import { dataTexts } from '../data/texts.ts'
import type { PartProps } from './part.ts'
import { recordTexts } from './texts.ts'

/** Shows the buttons. */
export function RecordActions({ source, table, record }: PartProps) {
  const texts = useTexts(dataTexts)
  const own = useTexts(recordTexts)
  const tell = useTell()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'new' | 'copy' | 'delete'>()
  const [error, setError] = useState<unknown>()
  const close = () => setOpen(undefined)
  const { site, app, table: name } = source

  async function restore(): Promise<void> {
    setError(undefined)
    try {
      await unmark(source, table, [record])
      tell(texts.restored(1))
    } catch (thrown) {
      setError(thrown)
    }
  }

  if (table.is_reference) return null
  const isDeleted = record.is_deleted === true
  return (
    <Group gap="xs">
      {isDeleted ? <Badge color="red.9">{texts.isDeleted}</Badge> : null}
      <Button size="compact-md" variant="default" onClick={() => setOpen('new')}>
        {texts.new}
      </Button>
      <Button size="compact-md" variant="default" onClick={() => setOpen('copy')}>
        {own.copy}
      </Button>
      {isDeleted ? (
        <Button size="compact-md" variant="default" onClick={() => void restore()}>
          {texts.restore}
        </Button>
      ) : null}
      <Button size="compact-md" color="red.9" onClick={() => setOpen('delete')}>
        {texts.delete}
      </Button>
      {error ? <Problem error={error} /> : null}
      {open === 'new' || open === 'copy' ? (
        <NewRecord
          source={source}
          table={table}
          preset={open === 'copy' ? record : {}}
          close={close}
          created={(created) =>
            void navigate({ to: addressOf(site, 'data', app, name, keyText(table.primary_key, created)) })
          }
        />
      ) : null}
      {open === 'delete' ? (
        <DeleteDialog
          source={source}
          table={table}
          records={[record]}
          close={close}
          deleted={() => void navigate({ to: addressOf(site, 'data', app, name) })}
        />
      ) : null}
    </Group>
  )
}
