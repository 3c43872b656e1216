/** The picture of a graph with its controls: types, the chosen record, paths, new edges. */
import { Alert, Button, Checkbox, Flex, Group, Stack, Text, useComputedColorScheme } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Table } from '../../session/queries.ts'
import { Problem } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { useTell } from '../../shared/tell.ts'
import { useTexts } from '../../texts/define.ts'
import type { Source } from '../data/records.ts'
import { Canvas } from './canvas.tsx'
import { typeColor } from './colors.ts'
import { Details } from './details.tsx'
import type { ShownEdge } from './edge.ts'
import { EdgeDialog, type Ends } from './edge-dialog.tsx'
import { edgeTypesOf } from './edge-types.ts'
import { edgesMax, keyOf, nodesMax, ofTypes } from './nodes.ts'
import { type FoundPath, PathForm } from './path-form.tsx'
import { dropEdge, makeEdge, readRecords } from './reads.ts'
import { RecordInput } from './record-input.tsx'
import { sceneOf } from './scene.ts'
import { graphTexts } from './texts.ts'
import { useLayout } from './use-layout.ts'
import { type Start, useShown } from './use-shown.ts'

const noPath = { keys: new Set<string>(), edges: new Set<string>() }

interface PictureProps extends Start {
  source: Source
  table: Table
  /** The shown types of edges. */
  types: readonly string[]
  /** Stores the start of the picture in the address. */
  begin(start: Start): void
  showTypes(types: readonly string[]): void
}

export default function Picture({ source, table, types, from, whole, begin, showTypes }: PictureProps) {
  const texts = useTexts(graphTexts)
  const tell = useTell()
  const all = useMemo(() => edgeTypesOf(table), [table])
  const { shown, isReading, refusal, add, open, remove } = useShown(source, table, types, { from, whole })
  const [chosen, setChosen] = useState(from)
  const [ends, setEnds] = useState<Ends>()
  const [path, setPath] = useState<FoundPath>()
  const seen = useMemo(() => ofTypes(shown, new Set(types)), [shown, types])
  const scene = useMemo(
    () =>
      sceneOf(
        seen,
        all.map(({ name }) => name),
      ),
    [seen, all],
  )
  const laid = useLayout(scene)
  const marks = useMemo(
    () => (path ? { keys: new Set(path.keys), edges: new Set(path.steps.map(({ id }) => id)) } : noPath),
    [path],
  )
  const show = async (edge: ShownEdge) => {
    const missing = [edge.from, edge.to].filter((key) => !shown.nodes.has(key))
    const { signal } = new AbortController()
    const { nodes } = missing.length > 0 ? await readRecords(source, table, missing, signal) : { nodes: [] }
    add({ nodes, edges: [edge] }, [])
  }
  const drop = useMutation({
    mutationFn: (edge: ShownEdge) => dropEdge(source, edge.id),
    onSuccess(_, edge) {
      remove(edge.id)
      const again = () =>
        makeEdge(source, { ...edge, from: keyOf(table, edge.from), to: keyOf(table, edge.to) }).then(
          show,
          (error: unknown) => tell(error instanceof Error ? error.message : String(error), { isError: true }),
        )
      tell(
        <Group justify="space-between">
          {texts.dropped(edge.type)}
          <Button size="compact-sm" variant="default" onClick={() => void again()}>
            {texts.undo}
          </Button>
        </Group>,
        { id: 'edge' },
      )
    },
  })
  const start = (next: Start) => {
    setPath(undefined)
    setChosen(next.from)
    begin(next)
  }
  return (
    <Stack gap="sm">
      <Group align="end" gap="sm">
        <RecordInput
          label={texts.startFrom}
          source={source}
          table={table}
          text={from ?? ''}
          change={(key) => start(key === '' ? {} : { from: key })}
        />
        <Button variant="default" onClick={() => start({ whole: true })}>
          {texts.wholeGraph}
        </Button>
        <Button variant="default" onClick={() => setEnds({ from: chosen ?? '', to: '' })}>
          {texts.newEdge}
        </Button>
      </Group>
      <Types all={all.map(({ name }) => name)} types={types} show={showTypes} />
      {refusal?.kind === 'error' ? <Problem error={refusal.error} /> : null}
      {refusal?.kind === 'full' ? (
        <Alert color="yellow" role="alert">
          {texts.full(refusal.records, nodesMax, edgesMax)}
        </Alert>
      ) : null}
      {drop.error ? <Problem error={drop.error} /> : null}
      <Flex direction={{ base: 'column', md: 'row' }} gap="md">
        <Stack gap={4} flex={1} miw={0}>
          <Canvas
            label={texts.pictureOf(table.name)}
            laid={laid}
            chosen={chosen}
            path={marks}
            choose={setChosen}
            open={(key) => void open(key)}
            connect={(begins, leads) => setEnds({ from: begins, to: leads })}
          />
          <Group justify="space-between" gap="xs">
            <Text size="sm" role="status">
              {isReading ? texts.reading : texts.size(seen.nodes.size, seen.edges.size)}
            </Text>
            <Text size="xs" className="muted">
              {texts.keys}
            </Text>
          </Group>
        </Stack>
        <Stack w={{ base: '100%', md: 310 }} gap="lg">
          {chosen !== undefined && shown.nodes.has(chosen) ? (
            <Details
              source={source}
              types={all}
              shown={seen}
              chosen={chosen}
              choose={setChosen}
              open={(key) => void open(key)}
              connect={(key) => setEnds({ from: key, to: '' })}
              drop={(edge) => drop.mutate(edge)}
            />
          ) : (
            <Text size="sm">{isReading ? <Loading /> : texts.chooseOne}</Text>
          )}
          <PathForm
            source={source}
            table={table}
            types={types}
            from={chosen ?? ''}
            show={(found) => {
              if (found) add(found.answer, [])
              setPath(found)
            }}
          />
        </Stack>
      </Flex>
      {ends ? (
        <EdgeDialog
          source={source}
          table={table}
          types={all}
          ends={ends}
          close={() => setEnds(undefined)}
          made={(edge) => void show(edge)}
        />
      ) : null}
    </Stack>
  )
}

interface TypesProps {
  all: readonly string[]
  types: readonly string[]
  show(types: readonly string[]): void
}

/** Chooses the types of edges, and shows their colors. */
function Types({ all, types, show }: TypesProps) {
  const texts = useTexts(graphTexts)
  const scheme = useComputedColorScheme('light')
  return (
    <Group component="fieldset" gap="md" m={0} p={0} bd={0} aria-label={texts.types}>
      {all.map((name, index) => (
        <Checkbox
          key={name}
          size="sm"
          label={name}
          color={`var(${typeColor(index, scheme)})`}
          checked={types.includes(name)}
          onChange={(event) =>
            show(all.filter((one) => (one === name ? event.currentTarget.checked : types.includes(one))))
          }
        />
      ))}
    </Group>
  )
}
