/** Short messages at the edge of the page, which disappear by themselves. */
import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/define.ts'
import { shellTexts } from '../texts/shell.ts'

/** How to show a message. */
interface Telling {
  /** A new message with the same name replaces this one. */
  id?: string
  isError?: boolean
}

/** Returns a function that shows a message. */
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
