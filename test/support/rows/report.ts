/**
 * Compares the rows that statements returned in the suite, as Postgres describes them, with what the sources
 * promise.
 */
import { once } from 'node:events'
import { join } from 'node:path'
import { BroadcastChannel, Worker } from 'node:worker_threads'
import type { Promised, PromisedRow } from './promises.ts'

/** A kind of JSON. */
export type Kind = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object'

/** What observer.ts tells of a statement: first its columns, then each kind of value in its rows. */
export type Told = { text: string } & (
  | { columns: Readonly<Record<string, Kind | 'json'>> }
  | { value: readonly [column: string, kind: Kind] }
)

interface Statement {
  columns: Readonly<Record<string, Kind | 'json'>>
  values: (readonly [column: string, kind: Kind])[]
}

export const channelName = 'rows'
/** How much of a statement is shown. */
const shownMax = 300

/** The result. A text may fit several templates: the one with the most own text has made it. */
export interface RowsReport {
  faults: string[]
  unseen: string[]
  promised: number
}

/** Listens to `observer`, and reads the sources meanwhile. */
export function startRows() {
  const promises = once(new Worker(join(import.meta.dirname, 'promises.ts')), 'message') as Promise<
    [Promised[]]
  >
  const channel = new BroadcastChannel(channelName)
  const statements = new Map<string, Statement>()
  channel.onmessage = ({ data }) => {
    const told = data as Told
    if ('value' in told) statements.get(told.text)?.values.push(told.value)
    else if (!statements.has(told.text)) statements.set(told.text, { columns: told.columns, values: [] })
  }
  return {
    observer: join(import.meta.dirname, 'observer.ts'),
    async end(): Promise<RowsReport> {
      channel.close()
      return compare(statements, (await promises)[0])
    },
  }
}

function compare(statements: ReadonlyMap<string, Statement>, promises: readonly Promised[]): RowsReport {
  const faults = new Set<string>()
  const kept = new Set<string>()
  for (const [text, statement] of statements) {
    const fitting = promises.filter((each) => fits(text, each))
    const [own] = fitting.toSorted((a, b) => b.length - a.length)
    const answersOf = ({ rows }: Promised) =>
      rows.map(({ place, row }) => ({ place, wrong: faultsOf(row, statement) }))
    const right = fitting.flatMap(answersOf).filter(({ wrong }) => wrong.length === 0)
    for (const { place } of right) kept.add(place)
    if (right.length > 0 || !own) continue
    for (const { place, wrong } of answersOf(own))
      faults.add(`${place}: ${wrong.join(', ')}; in ${text.replaceAll(/\s+/g, ' ').slice(0, shownMax)}`)
  }
  const all = new Set(promises.flatMap(({ rows }) => rows.map(({ place }) => place)))
  return {
    faults: [...faults].sort(),
    unseen: [...all].filter((place) => !kept.has(place)).sort(),
    promised: all.size,
  }
}

function fits(text: string, { parts }: Promised): boolean {
  let from = 0
  return parts.every((part) => {
    part.lastIndex = from
    const isFound = part.test(text)
    from = part.lastIndex
    return isFound
  })
}

/** Returns how the columns of a statement, and the values in its rows, differ from a row. */
function faultsOf(row: PromisedRow, { columns, values }: Statement): string[] {
  const wrongColumns = Object.entries(row).flatMap(([name, kinds]) => {
    const kind = Object.hasOwn(columns, name) ? columns[name] : undefined
    if (kind === undefined) return kinds?.has('undefined') ? [] : [`no column ${name}`]
    const promised = [...(kinds ?? [])].filter((each) => each !== 'null' && each !== 'undefined')
    const isKept = kind === 'json' || promised.every((each) => each === kind)
    return isKept ? [] : [`${name} is ${kind}, not ${promised.join(' or ')}`]
  })
  // A client's field may have the name of a member that every object has.
  const kindsOf = (name: string) => (Object.hasOwn(row, name) ? row[name] : undefined)
  const wrongValues = values.filter(([name, kind]) => kindsOf(name)?.has(kind) === false)
  return [...wrongColumns, ...wrongValues.map(([name, kind]) => `${name} is ${kind} in a row`)]
}
