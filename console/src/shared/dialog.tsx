/** A dialog over the page: with its title, and buttons to close it. */
import { Button, CloseButton, Group, Modal, type ModalRootProps, Text } from '@mantine/core'
import type { PropsWithChildren } from 'react'
import { useTexts } from '../texts/define.ts'
import { shellTexts } from '../texts/shell.ts'

interface DialogProps {
  title: string
  isOpen: boolean
  close(): void
  size?: ModalRootProps['size']
  /** A click outside does not close the dialog, because its content may not be shown again. */
  isHeld?: boolean
}

/** Shows the dialog. For screen readers, Mantine's own header would be a second banner of the page. */
export function Dialog({
  title,
  isOpen,
  close,
  size = 'md',
  isHeld = false,
  children,
}: PropsWithChildren<DialogProps>) {
  const texts = useTexts(shellTexts)
  return (
    <Modal.Root opened={isOpen} onClose={close} size={size} closeOnClickOutside={!isHeld}>
      <Modal.Overlay />
      <Modal.Content aria-label={title}>
        <Modal.Body>
          <Group justify="space-between" pt="md" pb="sm" wrap="nowrap">
            <Text fw={600} size="lg">
              {title}
            </Text>
            <CloseButton aria-label={texts.close} onClick={close} />
          </Group>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

/** The button that closes a dialog without doing anything. */
export const Cancel = ({ close }: Pick<DialogProps, 'close'>) => (
  <Button variant="default" onClick={close}>
    {useTexts(shellTexts).cancel}
  </Button>
)
