/** Creates an edge, after a line was drawn or from the keyboard. The dialog shows the API's errors. */
import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Table } from '../../session/queries.ts'
import { CodeField } from '../../shared/code-field.tsx'
import { Dialog } from '../../shared/dialog.tsx'
import { parseObject } from '../../shared/json-object.ts'
import { Problem } from '../../shared/problem.tsx'
import { useTexts } from '../../texts/define.ts'
import type { Source } from '../data/records.ts'
import type { ShownEdge } from './edge.ts'
import type { EdgeType } from './edge-types.ts'
import { keyOf } from './nodes.ts'
import { makeEdge } from './reads.ts'
import { RecordInput } from './record-input.tsx'
import { graphTexts } from './texts.ts'

/** The ends that are known when the dialog opens. */
export interface Ends {
  from: string
  to: string
}

interface EdgeDialogProps {
  source: Source
  table: Table
  types: readonly EdgeType[]
  ends: Ends
  close(): void
  made(edge: ShownEdge): void
}

export function EdgeDialog({ source, table, types, ends, close, made }: EdgeDialogProps) {
  const texts = useTexts(graphTexts)
  const [{ from, to }, setEnds] = useState(ends)
  const [type, setType] = useState(types[0]?.name ?? '')
  const [metadata, setMetadata] = useState('')
  const value = metadata.trim() === '' ? {} : parseObject(metadata)
  const make = useMutation({
    mutationFn: () =>
      makeEdge(source, {
        ...{ from: keyOf(table, from), to: keyOf(table, to), type },
        ...(metadata.trim() === '' || !value ? {} : { metadata: value }),
      }),
    onSuccess(edge) {
      made(edge)
      close()
    },
  })
  const isWhole = Boolean(from && to && value)
  const create = () => {
    if (isWhole && !make.isPending) make.mutate()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create()
  }
  const input = { source, table }
  return (
    <Dialog title={texts.newEdge} isOpen close={close}>
      <form onSubmit={submit}>
        <Stack>
          <RecordInput
            {...input}
            label={texts.from}
            text={from}
            change={(next) => setEnds({ from: next, to })}
          />
          <Select
            label={texts.type}
            data={types.map(({ name }) => name)}
            value={type}
            onChange={(next) => setType(next ?? type)}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
          />
          <RecordInput {...input} label={texts.to} text={to} change={(next) => setEnds({ from, to: next })} />
          {from && to ? <Text size="sm">{texts.meaning(from, type, to)}</Text> : null}
          <CodeField
            language="json"
            label={texts.metadata}
            description={texts.metadataText}
            value={metadata}
            onChange={setMetadata}
            error={value ? undefined : texts.noObject}
            save={create}
            lines={[2, 12]}
          />
          {make.error ? <Problem error={make.error} /> : null}
          <Group>
            <Button type="submit" loading={make.isPending} disabled={!isWhole}>
              {texts.make}
            </Button>
            <Button variant="default" onClick={() => setEnds({ from: to, to: from })}>
              {texts.turn}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
