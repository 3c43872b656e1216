/**
 * The signing secret of a new function. The service shows it only once, and the console does not store it.
 */
import { Button, Group, Stack, Text } from '@mantine/core'
import { CopyCode } from '../../shared/copy-code.tsx'
import { Dialog } from '../../shared/dialog.tsx'
import { useTexts } from '../../texts/define.ts'
import { functionsTexts } from './texts.ts'

/** Shows the secret until the person confirms that it is stored. */
export function SigningSecret({ secret, close }: { secret: string; close(): void }) {
  const texts = useTexts(functionsTexts)
  return (
    <Dialog isOpen close={close} title={texts.secretTitle} isHeld>
      <Stack>
        <Text size="sm">{texts.secretText}</Text>
        <CopyCode title={texts.secret} text={secret} />
        <Group>
          <Button onClick={close}>{texts.secretKept}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
