/** Short messages at the edge of the page, which go away by themselves. */
import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/define.ts'
import { shellTexts } from '../texts/shell.ts'

/** How to show a message. */
interface Telling {
  /** A message with the same name takes its place. */
  id?: string
  isError?: boolean
}

/** Returns what shows a message. */
export function useTell(): (message: ReactNode, telling?: Telling) => void {
  const { close } = useTexts(shellTexts)
  return (message, { id, isError = false } = {}) =>
    void notifications.show({
      message,
      closeButtonProps: { 'aria-label': close },
      ...(id === undefined ? {} : { id }),
      ...(isError ? { color: 'red' } : {}),
    })
}
