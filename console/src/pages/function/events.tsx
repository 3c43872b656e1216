/** The events that run a function: its subscriptions, and other events to subscribe to. */
import { Button, Group, Paper, Select, Table, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { clientOf, queryClient, useSite } from '../../session/client.ts'
import { Problem } from '../../shared/problem.tsx'
import { useTell } from '../../shared/tell.ts'
import { useTexts } from '../../texts/define.ts'
import type { ShownFunction } from '../functions/types.ts'
import { functionTexts } from './texts.ts'

interface SubscribedEvent {
  event: string
  isSubscribed: boolean
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
      const { data } = await request<{ data: { subscribers: { function_slug: string }[] } }>({
        path: `${path}${event}/`,
        signal,
      })
      return { event, isSubscribed: data.subscribers.some(({ function_slug }) => function_slug === slug) }
    }),
  )
}

/** Shows the events. */
export function Events({ app, one }: { app: string; one: ShownFunction }) {
  const texts = useTexts(functionTexts)
  const tell = useTell()
  const { site } = useSite()
  const [chosen, setChosen] = useState<string | null>(null)
  const key = [site, 'apps', app, 'functions', one.slug, 'events']
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readEvents(site, app, one.slug, signal),
  })
  const change = useMutation({
    mutationFn: ({ verb, event }: { verb: 'subscribe' | 'unsubscribe'; event: string }) =>
      clientOf(site)
        .events[verb](event, one.id)
        .then(() => undefined),
    async onSuccess() {
      setChosen(null)
      tell(texts.saved)
      await queryClient.invalidateQueries({ queryKey: key })
    },
  })
  const namesOf = (isSubscribed: boolean) =>
    (data ?? []).filter((each) => each.isSubscribed === isSubscribed).map(({ event }) => event)
  const subscribed = namesOf(true)
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
            {subscribed.map((event) => (
              <Table.Tr key={event}>
                <Table.Td>
                  <code>{event}</code>
                </Table.Td>
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
          data={namesOf(false)}
          value={chosen}
          onChange={setChosen}
          searchable
          w={320}
        />
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
