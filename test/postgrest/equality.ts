/** The equality of two responses, as docs/guide/from-postgrest.md defines it. */
import { parse } from 'csv-parse/sync'
import type { Answer } from './both.ts'
import type { Question } from './page.ts'

/** The compared parts of a response. */
export interface Compared {
  /** The status of an error. All successful statuses are equal. */
  status: number | 'success'
  records?: unknown
  total?: number
}

type Row = Readonly<Record<string, unknown>>

/** Matches a path that asks for aggregates of related records: `tools(count:id.count())`. */
const aggregatesInside = /\w\([^()]*\w\(\)/

export function comparedTheirs({ kind, theirs }: Question, answer: Answer): Compared {
  const found = common(answer, (body) => {
    if (kind === 'Aggregate') return Object.values((body as Row[])[0] ?? {})
    return aggregatesInside.test(decodeURIComponent(theirs.path)) ? (body as Row[]).map(lifted) : body
  })
  const [, total] = /\/(\d+)$/.exec(answer.headers.get('content-range') ?? '') ?? []
  return { ...found, ...(total === undefined ? {} : { total: Number(total) }) }
}

/** Replaces arrays of one row by the properties of that row. */
const lifted = (row: Row): Row =>
  Object.assign(
    {},
    ...Object.entries(row).map(([name, value]) => (Array.isArray(value) ? value[0] : { [name]: value })),
  )

/**
 * Returns the compared parts of our response. If `theirs` has no records or no total, ours are not compared.
 */
export function comparedOurs({ kind }: Question, answer: Answer, theirs: Compared): Compared {
  const { records, ...found } = common(answer, (body) => {
    const { data, aggregates } = body as { data?: unknown; aggregates?: Row }
    return kind === 'Aggregate' ? Object.values(aggregates ?? {}) : data
  })
  const total = answer.headers.get('x-total-count')
  return {
    ...found,
    ...(theirs.records === undefined ? {} : { records }),
    ...(theirs.total === undefined ? {} : { total: Number(total) }),
  }
}

/** Leaves out the keys of records: a dry run shows one that no sequence gives out. */
export const withoutIds = ({ records, ...others }: Compared): Compared => ({
  ...others,
  records: (records as Row[] | undefined)?.map(({ id: _, ...values }) => values),
})

function common({ status, headers, text }: Answer, recordsOf: (body: unknown) => unknown): Compared {
  if (status >= 300) return { status }
  if (text === '') return { status: 'success' }
  if (headers.get('content-type')?.startsWith('text/csv')) return { status: 'success', records: parse(text) }
  const records = canonical(recordsOf(JSON.parse(text)))
  return {
    status: 'success',
    ...(records === undefined ? {} : { records: Array.isArray(records) ? records : [records] }),
  }
}

/** Writes instants in one form. */
function canonical(value: unknown): unknown {
  if (typeof value === 'string')
    return /^\d{4}-\d\d-\d\dT/.test(value) ? new Date(value).toISOString() : value
  if (Array.isArray(value)) return value.map(canonical)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, canonical(member)]))
}

/** Returns the keys of records, sorted. */
export const keysOf = ({ records }: Compared): unknown[] =>
  (records as { id: number }[]).map(({ id }) => id).toSorted((a, b) => a - b)
