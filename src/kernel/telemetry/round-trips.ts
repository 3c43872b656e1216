/** The record of a round trip to Postgres: the names of its statements, and its duration. */
import { record } from './metrics.ts'
import { addSpan, type Trace } from './trace.ts'

/** A round trip that has ended. */
export interface RoundTrip {
  /** The names of its statements in this program. */
  names: readonly string[]
  /** Milliseconds since the epoch. */
  from: number
  ms: number
  /** The code of its error; `unavailable` if Postgres did not answer. Null: it succeeded. */
  failure: string | null
}

/** Called after each round trip. */
export type RoundTripObserver = (trip: RoundTrip) => void

/** Records a round trip in the metrics and in a trace. */
export function noteRoundTrip(trace: Trace | undefined, { names, from, ms, failure }: RoundTrip): void {
  const shape = shapeOf(names)
  record('tessera.db.round_trip.duration', { statements: shape.join(' ') }, ms / 1000)
  addSpan(trace, {
    name: 'postgres',
    kind: 'client',
    from,
    to: from + ms,
    attributes: {
      'db.system.name': 'postgresql',
      'tessera.statements': shape,
      ...(failure === null ? {} : { 'db.response.status_code': failure }),
    },
    hasFailed: failure !== null,
  })
}

const namesMax = 12

/** Returns the different names without their numbers, so that `step 1` and `step 2` are the same. */
const shapeOf = (names: readonly string[]): string[] =>
  [
    ...new Set(
      names
        .map((name) => name.replace(/\s*\d+$/, '').replaceAll(' ', '_'))
        .filter((name) => /^\w+$/.test(name)),
    ),
  ].slice(0, namesMax)
