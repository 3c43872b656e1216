/**
 * Describes the rows of each statement that a Worker sends, in the thread of the Neon endpoint: Postgres
 * prepares each new text, and the rows that it returned tell which values are null. Reports to report.ts.
 */
import { BroadcastChannel, workerData } from 'node:worker_threads'
import pg from 'pg'
import type { Exchange } from '../../../dev/neon-server.ts'
import { channelName, type Kind, type Told } from './report.ts'

/** The letters of the statements that return rows (tessera.run). */
const returning = /^[rqkbpso]/
/** A statement of which only a test asks how it runs. */
const analyzed = /^\s*explain \(analyze/
/** Runs a plan that the session keeps. The statement was described when it was sent for the first time. */
const kept = /^execute s_/
/** A query whose rows are returned as text (rawRows in src/kernel/db/data-sql.ts), after its `with` clause. */
const raw = /^([\s\S]*?)select \d+, json_build_array\([\s\S]*? from \(([\s\S]*)\) _raw$/

const channel = new BroadcastChannel(channelName)
const parseArray = pg.types.getTypeParser(1009 as number) as (text: string) => string[]

/** What is reported already, by the text without the names of clients' tables and columns. */
const reported = new Map<string, { text: string; kinds: Set<string> }>()

/** Describes the statements of a transaction, before its answer is sent. */
export async function observe({ connectionString, queries, results }: Exchange): Promise<void> {
  for (const [index, { query, params }] of queries.entries()) {
    const runner = /\bpublic\.(run(?:_in_site)?)\(/.exec(query)?.[1]
    // A test may write a call itself, without parameters.
    if (!runner || params.length < 3) continue
    const [statements, values] = params.slice(-3) as [string, string]
    const templates = parseArray(statements)
    const seen = seenIn(results[index] as Exchange['results'][number], templates)
    for (const [position, statement] of templates.entries()) {
      const template = statement.slice(1)
      if (!returning.test(statement) || analyzed.test(template) || kept.test(template)) continue
      const [, clause = '', text = template] = raw.exec(template) ?? []
      const key = text.replaceAll(/"[^"]*"/g, '""')
      if (!reported.has(key)) {
        const columns = await describe(connectionString, runner, clause + text, values)
        if (!columns) continue
        channel.postMessage({ text, columns } satisfies Told)
        reported.set(key, { text, kinds: new Set() })
      }
      const known = reported.get(key)
      for (const value of seen[position] ?? []) {
        if (!known || known.kinds.has(value.join(' '))) continue
        known.kinds.add(value.join(' '))
        channel.postMessage({ text: known.text, value } satisfies Told)
      }
    }
  }
}

/** Returns the columns and kinds of the values in the rows of each statement. */
function seenIn({ fields, rows }: Exchange['results'][number], templates: readonly string[]) {
  const seen = templates.map((): [column: string, kind: Kind][] => [])
  const [n, answer] = ['n', 'answer'].map((name) => fields.findIndex((field) => field.name === name))
  for (const row of rows) {
    const position = Number(row[n as number]) - 1
    if (!/^[rkso]/.test(templates[position] ?? '')) continue
    const values = JSON.parse(row[answer as number] as string) as Record<string, unknown>
    for (const [name, value] of Object.entries(values)) seen[position]?.push([name, kindOf(value)])
  }
  return seen
}

function kindOf(value: unknown): Kind {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : (typeof value as Kind)
}

/** Returns the kinds of the columns of a statement. Undefined: its tables or its database are gone. */
async function describe(connectionString: string, runner: string, template: string, values: string) {
  const url = new URL(workerData.superuserUrl)
  url.pathname = new URL(connectionString).pathname
  const client = new pg.Client({ connectionString: url.href })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ text: string }>(
      `select format($1, variadic $2::text[]) as text,
              set_config('search_path', case $3 when 'run' then 'public' else 'tenant' || coalesce((
                select string_agg(', ' || quote_ident(nspname), '') from pg_namespace
                 where nspname ~ '^site_\\d+$'), '') end || ', pg_temp', false)`,
      [template, values, runner],
    )
    const fields = await new Promise<pg.FieldDef[]>((resolve, reject) => {
      client.query(new Description(rows[0]?.text ?? '', resolve, reject))
    })
    // The statement could not be prepared at this moment: it is described when it is sent again.
    if (fields.length === 0) return undefined
    const kinds = await client.query<{ kinds: Record<string, Kind | 'json'> }>(
      `select json_object_agg(c.name, case
                when t.oid in (20, 21, 23, 700, 701, 1700) then 'number' when t.typcategory = 'B' then 'boolean'
                when t.oid in (114, 3802) then 'json' when t.typcategory = 'A' then 'array'
                when t.typtype = 'c' or t.oid = 2249 then 'object' else 'string' end) as kinds
         from unnest($1::text[], $2::oid[]) c (name, type) join pg_type t on t.oid = c.type`,
      [fields.map(({ name }) => name), fields.map(({ dataTypeID }) => dataTypeID)],
    )
    return kinds.rows[0]?.kinds ?? {}
  } catch {
    return undefined
  } finally {
    await client.end()
  }
}

/** Prepares a text with the parameters of tessera.run, and asks for its columns. */
class Description {
  readonly text: string
  readonly resolve: (fields: pg.FieldDef[]) => void
  readonly reject: (error: Error) => void
  fields: pg.FieldDef[] = []

  constructor(text: string, resolve: Description['resolve'], reject: Description['reject']) {
    this.text = text
    this.resolve = resolve
    this.reject = reject
  }

  submit(connection: pg.Connection) {
    // text and text[]
    connection.parse({ name: '', text: this.text, types: ['25', '1009'] }, true)
    connection.describe({ type: 'S', name: '' }, true)
    connection.sync()
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }) {
    this.fields = fields
  }

  handleError(error: Error) {
    this.reject(error)
  }

  handleReadyForQuery() {
    this.resolve(this.fields)
  }
}
