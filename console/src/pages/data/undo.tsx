/** Offers to undo the last change. */
import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useTell } from '../../shared/tell.ts'
import { useTexts } from '../../texts/define.ts'
import { dataTexts } from './texts.ts'
import { undoLast } from './write.ts'

/** The notification of the last change. */
const savedId = 'saved'

/**
 * Returns a function that undoes the last change, and one that shows a message about a change, with a button
 * to undo it.
 */
export function useUndo(): { undo(): Promise<void>; tellUndoable(message: string): void } {
  const texts = useTexts(dataTexts)
  const tell = useTell()
  async function undo(): Promise<void> {
    notifications.hide(savedId)
    try {
      if (await undoLast()) tell(texts.undone)
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error), { isError: true })
    }
  }
  return {
    undo,
    tellUndoable(message) {
      tell(
        <Group justify="space-between">
          {message}
          <Button size="compact-sm" variant="default" onClick={() => void undo()}>
            {texts.undo}
          </Button>
        </Group>,
        { id: savedId },
      )
    },
  }
}
