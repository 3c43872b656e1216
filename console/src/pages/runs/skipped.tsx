/** The skipped runs of functions, counted by function, reason and day. Only the newest ones are kept as runs. */
import { Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSite } from '../../session/client.ts'
import { Problem } from '../../shared/problem.tsx'
import { useTexts } from '../../texts/define.ts'
import { skippedQuery } from '../functions/queries.ts'
import { runsTexts } from './texts.ts'

/** Shows the counts. `slug`: those of one function only. */
export function Skipped({ slug }: { slug: string | undefined }) {
  const texts = useTexts(runsTexts)
  const { site } = useSite()
  const { data, error } = useQuery(skippedQuery(site, slug))
  if (error) return <Problem error={error} />
  if (!data || data.data.length === 0) return null
  return (
    <Stack component="section" aria-label={texts.skipped} gap="xs">
      <Title order={2} size="h4">
        {texts.skipped}
      </Title>
      <Text size="sm" className="muted">
        {texts.skippedHint}
      </Text>
      <Table w="auto">
        <Table.Tbody>
          {data.data.map((one) => (
            <Table.Tr key={`${one.function} ${one.reason} ${one.day}`}>
              <Table.Td>{one.day}</Table.Td>
              <Table.Td>{one.function_name}</Table.Td>
              <Table.Td>{texts.reasons[one.reason]}</Table.Td>
              <Table.Td ta="right">{one.count}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  )
}
