/** A record: its fields, related records, history, edges, and JSON. */
import { Code, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { tableQuery } from '../../session/queries.ts'
import { PartTabs } from '../../shared/part-tabs.tsx'
import { Problem } from '../../shared/problem.tsx'
import { Loading, PageHead } from '../../shared/states.tsx'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import { asIn, useSource } from '../data/state.ts'
import { ViewBanner } from '../data/view-banner.tsx'
import { recordQuery } from '../data/write.ts'
import { RecordActions } from './actions.tsx'
import { RecordEdges } from './edges.tsx'
import { RecordFields } from './fields.tsx'
import { RecordHistory } from './history.tsx'
import { RelatedRecords } from './related.tsx'
import { recordTexts } from './texts.ts'

/** Shows the record. The open part is in the address. */
export function Page() {
  const { key } = useParams({ strict: false }) as { key: string }
  const source = useSource()
  const { site, app, table, as } = source
  const texts = useTexts(recordTexts)
  const schema = useQuery(tableQuery(site, app, table))
  const read = useQuery(recordQuery(source, key))
  const error = schema.error ?? read.error
  if (error) return <Problem error={error} retry={() => void read.refetch()} />
  if (!schema.data || !read.data) return <Loading />
  const props = { source, table: schema.data, record: read.data.record }
  const { history, graph, hierarchy } = schema.data.json_schema
  return (
    <Stack gap="sm">
      <nav>
        <TextLink to={addressOf(site, 'data', app, table)} search={asIn(source) as never}>
          {table}
        </TextLink>
      </nav>
      {as === undefined ? null : <ViewBanner site={site} as={as} />}
      <Group justify="space-between">
        <PageHead title={texts.title(table, key)} size="h3" />
        {as === undefined ? <RecordActions {...props} /> : null}
      </Group>
      <PartTabs
        kept={asIn(source)}
        parts={[
          ['fields', texts.fields, () => <RecordFields {...props} />],
          ['related', texts.related, () => <RelatedRecords {...props} />],
          history && as === undefined ? ['history', texts.history, () => <RecordHistory {...props} />] : null,
          graph || hierarchy ? ['edges', texts.edges, () => <RecordEdges {...props} />] : null,
          [
            'json',
            texts.json,
            () => (
              <Code block className="wrapped">
                {JSON.stringify(read.data.record, null, 2)}
              </Code>
            ),
          ],
        ]}
      />
    </Stack>
  )
}
