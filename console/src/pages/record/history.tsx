/** The versions of a record: who changed what and when. An older version can be restored. */
import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { use, useState } from 'react'
import type { Version } from '../../../../client/src/index.ts'
import { queryClient } from '../../session/client.ts'
import { Problem } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { useTell } from '../../shared/tell.ts'
import { useTexts } from '../../texts/define.ts'
import { LanguageContext } from '../../texts/language.tsx'
import { cellText } from '../data/cell-text.ts'
import {
  type DataRecord,
  keyOf,
  keyText,
  recordPath,
  refreshRecords,
  requestExact,
  tableOf,
} from '../data/records.ts'
import { recordQuery } from '../data/write.ts'
import type { PartProps } from './part.ts'
import { recordTexts } from './texts.ts'

const shownMax = 50

/** Lists the versions, newest first. */
export function RecordHistory({ source, table, record }: PartProps) {
  const texts = useTexts(recordTexts)
  const tell = useTell()
  const { language } = use(LanguageContext)
  const [error, setError] = useState<unknown>()
  const key = keyText(table.primary_key, record)
  const found = useQuery({
    queryKey: [source.site, 'record', source.app, source.table, key, 'history'],
    staleTime: 0,
    queryFn: ({ signal }) =>
      requestExact<{ data: Version<DataRecord>[]; total: number }>(source, {
        path: `${recordPath(source, key)}history/`,
        query: { page_size: shownMax },
        signal,
      }),
  })

  async function restore(number: number): Promise<void> {
    setError(undefined)
    try {
      await tableOf(source).restore(keyOf(table.primary_key, record), number)
      await Promise.all([queryClient.invalidateQueries(recordQuery(source, key)), refreshRecords(source)])
      tell(texts.restored)
    } catch (thrown) {
      setError(thrown)
    }
  }

  if (found.error) return <Problem error={found.error} retry={() => void found.refetch()} />
  if (!found.data) return <Loading />
  const { data, total } = found.data
  const at = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'long' })
  return (
    <Stack gap="xs">
      {error ? <Problem error={error} /> : null}
      {data.map((version, index) => (
        <Paper key={version.number} withBorder p="sm">
          <Group justify="space-between">
            <Text fw={600}>
              {texts.version(version.number)}: {texts.operations[version.operation]}{' '}
              {version.changed_by?.username ? texts.by(version.changed_by.username) : ''}
            </Text>
            {index > 0 && version.record ? (
              <Button size="compact-sm" variant="default" onClick={() => void restore(version.number)}>
                {texts.restore}
              </Button>
            ) : null}
          </Group>
          <Text size="sm">{at.format(new Date(version.valid_from))}</Text>
          {version.changed?.map((name) => (
            <Text key={name} size="sm" className="wrapped">
              <b>{name}</b>: {cellText(version.record?.[name])}
            </Text>
          ))}
        </Paper>
      ))}
      {total > data.length ? <Text size="sm">{texts.more(data.length, total)}</Text> : null}
    </Stack>
  )
}
