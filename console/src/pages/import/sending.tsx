/** Checks the rows of a file, imports them, and lists the wrong ones. */
import { Progress as Bar, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useMemo, useRef, useState } from 'react'
import type { Table } from '../../session/queries.ts'
import { Problem } from '../../shared/problem.tsx'
import { useTexts } from '../../texts/define.ts'
import type { Source } from '../data/records.ts'
import { refreshAll } from '../data/removal.ts'
import type { ColumnForm, Mapping } from './forms.ts'
import type { FileRows } from './read-file.ts'
import { rowReader } from './rows.ts'
import { type Prepared, type Progress, sendRows, type WrongRow } from './send.ts'
import { importTexts } from './texts.ts'
import { WrongRows } from './wrong-rows.tsx'

interface SendingProps {
  source: Source
  table: Table
  file: FileRows
  mapping: Mapping
  forms: ReadonlyMap<string, ColumnForm>
  uniqueFields: readonly string[] | undefined
}

/** The current activity: none, a check, or the import. */
type Stage = 'chosen' | 'checked' | 'importing' | 'imported'

const nothing: Progress = { done: 0, wrong: [] }

/** Shows the buttons, the progress, and the wrong rows. */
export function Sending({ source, table, file, mapping, forms, uniqueFields }: SendingProps) {
  const texts = useTexts(importTexts)
  const [stage, setStage] = useState<Stage>('chosen')
  const [isBusy, setBusy] = useState(false)
  const [progress, setProgress] = useState(nothing)
  const [good, setGood] = useState<Prepared>([])
  /** The number of rows that can be read. */
  const [count, setCount] = useState(0)
  /** The rows that the check has rejected. They are not sent. */
  const [left, setLeft] = useState<readonly WrongRow[]>([])
  const [leavesOut, setLeavesOut] = useState(false)
  const [error, setError] = useState<unknown>()
  const ending = useRef<AbortController>(undefined)
  const id = useMemo(() => [...crypto.getRandomValues(new Uint8Array(8))].join('-'), [])

  async function send(rows: Prepared, isDry: boolean, from: Progress): Promise<Progress | undefined> {
    ending.current = new AbortController()
    setError(undefined)
    setBusy(true)
    setProgress(from)
    const { signal } = ending.current
    try {
      return await sendRows({ source, rows, uniqueFields, isDry, from, id, signal, tell: setProgress })
    } catch (thrown) {
      if (!signal.aborted) setError(thrown)
      return undefined
    } finally {
      setBusy(false)
    }
  }

  async function check(): Promise<void> {
    setStage('chosen')
    const fields = new Map(table.json_schema.fields.map((field) => [field.name, field]))
    const read = rowReader(file.columns, mapping, fields, forms)
    const rows = file.rows.map((row) => ({ row, ...read(row) }))
    const wrong = rows.filter(({ problems }) => problems.length > 0)
    const readable = rows.filter(({ problems }) => problems.length === 0)
    setCount(readable.length)
    const checked = await send(readable, true, { done: 0, wrong })
    if (!checked) return
    const faulty = new Set(checked.wrong.map(({ row }) => row))
    setGood(readable.filter(({ row }) => !faulty.has(row)))
    setStage('checked')
  }

  async function importRows(from: Progress): Promise<void> {
    setStage('importing')
    if (from.done === 0) setLeft(progress.wrong)
    const done = await send(good, false, from)
    await refreshAll(source)
    if (done) setStage('imported')
  }

  const isImport = stage === 'importing' || stage === 'imported'
  const all = isImport ? good.length : count
  const wrongRows = isImport ? [...left, ...progress.wrong] : progress.wrong
  const wrong = wrongRows.length
  return (
    <Stack gap="sm">
      {isBusy || stage === 'importing' ? (
        <Stack gap={4}>
          <Bar value={(progress.done / Math.max(all, 1)) * 100} aria-label={texts.rows(all)} />
          <Text size="sm" role="status">
            {(isImport ? texts.importing : texts.checking)(progress.done, all)}
          </Text>
        </Stack>
      ) : null}
      {error ? <Problem error={error} /> : null}
      {stage === 'checked' ? <Text role="status">{texts.checked(good.length, wrong)}</Text> : null}
      {stage === 'imported' ? (
        <Text role="status">
          {texts.imported(good.length - progress.wrong.length)} {wrong > 0 ? texts.notImported(wrong) : ''}
        </Text>
      ) : null}
      {stage === 'checked' && wrong > 0 && good.length > 0 ? (
        <Checkbox
          label={texts.leaveWrong}
          checked={leavesOut}
          onChange={(event) => setLeavesOut(event.currentTarget.checked)}
        />
      ) : null}
      <Group>
        {isBusy ? (
          <Button variant="default" onClick={() => ending.current?.abort()}>
            {texts.stop}
          </Button>
        ) : null}
        {!isBusy && stage === 'importing' ? (
          <Button onClick={() => void importRows(progress)}>{texts.goOn}</Button>
        ) : null}
        {!isBusy && stage === 'checked' && good.length > 0 ? (
          <Button disabled={wrong > 0 && !leavesOut} onClick={() => void importRows(nothing)}>
            {texts.import(good.length)}
          </Button>
        ) : null}
        {!isBusy && !isImport ? (
          <Button variant={stage === 'checked' ? 'default' : 'filled'} onClick={() => void check()}>
            {texts.check}
          </Button>
        ) : null}
      </Group>
      {wrong > 0 ? <WrongRows name={source.table} columns={file.columns} wrong={wrongRows} /> : null}
    </Stack>
  )
}
