/** The steps of the changes of a table's schema. A change can be rolled back after its plan was shown. */
import { Badge, Button, Code, Group, Paper, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { clientOf } from '../../session/client.ts'
import { Problem } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { useTell } from '../../shared/tell.ts'
import { When } from '../../shared/when.tsx'
import { useTexts } from '../../texts/define.ts'
import { PlanDialog } from '../schema/plan-dialog.tsx'
import { type Operation, operationsQuery, type Plan, refreshSchema, tablePath } from '../schema/queries.ts'
import { planTexts } from '../schema/texts-plan.ts'
import type { PartProps } from './part.ts'

/** The milliseconds after which the progress of a running change is read again. */
const refetchMs = 2_000

/** Lists the changes, newest first. */
export function History({ site, app, table }: PartProps) {
  const texts = useTexts(planTexts)
  const tell = useTell()
  const [undone, setUndone] = useState<Operation>()
  const { data, error, refetch } = useQuery({
    ...operationsQuery(site, app, table.name),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ status }) => status === 'running') ? refetchMs : false,
  })
  const rollBack = (isDry: boolean) =>
    clientOf(site).request<Plan>({
      method: 'POST',
      path: `${tablePath(app, table.name)}rollback/`,
      query: { dry_run: isDry || undefined },
      body: { revision_id: undone?.id },
      ...(isDry ? {} : { key: true }),
    })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  const changes = [...Map.groupBy(data.data, ({ id, migration_id }) => migration_id ?? String(id)).entries()]
  return (
    <Stack gap="xs">
      {changes.length === 0 ? <Text>{texts.noHistory}</Text> : null}
      {changes.map(([id, steps]) => (
        <Change key={id} steps={steps} rollBack={setUndone} />
      ))}
      {data.total > data.data.length ? (
        <Text size="sm">{texts.shownOf(data.data.length, data.total)}</Text>
      ) : null}
      {undone ? (
        <PlanDialog
          title={texts.rollBackTitle}
          plan={() => rollBack(true)}
          apply={async () => {
            await rollBack(false)
            setUndone(undefined)
            tell(texts.rolledBack)
            await refreshSchema(site)
          }}
          close={() => setUndone(undefined)}
        />
      ) : null}
    </Stack>
  )
}

interface ChangeProps {
  steps: readonly Operation[]
  rollBack(operation: Operation): void
}

/** The steps of one change. They are rolled back together. */
function Change({ steps, rollBack }: ChangeProps) {
  const texts = useTexts(planTexts)
  const [latest] = steps
  if (!latest) return null
  // A created table is deleted instead of rolled back, and a deleted table is restored on another page.
  const canUndo = steps.every(
    ({ status, operation_type }) => status === 'success' && operation_type === 'alter_table',
  )
  return (
    <Paper withBorder p="sm" component="section" aria-label={latest.description}>
      <Group justify="space-between">
        <Text size="sm" className="muted">
          <When at={latest.created_at} />
        </Text>
        {canUndo || latest.progress ? (
          <Button size="compact-sm" variant="default" onClick={() => rollBack(latest)}>
            {latest.progress ? texts.cancel : texts.rollBack}
          </Button>
        ) : null}
      </Group>
      {latest.progress ? <Bar {...latest.progress} /> : null}
      <Stack component="ul" gap={4} m={0} pl="md">
        {steps.map(({ id, description, sql, status, execution_time_ms }) => (
          <li key={id}>
            <Group gap="xs">
              <Text size="sm">{description}</Text>
              <Badge variant="default" tt="none">
                {texts.status[status]}
              </Badge>
              <Text size="xs" className="muted">
                {texts.took(execution_time_ms)}
              </Text>
            </Group>
            <details>
              <summary>
                <Text span size="sm">
                  {texts.sql}
                </Text>
              </summary>
              <Code block className="wrapped" tabIndex={0}>
                {sql}
              </Code>
            </details>
          </li>
        ))}
      </Stack>
    </Paper>
  )
}

/** Shows how far a running change is. */
function Bar({ rows_done: done, rows_total: total }: NonNullable<Operation['progress']>) {
  const text = useTexts(planTexts).progress(done, total)
  return (
    <Stack gap={2} my="xs">
      <Progress value={total === 0 ? 0 : Math.min(100, (100 * done) / total)} aria-label={text} />
      <Text size="xs" className="muted">
        {text}
      </Text>
    </Stack>
  )
}
