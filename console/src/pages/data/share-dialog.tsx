/** Shows the question of a grid as an address of the API and as code of the client, to copy. */
import { Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core'
import { Dialog } from '../../shared/dialog.tsx'
import { useTexts } from '../../texts/define.ts'
import { shellTexts } from '../../texts/shell.ts'
import type { Source } from './records.ts'
import { addressOfRecords, codeOfRecords } from './shared-code.ts'
import type { Selection } from './state.ts'
import { dataTexts } from './texts.ts'

interface ShareProps {
  source: Source
  selection: Selection
  isOpen: boolean
  close(): void
}

/** Shows both. */
export function ShareDialog({ source, selection, isOpen, close }: ShareProps) {
  const texts = useTexts(dataTexts)
  const shell = useTexts(shellTexts)
  const parts = [
    [texts.asAddress, addressOfRecords(source, selection)],
    [texts.asCode, codeOfRecords(source, selection)],
  ] as const
  return (
    <Dialog isOpen={isOpen} close={close} title={texts.share} size="lg">
      <Stack>
        {parts.map(([title, text]) => (
          <section key={title} aria-label={title}>
            <Group justify="space-between" mb={4}>
              <Text fw={600}>{title}</Text>
              <CopyButton value={text}>
                {({ copied, copy }) => (
                  <Button size="compact-sm" variant="default" onClick={copy}>
                    {copied ? shell.copied : shell.copy}
                  </Button>
                )}
              </CopyButton>
            </Group>
            <Code block className="wrapped" tabIndex={0} aria-label={title} role="group">
              {text}
            </Code>
          </section>
        ))}
      </Stack>
    </Dialog>
  )
}
