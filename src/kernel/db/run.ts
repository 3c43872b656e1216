/**
 * Sends statements through `public.run` and `public.run_in_site` (migrations/functions/run). The
 * role of the service may execute only these two functions and those that enter a site. The first one runs
 * statements of the platform, the second one those of the site that was entered.
 */
import type { Row } from './batch.ts'
import { type DataRow, DataSql, rawRows } from './data-sql.ts'
import type { LongText } from './long-text.ts'
import { largestOf, OneSql, render, renderTemplate, Sql, type StatementKind, sql } from './sql.ts'

/** One of the two functions. */
export type Runner = 'run' | 'run_in_site'

/** A call of one function. Its text is SQL of this program; all values are parameters. */
export interface Call {
  text: string
  values: unknown[]
}

/** All names are qualified, so that a search path left behind on a pooled connection has no effect. */
const parameters = '($1::pg_catalog.text[], $2::pg_catalog.text[], $3::pg_catalog.text)'
const texts: Readonly<Record<Runner, string>> = {
  run: `select n, answer from public.run${parameters}`,
  run_in_site: `select n, answer from public.run_in_site${parameters}`,
}

export function callOf(runner: Runner, statements: readonly Sql[]): Call {
  const { templates, values, largest } = renderAll(statements)
  return { text: texts[runner], values: [templates, values, largest] }
}

/** Statements as the parameters of the two functions: `p_statements`, `p_values` and `p_large`. */
export interface Rendered {
  templates: readonly string[]
  values: readonly (string | null)[]
  largest: string | null
}

export function renderAll(statements: readonly Sql[]): Rendered {
  const values: (string | null)[] = []
  const largest = largestOf(statements)
  // The statements of a dry run are counted from its beginning.
  const before = 1 + statements.findIndex(({ kind }) => kind === 'dryRun')
  const templates = statements.map((statement, index) => {
    if (statement instanceof DataSql)
      return letters.query + renderTemplate(rawRows(statement, index + 1 - before), values, largest)
    const text = renderTemplate(statement, values, largest)
    return letterOf(statement, text) + text
  })
  return { templates, values, largest }
}

/** The site that was entered. */
interface EnteredRow {
  site_id: number
  catalog_version: number
}

/** A statement that enters a site by one call of a function, which returns a value of public.entered. */
export class EntrySql extends Sql<EnteredRow> {
  readonly call: Sql

  constructor(call: Sql) {
    const { strings, values } = sql<EnteredRow>`select site_id, catalog_version from ${call}`
    super(strings, values)
    this.call = call
  }
}

/**
 * Builds the call of a function that enters a site. The role of the service may execute these functions
 * directly, so that `public.run` need not plan the most frequent statement each time.
 */
export const entryCall = (enter: Sql): Call => render(enter)

/**
 * Builds the call that enters a site and runs these statements in it. Each of its rows has the columns of the
 * entry in addition to those of `public.run_in_site`. Postgres computes the parameters of a function first,
 * so it enters before it runs the statements.
 */
export function callInSite(enter: EntrySql, rendered: Rendered): Call {
  const { text, values } = render(enter.call)
  const [texts, quoted, large] = [1, 2, 3].map((place) => `$${values.length + place}::pg_catalog.text`)
  return {
    text:
      'select site_id, catalog_version, n, answer from ' +
      `public.run_in_site(${texts}[], ${quoted}[], ${large}, ${text})`,
    values: [...values, rendered.templates, rendered.values, rendered.largest],
  }
}

/** The first call of a transaction whose statements take longer than the role's default allows. */
export const longerTime: Call = {
  text: `select pg_catalog.set_config('statement_timeout', '30s', true)`,
  values: [],
}

/** Returns the letter of the way to run a statement: migrations/functions/tessera/run.sql. */
function letterOf({ kind }: Sql, text: string): string {
  if (!returnsRows(text)) return letters.nothing
  return letters[kind ?? 'rows']
}

const letters = {
  rows: 'r',
  kept: 'k',
  step: 'b',
  ofStep: 'f',
  parts: 'p',
  stopIfFound: 's',
  dryRun: 'd',
  one: 'o',
  nothing: 'c',
  query: 'q',
} as const satisfies Record<StatementKind | 'rows' | 'nothing' | 'query', string>

/** Tells whether a statement returns rows. In this program, all statements that begin with `with` do. */
function returnsRows(text: string): boolean {
  const [, verb = ''] = /^\s*(\w+)/.exec(text) ?? []
  return reading.has(verb) || (writing.has(verb) && /\breturning\b/.test(text))
}

const reading: ReadonlySet<string> = new Set(['select', 'with', 'values', 'explain'])
const writing: ReadonlySet<string> = new Set(['insert', 'update', 'delete'])

/**
 * The work outside the database that is to be done after the commit. Two settings of the transaction, which
 * triggers write, have one entry per line: `tessera.stale` and `tessera.deliveries`.
 */
export interface CommitNotes {
  stale: string | null
  deliveries: string | null
  /** The uuid of the site, if somebody follows lists of it. Omitted: the transaction has entered no site. */
  followed?: string | null
}

/**
 * A row of either function: the number of a statement, and a row of it as a JSON object, or in the form that
 * `readDataRow` or a OneSql reads. Number 0: the CommitNotes. Null: no statement has a row.
 */
interface ResultRow extends Row {
  n: number | null
  answer: string
}

/** The result of a call: the rows of each statement. */
export interface RunResults {
  lists: readonly (readonly Row[])[]
  /** Null if the transaction could have no notes. */
  notes: CommitNotes | null
}

/** Reads a text that `rawRows` returns, of which `rest` may be missing. An empty `data` means null. */
function readDataRow<Read>(
  { columns, read }: DataSql<DataRow, Read>,
  text: string,
  rest: LongText | undefined,
): Read {
  const end = text.indexOf('\n')
  const values = JSON.parse(text.slice(0, end)) as unknown[]
  const others = Object.fromEntries(columns.map((column, index) => [column, values[index]]))
  return read(rest ? { ...others, data: '', rest } : { ...others, data: text.slice(end + 1) || null })
}

/** Distributes the rows of a call to its statements. `rest`: the end of the only text. */
export function readResults(rows: readonly Row[], statements: readonly Sql[], rest?: LongText): RunResults {
  const all: Row[][] = statements.map(() => [])
  let notes: CommitNotes | null = null
  for (const { n, answer } of rows as ResultRow[]) {
    if (n === null) continue
    const statement = statements[n - 1]
    if (n === 0) notes = JSON.parse(answer) as CommitNotes
    else if (statement instanceof DataSql) all[n - 1]?.push(readDataRow(statement, answer, rest))
    else if (statement instanceof OneSql) all[n - 1]?.push(statement.read(answer) as Row)
    else all[n - 1]?.push(JSON.parse(answer) as Row)
  }
  statements.forEach((statement, index) => {
    const instead = statement instanceof OneSql && all[index]?.length === 0 ? statement.none : undefined
    if (instead) all[index]?.push(instead as Row)
  })
  return { lists: all, notes }
}
