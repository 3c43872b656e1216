/**
 * Statements as the service sends them. Its role in Postgres may execute two functions and nothing else: `public.run`
 * runs statements of the platform, `public.run_in_site` those of the site that was entered (migrations/platform/functions/run).
 */
import { Results, type Row } from './results.ts'
import { renderTemplate, type Sql } from './sql.ts'

export type Runner = 'run' | 'run_in_site'

/** A call of one of the two functions: SQL text of this program alone, and its parameters. */
export interface Call {
  text: string
  values: [statements: string[], values: (string | null)[], large: string | null]
}

/** Names are qualified down to the types: a search path that somebody has left behind on the connection means nothing. */
const texts: Readonly<Record<Runner, string>> = {
  run: 'select n, answer from public.run($1::pg_catalog.text[], $2::pg_catalog.text[], $3::pg_catalog.text)',
  run_in_site: 'select n, answer from public.run_in_site($1::pg_catalog.text[], $2::pg_catalog.text[], $3::pg_catalog.text)',
}

export function callOf(runner: Runner, statements: readonly Sql[]): Call {
  const values: (string | null)[] = []
  const larges: string[] = []
  const templates = statements.map((statement) => {
    const text = renderTemplate(statement, values, larges)
    return (returnsRows(text) ? 'r' : 'c') + text
  })
  return { text: texts[runner], values: [templates, values, larges[0] ?? null] }
}

/** Whether a statement returns rows. One that begins with `with` always does here. */
function returnsRows(text: string): boolean {
  const [, verb = ''] = /^\s*(\w+)/.exec(text) ?? []
  return reading.has(verb) || (writing.has(verb) && /\breturning\b/.test(text))
}

const reading: ReadonlySet<string> = new Set(['select', 'with', 'values', 'explain'])
const writing: ReadonlySet<string> = new Set(['insert', 'update', 'delete'])

/** A row of either function: the number of a statement, and a row of it as a JSON object. Number 0: what triggers have noted. */
interface Answer extends Row {
  n: number
  answer: string
}

export interface Answers {
  results: Results
  /** Null where nothing could be noted. */
  notes: Row | null
}

export function answersOf(rows: readonly Row[], count: number): Answers {
  const all: Row[][] = Array.from({ length: count }, () => [])
  let notes: Row | null = null
  for (const { n, answer } of rows as Answer[]) {
    const row = JSON.parse(answer) as Row
    if (n === 0) notes = row
    else all[n - 1]?.push(row)
  }
  return { results: new Results(all), notes }
}
