/** The chosen record with its edges in the picture. */
import { ActionIcon, Button, Group, Stack, Text, Title } from '@mantine/core'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import type { Source } from '../data/records.ts'
import type { ShownEdge } from './edge.ts'
import type { EdgeType } from './edge-types.ts'
import type { Shown } from './nodes.ts'
import { graphTexts } from './texts.ts'

const edgesMax = 60

interface DetailsProps {
  source: Source
  types: readonly EdgeType[]
  shown: Shown
  chosen: string
  choose(key: string): void
  open(key: string): void
  connect(from: string): void
  drop(edge: ShownEdge): void
}

/** Shows the record. */
export function Details({ source, types, shown, chosen, choose, open, connect, drop }: DetailsProps) {
  const texts = useTexts(graphTexts)
  const { site, app, table } = source
  const labelOf = (key: string) => shown.nodes.get(key)?.label ?? key
  const edges = [...shown.edges.values()].filter(({ from, to }) => from === chosen || to === chosen)
  return (
    <Stack component="section" gap="xs" aria-label={texts.record}>
      <Title order={2} size="h4">
        {labelOf(chosen)}
      </Title>
      <Group gap="xs">
        <Button size="compact-sm" onClick={() => open(chosen)}>
          {texts.expand}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => connect(chosen)}>
          {texts.newEdge}
        </Button>
        <TextLink to={addressOf(site, 'data', app, table, chosen)} size="sm">
          {texts.openRecord}
        </TextLink>
      </Group>
      {edges.length === 0 ? <Text size="sm">{texts.noEdges}</Text> : null}
      <Stack component="ul" gap={2} m={0} p={0} mah={300} style={{ overflow: 'auto' }}>
        {edges.slice(0, edgesMax).map((edge) => {
          const isOut = edge.from === chosen
          const other = isOut ? edge.to : edge.from
          const inverse = types.find(({ name }) => name === edge.type)?.inverse ?? edge.type
          const text = isOut ? `${edge.type} → ${labelOf(other)}` : `${inverse} ← ${labelOf(other)}`
          return (
            <Group component="li" key={edge.id} gap={4} wrap="nowrap" justify="space-between">
              <Button
                size="compact-sm"
                variant="subtle"
                miw={0}
                styles={{ inner: { justifyContent: 'flex-start' } }}
                onClick={() => choose(other)}
              >
                {text}
              </Button>
              <ActionIcon
                variant="subtle"
                color="red"
                aria-label={texts.drop(text)}
                onClick={() => drop(edge)}
              >
                ×
              </ActionIcon>
            </Group>
          )
        })}
      </Stack>
      {edges.length > edgesMax ? <Text size="sm">{texts.moreEdges(edgesMax, edges.length)}</Text> : null}
    </Stack>
  )
}
