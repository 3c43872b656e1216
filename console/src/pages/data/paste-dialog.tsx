/** Shows the dry run of a paste, and then writes all values or none. */
import { Button, Table as DataTable, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Cancel, Dialog } from '../../shared/dialog.tsx'
import { Problem } from '../../shared/problem.tsx'
import { Sideways } from '../../shared/sideways.tsx'
import { Loading } from '../../shared/states.tsx'
import { useTell } from '../../shared/tell.ts'
import { useTexts } from '../../texts/define.ts'
import { cellText } from './cell-text.ts'
import type { PastedRecord } from './paste.ts'
import { type DataRecord, recordsPath, requestExact, type Source, showRecord } from './records.ts'
import { dataTexts } from './texts.ts'
import { noteUndo } from './write.ts'

/** A paste that waits for a confirmation. */
export interface Pasted {
  changes: readonly PastedRecord[]
  /** The records to show. */
  before: readonly DataRecord[]
}

interface PasteProps {
  source: Source
  primaryKey: readonly string[]
  pasted: Pasted
  close(): void
}

const shownMax = 20

/** Shows the preview. */
export function PasteDialog({ source, primaryKey, pasted: { changes, before }, close }: PasteProps) {
  const texts = useTexts(dataTexts)
  const tell = useTell()
  const [error, setError] = useState<unknown>()
  const names = Object.keys(changes[0] ?? {})
  const update = (values: readonly DataRecord[], query?: { dry_run: true }) =>
    requestExact<{ data: DataRecord[] }>(source, {
      method: 'PATCH',
      path: recordsPath(source),
      ...(query ? { query } : {}),
      body: values,
      key: true,
    })
  const preview = useQuery({
    queryKey: [source.site, 'paste', source.app, source.table, changes],
    gcTime: 0,
    queryFn: () => update(changes, { dry_run: true }),
  })

  async function write(values: readonly DataRecord[]): Promise<void> {
    const { data } = await update(values)
    for (const record of data) showRecord(source, primaryKey, record)
  }

  async function apply(): Promise<void> {
    setError(undefined)
    try {
      await write(changes)
      const old = before.map((record) =>
        Object.fromEntries(names.map((name) => [name, record[name] ?? null])),
      )
      noteUndo(() => write(old))
      tell(texts.changed(changes.length))
      close()
    } catch (thrown) {
      setError(thrown)
    }
  }

  const rows = preview.data?.data ?? []
  return (
    <Dialog isOpen close={close} title={texts.paste} size="xl">
      <Stack>
        {preview.isPending ? <Loading /> : null}
        {preview.error || error ? <Problem error={error ?? preview.error} /> : null}
        {preview.data ? (
          <>
            <Text>
              {texts.pasteText(changes.length * (names.length - primaryKey.length), changes.length)}
            </Text>
            <Sideways label={texts.paste}>
              <DataTable>
                <DataTable.Thead>
                  <DataTable.Tr>
                    {names.map((name) => (
                      <DataTable.Th key={name}>{name}</DataTable.Th>
                    ))}
                  </DataTable.Tr>
                </DataTable.Thead>
                <DataTable.Tbody>
                  {rows.slice(0, shownMax).map((record) => (
                    <DataTable.Tr key={primaryKey.map((name) => record[name]).join(' ')}>
                      {names.map((name) => (
                        <DataTable.Td key={name}>{cellText(record[name])}</DataTable.Td>
                      ))}
                    </DataTable.Tr>
                  ))}
                </DataTable.Tbody>
              </DataTable>
            </Sideways>
            <Group>
              <Button onClick={() => void apply()}>{texts.pasteApply}</Button>
              <Cancel close={close} />
            </Group>
          </>
        ) : null}
      </Stack>
    </Dialog>
  )
}
