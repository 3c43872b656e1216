/** The indexes that slow lists of a table lacked, each with the plan of the change that adds it. */
import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { clientOf } from '../../session/client.ts'
import { useTell } from '../../shared/tell.ts'
import { useTexts } from '../../texts/define.ts'
import { draftOf, schemaOf } from '../schema/draft.ts'
import { PlanDialog } from '../schema/plan-dialog.tsx'
import { changeTable, refreshSchema, tablePath } from '../schema/queries.ts'
import { adviceTexts } from '../schema/texts-advice.ts'
import { planTexts } from '../schema/texts-plan.ts'
import type { PartProps } from './part.ts'

interface Advice {
  index: { name: string; fields: string[]; method?: string; descending?: string[] }
  count: number
  max_ms: number
}

const adviceQuery = (site: string, app: string, table: string) =>
  queryOptions({
    queryKey: [site, 'apps', app, 'advice', table],
    // Only those who may change the schema get it.
    retry: false,
    queryFn: async ({ signal }) =>
      (
        await clientOf(site).request<{ indexes: Advice[] }>({
          path: `${tablePath(app, table)}advice/`,
          signal,
        })
      ).indexes,
  })

/** Shows the advice; nothing without any. */
export function AdvisedIndexes({ site, app, table }: PartProps) {
  const texts = useTexts(adviceTexts)
  const plans = useTexts(planTexts)
  const tell = useTell()
  const [chosen, choose] = useState<Advice['index']>()
  const { data = [] } = useQuery(adviceQuery(site, app, table.name))
  if (data.length === 0) return null
  const send = (index: Advice['index'], isDry: boolean, allowsLoss = false) => {
    const schema = schemaOf(draftOf(table.json_schema, false))
    const json_schema = { ...schema, indexes: [...(schema.indexes ?? []), index] }
    const path = { app, table: table.name, hash: table.schema_hash }
    return changeTable(site, path, { json_schema, description: table.description }, { isDry, allowsLoss })
  }
  return (
    <Alert color="blue" title={texts.title}>
      <Stack gap="xs">
        {data.map(({ index, count, max_ms }) => (
          <Group key={index.name} justify="space-between">
            <Text size="sm">
              <Code>{index.fields.join(', ')}</Code>
              {index.method ? ` (${index.method})` : ''} {texts.lists(count, Math.round(max_ms))}
            </Text>
            <Button variant="default" size="xs" onClick={() => choose(index)}>
              {texts.plan(index.fields.join(', '))}
            </Button>
          </Group>
        ))}
      </Stack>
      {chosen ? (
        <PlanDialog
          title={plans.plan}
          plan={() => send(chosen, true)}
          apply={async ({ allowsLoss }) => {
            const { operation } = await send(chosen, false, allowsLoss)
            choose(undefined)
            tell(operation ? plans.goesOn : plans.applied)
            await refreshSchema(site)
          }}
          close={() => choose(undefined)}
        />
      ) : null}
    </Alert>
  )
}
