/** Searches the shortest path between two records, and shows it step by step. */
import { Button, Group, List, Stack, Switch, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Table } from '../../session/queries.ts'
import { Problem } from '../../shared/problem.tsx'
import { useTexts } from '../../texts/define.ts'
import type { Source } from '../data/records.ts'
import type { ShownEdge } from './edge.ts'
import type { GraphAnswer } from './nodes.ts'
import { labelOf } from './nodes.ts'
import { findPath } from './path.ts'
import { edgeReader, readRecords } from './reads.ts'
import { RecordInput } from './record-input.tsx'
import { graphTexts } from './texts.ts'

/** The maximum number of edges that a search reads. */
const readMax = 50_000

export interface FoundPath {
  keys: readonly string[]
  steps: readonly ShownEdge[]
  answer: GraphAnswer
}

interface PathFormProps {
  source: Source
  table: Table
  types: readonly string[]
  /** The default key for the start of the path. */
  from: string
  /** Shows a path; undefined removes the previous one. */
  show(path: FoundPath | undefined): void
}

/** Shows the form with its result. */
export function PathForm({ source, table, types, from: chosen, show }: PathFormProps) {
  const texts = useTexts(graphTexts)
  const [start, setStart] = useState<string>()
  const [to, setTo] = useState('')
  const [isDirected, setDirected] = useState(false)
  const from = start ?? chosen
  const search = useMutation({
    onMutate: () => show(undefined),
    async mutationFn() {
      const { signal } = new AbortController()
      const options = { isDirected, edgesMax: readMax }
      const found = await findPath(from, to, edgeReader(source, types, signal), options)
      if (found.kind !== 'path') return { found, labels: new Map<string, string>() }
      const { nodes } = await readRecords(source, table, found.keys, signal)
      show({ ...found, answer: { nodes, edges: found.steps } })
      const key = table.primary_key[0] ?? 'id'
      return { found, labels: new Map(nodes.map((record) => [String(record[key]), labelOf(table, record)])) }
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    search.mutate()
  }
  const input = { source, table }
  return (
    <Stack component="section" gap="xs" aria-label={texts.path}>
      <Title order={2} size="h4">
        {texts.path}
      </Title>
      <form onSubmit={submit}>
        <Stack gap="xs">
          <RecordInput {...input} label={texts.pathFrom} text={from} change={setStart} />
          <RecordInput {...input} label={texts.pathTo} text={to} change={setTo} />
          <Switch
            label={texts.directed}
            checked={isDirected}
            onChange={(event) => setDirected(event.currentTarget.checked)}
          />
          <Group>
            <Button type="submit" variant="default" loading={search.isPending} disabled={!from || !to}>
              {texts.find}
            </Button>
          </Group>
        </Stack>
      </form>
      {search.error ? <Problem error={search.error} /> : null}
      <div role="status">
        {search.data?.found.kind === 'none' ? <Text size="sm">{texts.noPath}</Text> : null}
        {search.data?.found.kind === 'gaveUp' ? (
          <Text size="sm">{texts.gaveUp(search.data.found.read)}</Text>
        ) : null}
        {search.data?.found.kind === 'path' ? (
          <>
            <Text size="sm">{texts.steps(search.data.found.steps.length)}</Text>
            <Steps {...search.data.found} labels={search.data.labels} />
          </>
        ) : null}
      </div>
    </Stack>
  )
}

interface StepsProps extends Pick<FoundPath, 'keys' | 'steps'> {
  labels: ReadonlyMap<string, string>
}

/** Shows the records in order, each with the edge that leads to the next one. */
const Steps = ({ keys, steps, labels }: StepsProps) => (
  <List type="ordered" size="sm">
    {keys.map((key, index) => {
      const step = steps[index]
      const arrow = step?.from === key ? `${step.type} →` : `← ${step?.type}`
      return (
        <List.Item key={key}>
          {labels.get(key) ?? key} {step ? <span className="muted">{arrow}</span> : null}
        </List.Item>
      )
    })}
  </List>
)
