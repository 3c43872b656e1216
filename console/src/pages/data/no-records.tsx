/** The content of a grid without records. */
import { Anchor, Text } from '@mantine/core'
import { Empty } from '../../shared/states.tsx'
import { useTexts } from '../../texts/define.ts'
import type { Selection } from './state.ts'
import { dataTexts } from './texts.ts'

/** Shows whether no record matches, or the table is empty. */
export function NoRecords({ selection: { filters, search } }: { selection: Selection }) {
  const texts = useTexts(dataTexts)
  const isChosen = Object.keys(filters).length > 0 || search !== ''
  if (isChosen) return <Empty title={texts.noMatch}>{texts.noMatchText}</Empty>
  return (
    <Empty title={texts.none}>
      <Text>{texts.noneText}</Text>
      <Anchor href="/docs/guide/writes/" underline="always">
        {texts.howTo}
      </Anchor>
    </Empty>
  )
}
