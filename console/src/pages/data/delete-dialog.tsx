/** Deletes records after showing what would happen, and how to restore them. */
import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Table } from '../../session/queries.ts'
import { Cancel, Dialog } from '../../shared/dialog.tsx'
import { Problem } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { useTell } from '../../shared/tell.ts'
import { useTexts } from '../../texts/define.ts'
import { type DataRecord, keyText, type Source } from './records.ts'
import { deleteRecords, keepsDeleted, recreate, refreshAll, unmark } from './removal.ts'
import { dataTexts } from './texts.ts'
import { useUndo } from './undo.tsx'
import { noteUndo } from './write.ts'

interface DeleteProps {
  source: Source
  table: Table
  records: readonly DataRecord[]
  close(): void
  /** Called after the records are deleted. */
  deleted(): void
}

/** Shows the result of a dry run, and then deletes. */
export function DeleteDialog({ source, table, records, close, deleted }: DeleteProps) {
  const texts = useTexts(dataTexts)
  const tell = useTell()
  const { tellUndoable } = useUndo()
  const marks = keepsDeleted(table)
  const [isHard, setHard] = useState(!marks)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const keys = records.map((record) => keyText(table.primary_key, record))
  const preview = useQuery({
    queryKey: [source.site, 'deletion', source.app, source.table, keys, isHard],
    gcTime: 0,
    staleTime: 0,
    queryFn: () => deleteRecords(source, table, records, { isHard, isDry: true }),
  })
  const bringsBack = table.json_schema.history ? recreate : undefined
  const undo = isHard ? bringsBack : unmark

  async function apply(): Promise<void> {
    setError(undefined)
    setBusy(true)
    try {
      const count = await deleteRecords(source, table, records, { isHard })
      if (undo) {
        noteUndo(() => undo(source, table, records))
        tellUndoable(texts.deleted(count))
      } else tell(texts.deleted(count))
      deleted()
      await refreshAll(source)
    } catch (thrown) {
      setError(thrown)
    } finally {
      setBusy(false)
    }
  }

  const count = preview.data ?? 0
  return (
    <Dialog isOpen close={close} title={texts.deleteTitle(records.length)}>
      <Stack gap="sm">
        {marks ? (
          <Checkbox
            label={texts.hard}
            description={texts.hardText}
            checked={isHard}
            onChange={(event) => setHard(event.currentTarget.checked)}
          />
        ) : null}
        {preview.isPending ? <Loading /> : null}
        {preview.error || error ? <Problem error={error ?? preview.error} /> : null}
        {preview.data === undefined ? null : (
          <Stack gap={4} role="status">
            <Text>{isHard ? texts.wouldDelete(count) : texts.wouldMark(count)}</Text>
            <Text size="sm" className="muted">
              {undo ? texts.canUndo : texts.cannotUndo}
            </Text>
          </Stack>
        )}
        <Group>
          <Button
            color="red.9"
            disabled={count === 0}
            loading={isBusy}
            onClick={() => void apply()}
            data-autofocus
          >
            {texts.delete}
          </Button>
          <Cancel close={close} />
        </Group>
      </Stack>
    </Dialog>
  )
}
