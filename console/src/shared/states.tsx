/** The content of a page while it loads, and if it is empty. */
import { Loader, Paper, Stack, Text, Title } from '@mantine/core'
import type { PropsWithChildren } from 'react'
import { useTexts } from '../texts/define.ts'
import { shellTexts } from '../texts/shell.ts'

/** Shows that data is being loaded. */
export function Loading() {
  const texts = useTexts(shellTexts)
  return (
    <output aria-label={texts.loading}>
      <Loader size="sm" m="md" />
    </output>
  )
}

/** Shows that there is nothing yet. The children explain how to create the first object. */
export const Empty = ({ title, children }: PropsWithChildren<{ title: string }>) => (
  <Paper withBorder p="lg" radius="md">
    <Stack gap="xs">
      <Title order={2} size="h4">
        {title}
      </Title>
      {typeof children === 'string' ? <Text>{children}</Text> : children}
    </Stack>
  </Paper>
)
