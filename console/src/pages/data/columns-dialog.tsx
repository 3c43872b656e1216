/** Chooses the columns of a grid, their order, and the pinned ones. */
import { ActionIcon, Button, Checkbox, Group, Stack } from '@mantine/core'
import { Dialog } from '../../shared/dialog.tsx'
import { useTexts } from '../../texts/define.ts'
import type { Column, ColumnChanges } from './columns.ts'
import { dataTexts } from './texts.ts'

interface ColumnsDialogProps {
  columns: readonly Column[]
  changes: ColumnChanges
  isOpen: boolean
  close(): void
}

/** Lists the columns. */
export function ColumnsDialog({ columns, changes, isOpen, close }: ColumnsDialogProps) {
  const texts = useTexts(dataTexts)
  const shown = columns.filter(({ isHidden }) => !isHidden).length
  return (
    <Dialog isOpen={isOpen} close={close} title={texts.columns}>
      <Stack gap="xs">
        {columns.map(({ field: { name }, isPinned, isHidden }) => (
          <Group key={name} justify="space-between" wrap="nowrap">
            <Checkbox
              label={name}
              checked={!isHidden}
              disabled={!isHidden && shown === 1}
              onChange={() => changes.hide(name, !isHidden)}
            />
            <Group gap="xs" wrap="nowrap">
              <Checkbox
                label={texts.pin}
                aria-label={texts.pinColumn(name)}
                checked={isPinned}
                onChange={() => changes.pin(name, !isPinned)}
              />
              <ActionIcon
                variant="default"
                aria-label={texts.moveBefore(name)}
                onClick={() => changes.move(name, -1)}
              >
                ↑
              </ActionIcon>
              <ActionIcon
                variant="default"
                aria-label={texts.moveAfter(name)}
                onClick={() => changes.move(name, 1)}
              >
                ↓
              </ActionIcon>
            </Group>
          </Group>
        ))}
        <Button variant="default" onClick={changes.reset}>
          {texts.resetColumns}
        </Button>
      </Stack>
    </Dialog>
  )
}
