/** Fills the parameters of a run with a sample of an event. */
import { Button, Group, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { EventName } from '../../../../src/runtime/events/names.ts'
import { recordEvents, sampleEvent } from '../../../../src/runtime/events/sample.ts'
import { useSite } from '../../session/client.ts'
import { tableQuery, tablesQuery } from '../../session/queries.ts'
import { useTexts } from '../../texts/define.ts'
import { functionTexts } from './texts.ts'

const eventNames: readonly EventName[] = [
  ...recordEvents,
  ...(['PRE_USER_CREATE', 'POST_USER_CREATE', 'POST_USER_UPDATE', 'POST_USER_DELETE'] as const),
]

/** Shows the choice of an event, and of a table for an event of records. */
export function Sample({ app, fill }: { app: string; fill(params: object): void }) {
  const texts = useTexts(functionTexts)
  const { site } = useSite()
  const [event, setEvent] = useState<EventName>('RECORD_CREATE')
  const [chosen, setChosen] = useState<string>()
  const isOfRecords = (recordEvents as readonly string[]).includes(event)
  const tables = useQuery(tablesQuery(site, app))
  const names = (tables.data ?? []).map(({ name }) => name)
  const table = chosen ?? names[0]
  const { data } = useQuery({ ...tableQuery(site, app, table ?? ''), enabled: table !== undefined })
  const sampled = data && table !== undefined ? { app, name: table, ...data.json_schema } : undefined
  return (
    <Group align="end" gap="xs">
      <Select
        label={texts.sampleOf}
        data={[...eventNames]}
        value={event}
        onChange={(next) => setEvent((next ?? 'RECORD_CREATE') as EventName)}
        allowDeselect={false}
      />
      {isOfRecords ? (
        <Select
          label={texts.sampleTable}
          data={names}
          value={table ?? null}
          onChange={(next) => setChosen(next ?? undefined)}
          allowDeselect={false}
        />
      ) : null}
      <Button
        variant="default"
        disabled={isOfRecords && !sampled}
        onClick={() => fill(sampleEvent(event, isOfRecords ? sampled : undefined))}
      >
        {texts.fillSample}
      </Button>
    </Group>
  )
}
