/** The page of an address that leads nowhere. */
import { Text, Title } from '@mantine/core'
import { useTexts } from '../texts/define.ts'
import { shellTexts } from '../texts/shell.ts'
import { TextLink } from './link.tsx'

/** Says that the address leads nowhere. */
export function NotFound() {
  const texts = useTexts(shellTexts)
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
