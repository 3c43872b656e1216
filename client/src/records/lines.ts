/**
 * Reads streams of JSON lines and CSV. Throws if a stream ends early, so that nobody takes it for complete.
 */

/** Yields the values of JSON lines. */
export async function* jsonLines<Value>(response: Response): AsyncGenerator<Value> {
  let rest = ''
  for await (const chunk of textOf(response)) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.trim() !== '') yield JSON.parse(line) as Value
  }
  if (rest.trim() !== '') yield JSON.parse(rest) as Value
}

/** A row of CSV. An empty cell is null; an empty string is `''`. */
export type CsvRow = readonly (string | null)[]

/** A cell, or the end of a row or of the text. A cell that is cut off does not match. */
const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n)/y

/** Yields the rows of CSV, the names of the columns first. */
export async function* csvRows(response: Response): AsyncGenerator<CsvRow> {
  let rest = ''
  let row: (string | null)[] = []
  for await (const chunk of textOf(response)) {
    rest += chunk
    cell.lastIndex = 0
    let end = 0
    for (let match = cell.exec(rest); match; match = cell.exec(rest)) {
      const [, inQuotes, plain, separator] = match
      row.push(inQuotes === undefined ? plain || null : inQuotes.replaceAll('""', '"'))
      end = cell.lastIndex
      if (separator === ',') continue
      yield row
      row = []
      // Another reader of CSV may have changed `lastIndex` while this one waited.
      cell.lastIndex = end
    }
    rest = rest.slice(end)
  }
  if (rest !== '') throw new Error('The CSV ends within a row.')
}

async function* textOf({ body }: Response): AsyncGenerator<string> {
  if (!body) return
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      yield decoder.decode(value, { stream: !done })
      if (done) return
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
