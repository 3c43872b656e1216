/** Exports all matching records into a file, as CSV or JSON lines, and shows the progress. */
import { Button, Group, Menu, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { viewerOf } from '../../session/viewer.ts'
import { Problem } from '../../shared/problem.tsx'
import { saveFile } from '../../shared/save-file.ts'
import { useTexts } from '../../texts/define.ts'
import { recordsPath, type Source } from './records.ts'
import { parametersOf, type Selection } from './state.ts'
import { dataTexts } from './texts.ts'

interface Form {
  type: string
  ending: string
  /** The number of lines that are not records. */
  headLines: number
}

const forms = {
  csv: { type: 'text/csv', ending: 'csv', headLines: 1 },
  lines: { type: 'application/x-ndjson', ending: 'ndjson', headLines: 0 },
} satisfies Record<string, Form>

export function ExportMenu({ source, selection }: { source: Source; selection: Selection }) {
  const texts = useTexts(dataTexts)
  const [lines, setLines] = useState<number>()
  const [done, setDone] = useState<number>()
  const [error, setError] = useState<unknown>()
  const ending = useRef<AbortController>(undefined)

  async function write(form: Form): Promise<void> {
    ending.current = new AbortController()
    setError(undefined)
    setDone(undefined)
    setLines(0)
    try {
      const answer = await viewerOf(source.site, source.as).send({
        path: recordsPath(source),
        query: parametersOf(selection),
        headers: { accept: form.type },
        signal: ending.current.signal,
      })
      const { blob, count } = await readAll(answer, form, setLines)
      saveFile(blob, `${source.table}.${form.ending}`)
      setDone(count)
    } catch (thrown) {
      if (!ending.current.signal.aborted) setError(thrown)
    } finally {
      setLines(undefined)
    }
  }

  return (
    <>
      <Menu position="bottom-start" withinPortal={false} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default" size="compact-sm" disabled={lines !== undefined}>
            {texts.exportAs}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void write(forms.csv)}>{texts.exportCsv}</Menu.Item>
          <Menu.Item onClick={() => void write(forms.lines)}>{texts.exportLines}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Group gap="xs" role="status">
        {lines === undefined ? null : <Text size="sm">{texts.exporting(lines)}</Text>}
        {done === undefined ? null : <Text size="sm">{texts.exported(done)}</Text>}
      </Group>
      {lines === undefined ? null : (
        <Button variant="default" size="compact-sm" onClick={() => ending.current?.abort()}>
          {texts.stop}
        </Button>
      )}
      {error ? <Problem error={error} /> : null}
    </>
  )
}

const newline = 10

/** Reads a response to its end. Throws if it breaks off, because the file would be incomplete. */
async function readAll(
  answer: Response,
  { type, headLines }: Form,
  tell: (lines: number) => void,
): Promise<{ blob: Blob; count: number }> {
  const parts: BlobPart[] = []
  let count = -headLines
  const reader = (answer.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    parts.push(value)
    for (const byte of value) if (byte === newline) count++
    tell(Math.max(count, 0))
  }
  return { blob: new Blob(parts, { type }), count: Math.max(count, 0) }
}
