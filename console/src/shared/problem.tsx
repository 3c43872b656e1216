/** Shows an error with the messages of the API. */
import { Alert, Button, Group, List, Text } from '@mantine/core'
import { ConnectionError, TesseraError } from '../../../client/src/index.ts'
import { SignedOutError } from '../session/session.ts'
import { useTexts } from '../texts/define.ts'
import { shellTexts } from '../texts/shell.ts'

interface ProblemProps {
  error: unknown
  /** Tries again. Omitted: no button is shown. */
  retry?: () => void
  /** The fields that show their own messages, which are omitted here. */
  except?: readonly string[]
}

/** Returns the messages of an error by field; `''` is the request as a whole. */
export function messagesOf(error: unknown, noAnswer: string): Readonly<Record<string, readonly string[]>> {
  if (error instanceof ConnectionError) return { '': [noAnswer] }
  if (error instanceof TesseraError && Object.keys(error.messages).length > 0) return error.messages
  return { '': [error instanceof Error ? error.message : String(error)] }
}

/** Shows an error with its messages, its code, the id of the request, and a button to try again. */
export function Problem({ error, retry, except = [] }: ProblemProps) {
  const texts = useTexts(shellTexts)
  // The frame asks the user to sign in.
  if (error instanceof SignedOutError) return null
  const messages = Object.entries(messagesOf(error, texts.noAnswer)).filter(
    ([field]) => !except.includes(field),
  )
  // The fields show all messages.
  if (messages.length === 0 && except.length > 0) return null
  const { code, requestId } = error instanceof TesseraError ? error : { code: null, requestId: null }
  return (
    <Alert color="red" role="alert" title={texts.problem} my="sm">
      <List size="sm" listStyleType={messages.length > 1 ? 'disc' : 'none'}>
        {messages.flatMap(([field, lines]) =>
          lines.map((line) => (
            <List.Item key={`${field} ${line}`}>
              {field ? <b>{field}: </b> : null}
              {line}
            </List.Item>
          )),
        )}
      </List>
      <Group mt="xs" gap="sm">
        {retry ? (
          <Button size="compact-sm" variant="default" onClick={retry}>
            {texts.retry}
          </Button>
        ) : null}
        {code ? <Text size="xs">{code}</Text> : null}
        {requestId ? <Text size="xs">{texts.requestId(requestId)}</Text> : null}
      </Group>
    </Alert>
  )
}
