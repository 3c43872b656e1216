/** The heading of a page, and its content while it loads, if that failed, and if it is empty. */
import { Loader, Paper, Stack, Text, Title } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { PropsWithChildren } from 'react'
import { useTexts } from '../texts/define.ts'
import { shellTexts } from '../texts/shell.ts'
import { Problem } from './problem.tsx'

interface PageHeadProps {
  title: string
  /** What the page is for. */
  hint?: string
  size?: 'h2' | 'h3'
}

/** The heading of a page, with a hint below it. */
export const PageHead = ({ title, hint, size = 'h2' }: PageHeadProps) => (
  <>
    <Title order={1} size={size}>
      {title}
    </Title>
    {hint === undefined ? null : (
      <Text size="sm" className="muted">
        {hint}
      </Text>
    )}
  </>
)

/** Shows that data is being loaded. */
export function Loading() {
  const texts = useTexts(shellTexts)
  return (
    <output aria-label={texts.loading}>
      <Loader size="sm" m="md" />
    </output>
  )
}

/** Shows that the data of a query is being loaded, or why it could not be, with a button to try again. */
export function Waiting({ query }: { query: Pick<UseQueryResult, 'data' | 'error' | 'refetch'> }) {
  if (query.error) return <Problem error={query.error} retry={() => void query.refetch()} />
  return query.data === undefined ? <Loading /> : null
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
