/** The events that run a function: its subscriptions, and other events to subscribe to. */
import { Button, Group, MultiSelect, Paper, Select, Table, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { clientOf, queryClient, useSite } from '../../session/client.ts'
import { tablesQuery } from '../../session/queries.ts'
import { Problem } from '../../shared/problem.tsx'
import { useTell } from '../../shared/tell.ts'
import { useTexts } from '../../texts/define.ts'
import type { ShownFunction } from '../functions/types.ts'
import { functionTexts } from './texts.ts'

interface SubscribedEvent {
  event: string
  /** The tables whose records run the function; null: all. Undefined: it is not subscribed. */
  tables: readonly string[] | null | undefined
}

interface Subscriber {
  function_slug: string
  tables: readonly string[] | null
}

/** Reads the events to which a function is subscribed. */
async function readEvents(
  site: string,
  app: string,
  slug: string,
  signal: AbortSignal,
): Promise<SubscribedEvent[]> {
  const { events, request } = clientOf(site)
  const path = `/api/apps/${encodeURIComponent(app)}/events/`
  return Promise.all(
    (await events.list({ signal })).map(async (event) => {
      const { data } = await request<{ data: { subscribers: Subscriber[] } }>({
        path: `${path}${event}/`,
        signal,
      })
      return { event, tables: data.subscribers.find(({ function_slug }) => function_slug === slug)?.tables }
    }),
  )
}

export function Events({ app, one }: { app: string; one: ShownFunction }) {
  const texts = useTexts(functionTexts)
  const tell = useTell()
  const { site } = useSite()
  const [chosen, setChosen] = useState<string | null>(null)
  const [limited, setLimited] = useState<string[]>([])
  const isOfRecords = chosen?.startsWith('RECORD_') ?? false
  const tables = useQuery({ ...tablesQuery(site, app), enabled: isOfRecords })
  const key = [site, 'apps', app, 'functions', one.slug, 'events']
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readEvents(site, app, one.slug, signal),
  })
  const change = useMutation({
    mutationFn: ({ verb, event }: { verb: 'subscribe' | 'unsubscribe'; event: string }) =>
      clientOf(site)
        .events[verb](event, one.id, verb === 'subscribe' && limited.length > 0 ? { tables: limited } : {})
        .then(() => undefined),
    async onSuccess() {
      setChosen(null)
      setLimited([])
      tell(texts.saved)
      await queryClient.invalidateQueries({ queryKey: key })
    },
  })
  const subscribed = (data ?? []).filter((each) => each.tables !== undefined)
  return (
    <Paper component="section" aria-label={texts.events} withBorder p="md">
      <Title order={2} size="h4">
        {texts.events}
      </Title>
      <Text size="sm" className="muted" mb="xs">
        {data && subscribed.length === 0 ? texts.noEvents : texts.eventsHint}
      </Text>
      {error ? <Problem error={error} /> : null}
      {subscribed.length === 0 ? null : (
        <Table w="auto" mb="md">
          <Table.Tbody>
            {subscribed.map(({ event, tables: own }) => (
              <Table.Tr key={event}>
                <Table.Td>
                  <code>{event}</code>
                </Table.Td>
                <Table.Td>{own ? own.join(', ') : null}</Table.Td>
                <Table.Td>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`${texts.unsubscribe}: ${event}`}
                    onClick={() => change.mutate({ verb: 'unsubscribe', event })}
                  >
                    {texts.unsubscribe}
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Group align="end">
        <Select
          label={texts.event}
          data={(data ?? []).filter((each) => each.tables === undefined).map(({ event }) => event)}
          value={chosen}
          onChange={(event) => {
            setChosen(event)
            setLimited([])
          }}
          searchable
          w={320}
        />
        {isOfRecords ? (
          <MultiSelect
            label={texts.onlyTables}
            placeholder={limited.length === 0 ? texts.allTables : ''}
            data={(tables.data ?? []).map(({ name }) => name)}
            value={limited}
            onChange={setLimited}
            searchable
            w={320}
          />
        ) : null}
        <Button
          onClick={() => chosen && change.mutate({ verb: 'subscribe', event: chosen })}
          disabled={chosen === null}
        >
          {texts.subscribe}
        </Button>
      </Group>
      {change.error ? <Problem error={change.error} /> : null}
    </Paper>
  )
}
