/** The records of a table, as a grid. */
import { Anchor, Group, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { tableQuery } from '../../session/queries.ts'
import { Problem } from '../../shared/problem.tsx'
import { Empty, Loading } from '../../shared/states.tsx'
import { useTexts } from '../../texts/define.ts'
import { Grid } from './grid.tsx'
import { recordsQuery, type Source } from './records.ts'
import { dataTexts } from './texts.ts'

/** Shows the records. */
export function Page() {
  const texts = useTexts(dataTexts)
  const source = useParams({ strict: false }) as Source
  const table = useQuery(tableQuery(source.site, source.app, source.table))
  const found = useInfiniteQuery(recordsQuery(source, {}))
  const records = useMemo(() => found.data?.pages.flatMap(({ data }) => data) ?? [], [found.data])
  const { hasNextPage, isFetching, fetchNextPage, isSuccess } = found
  const error = table.error ?? found.error
  return (
    <Stack gap="xs">
      <Group justify="space-between" align="baseline">
        <Title order={1} size="h3">
          {source.table}
        </Title>
        <Text size="sm" className="muted" role="status">
          {isSuccess && records.length > 0
            ? (hasNextPage ? texts.readSoFar : texts.allRead)(records.length)
            : ''}
        </Text>
      </Group>
      {error ? <Problem error={error} retry={() => void found.refetch()} /> : null}
      {table.isPending || (found.isPending && !error) ? <Loading /> : null}
      {isSuccess && records.length === 0 ? (
        <Empty title={texts.none}>
          <Text>{texts.noneText}</Text>
          <Anchor href="/docs/guide/writes/" underline="always">
            {texts.howTo}
          </Anchor>
        </Empty>
      ) : null}
      {table.data && records.length > 0 ? (
        <Grid
          label={texts.records(source.table)}
          fields={table.data.json_schema.fields}
          records={records}
          more={hasNextPage && !isFetching ? () => void fetchNextPage() : undefined}
        />
      ) : null}
    </Stack>
  )
}
