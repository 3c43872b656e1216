/** Asks the user to sign in, and returns to the page afterwards. */
import { Button, Center, Stack, Text, Title } from '@mantine/core'
import { useTexts } from '../texts/define.ts'
import { shellTexts } from '../texts/shell.ts'
import { useDocumentTitle } from './document-title.ts'

/** Shows a link to the sign-in page, which leads back to this address. */
export function SignIn() {
  const texts = useTexts(shellTexts)
  useDocumentTitle(texts.signInTitle)
  const { pathname, search } = window.location
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack align="center" gap="sm">
        <Title order={1} size="h2" ta="center">
          {texts.signInTitle}
        </Title>
        <Text>{texts.signInText}</Text>
        <Button
          component="a"
          href={`/accounts/login/?next=${encodeURIComponent(pathname + search)}`}
          size="md"
          data-autofocus
        >
          {texts.signIn}
        </Button>
      </Stack>
    </Center>
  )
}
