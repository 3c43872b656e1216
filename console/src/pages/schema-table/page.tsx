/** The schema of a table: an editor, its history, and the deletion of the table. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { clientOf, useSite } from '../../session/client.ts'
import { tableQuery } from '../../session/queries.ts'
import { PartTabs } from '../../shared/part-tabs.tsx'
import { Problem } from '../../shared/problem.tsx'
import { PageHead, Waiting } from '../../shared/states.tsx'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import { refreshSchema, tablePath } from '../schema/queries.ts'
import { schemaTexts } from '../schema/texts.ts'
import { fieldsTexts } from '../schema/texts-fields.ts'
import { AdvisedIndexes } from './advice.tsx'
import { ChangeTable } from './change-table.tsx'
import { DeleteTable } from './delete-table.tsx'
import { History } from './history.tsx'
import type { PartProps } from './part.ts'

/** Shows the table. The open part is in the address. */
export function Page() {
  const texts = useTexts(schemaTexts)
  const { fields } = useTexts(fieldsTexts)
  const { site } = useSite()
  const { app, table } = useParams({ strict: false }) as { app: string; table: string }
  const query = useQuery(tableQuery(site, app, table))
  const { data } = query
  return (
    <Stack gap="sm" maw={1100}>
      <Group component="nav" gap="md">
        <TextLink to={addressOf(site, 'schema', app)}>{app}</TextLink>
        {data?.is_materialized ? (
          <TextLink to={addressOf(site, 'data', app, table)}>{texts.records}</TextLink>
        ) : null}
        <TextLink to={addressOf(site, 'picture', app)}>{texts.picture}</TextLink>
      </Group>
      <PageHead title={table} size="h3" />
      <Waiting query={query} />
      {data && !data.is_materialized ? <Materialize site={site} app={app} table={data} /> : null}
      {data?.is_materialized && !data.is_reference ? (
        <AdvisedIndexes site={site} app={app} table={data} />
      ) : null}
      {data ? (
        <PartTabs
          parts={[
            [
              'fields',
              fields,
              () =>
                data.is_reference ? (
                  <Text>{texts.isReference}</Text>
                ) : (
                  // The editor starts with a new draft for another state of the schema.
                  <ChangeTable key={data.schema_hash} site={site} app={app} table={data} />
                ),
            ],
            ['history', texts.history, () => <History site={site} app={app} table={data} />],
            ['delete', texts.delete, () => <DeleteTable site={site} app={app} table={data} />],
          ]}
        />
      ) : null}
    </Stack>
  )
}

function Materialize({ site, app, table }: PartProps) {
  const texts = useTexts(schemaTexts)
  const make = useMutation({
    mutationFn: () =>
      clientOf(site).request({
        method: 'POST',
        path: `${tablePath(app, table.name)}materialize/`,
        key: true,
      }),
    onSuccess: () => refreshSchema(site),
  })
  return (
    <Alert color="yellow">
      <Group justify="space-between">
        <Text size="sm">{texts.materializeText}</Text>
        <Button variant="default" loading={make.isPending} onClick={() => make.mutate()}>
          {texts.materialize}
        </Button>
      </Group>
      {make.error ? <Problem error={make.error} /> : null}
    </Alert>
  )
}
