/** Reads rows of JSON lines as a stream: one object or array per line. */
import { readJsonVerbatim } from '../../../src/kernel/lib/exact-json.ts'
import { parseStrictly } from '../../../src/kernel/lib/parse-json.ts'
import { faultInJson } from '../descriptor.ts'
import { messageOf } from '../refusal.ts'
import { linesOf } from '../text.ts'
import { type JsonForm, jsonRowReader } from './json-row.ts'
import type { Row } from './row.ts'

/** Reads the rows. A line that is not JSON has a fault. */
export async function* jsonLinesRows(text: AsyncIterable<string>, form: JsonForm): AsyncGenerator<Row> {
  const rowFor = jsonRowReader(form)
  let line = 0
  for await (const written of linesOf(text, form.file)) {
    line++
    if (written.trim() === '') continue
    const row = parsed(written, line, form.file) ?? rowFor(readJsonVerbatim(written), line)
    if (row) yield row
  }
}

/** Returns a row with a fault for a text that is not JSON. */
function parsed(text: string, line: number, file: string): Row | undefined {
  try {
    parseStrictly(text)
    return undefined
  } catch (error) {
    const { column, text: fault } = faultInJson(text, messageOf(error))
    const place = column === undefined ? '' : ` (at character ${column})`
    return { file, line, header: { labels: [], line }, values: [], fault: `${fault}${place}` }
  }
}
