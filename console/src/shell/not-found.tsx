/** The page for an address that does not exist. */
import { Text, Title } from '@mantine/core'
import { useTexts } from '../texts/define.ts'
import { shellTexts } from '../texts/shell.ts'
import { useDocumentTitle } from './document-title.ts'
import { TextLink } from './link.tsx'

/** Shows that the address does not exist. */
export function NotFound() {
  const texts = useTexts(shellTexts)
  useDocumentTitle(texts.notFoundTitle)
  return (
    <>
      <Title order={1} size="h2">
        {texts.notFoundTitle}
      </Title>
      <Text my="sm">{texts.notFoundText}</Text>
      <TextLink to="/">{texts.toSites}</TextLink>
    </>
  )
}
