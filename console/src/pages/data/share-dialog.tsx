/** Shows the query of a grid as an address of the API and as code for the client, to copy. */
import { Stack } from '@mantine/core'
import { CopyCode } from '../../shared/copy-code.tsx'
import { Dialog } from '../../shared/dialog.tsx'
import { useTexts } from '../../texts/define.ts'
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

/** Shows the address and the code. */
export function ShareDialog({ source, selection, isOpen, close }: ShareProps) {
  const texts = useTexts(dataTexts)
  const parts = [
    [texts.asAddress, addressOfRecords(source, selection)],
    [texts.asCode, codeOfRecords(source, selection)],
  ] as const
  return (
    <Dialog isOpen={isOpen} close={close} title={texts.share} size="lg">
      <Stack>
        {parts.map(([title, text]) => (
          <CopyCode key={title} title={title} text={text} />
        ))}
      </Stack>
    </Dialog>
  )
}
