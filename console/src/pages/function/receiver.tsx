/** Shows sample code with which a server checks that a call comes from this function. */
import { Anchor, List, Stack, Text } from '@mantine/core'
import { CopyCode } from '../../shared/copy-code.tsx'
import { useTexts } from '../../texts/define.ts'
import { serverCode, verifyCode } from './receiver-code.ts'
import { functionTexts } from './texts.ts'

/** Shows the parts of a call, and the code. */
export function Receiver() {
  const texts = useTexts(functionTexts)
  const { receiver } = texts
  return (
    <Stack>
      <Text size="sm">
        {receiver.text}{' '}
        <Anchor href="https://www.standardwebhooks.com" underline="always" inherit>
          Standard Webhooks
        </Anchor>
      </Text>
      <List size="sm">
        {receiver.facts.map((fact) => (
          <List.Item key={fact}>{fact}</List.Item>
        ))}
      </List>
      <CopyCode title={receiver.verifyTitle} text={verifyCode(receiver)} />
      <CopyCode title={receiver.serverTitle} text={serverCode} />
    </Stack>
  )
}
