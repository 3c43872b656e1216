/**
 * Metrics of this isolate since it started. Their attributes are names of this program and numbers, never
 * texts that a client or a tenant has written.
 */
import { type CacheUse, cacheUses } from '../lib/isolate-cache.ts'
import type { Attributes } from './trace.ts'

/** The upper bounds of the buckets of durations, in seconds. */
export const durationBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const

interface Instrument {
  kind: 'counter' | 'duration' | 'gauge'
  description: string
}

/** All instruments, by the names that OpenTelemetry gives them. */
export const instruments = {
  'http.server.request.duration': {
    kind: 'duration',
    description: 'Requests, from the first byte to the answer.',
  },
  'tessera.db.round_trip.duration': { kind: 'duration', description: 'Round trips to Postgres.' },
  'tessera.db.kept_plans': {
    kind: 'counter',
    description: 'Reads whose plan a session of Postgres was to keep.',
  },
  'tessera.catalogs.shared': {
    kind: 'counter',
    description: 'Searches for a catalog in the cache of the data centre.',
  },
  'tessera.function.attempt.duration': { kind: 'duration', description: 'Attempts of invocations.' },
  'tessera.job.duration': { kind: 'duration', description: 'Messages of the queues.' },
  'tessera.task.duration': { kind: 'duration', description: 'Tasks of the cron trigger.' },
  'tessera.cache.bytes': { kind: 'gauge', description: 'About how many bytes a cache takes.' },
  'tessera.cache.hits': { kind: 'counter', description: 'Values that a cache had.' },
  'tessera.cache.evictions': { kind: 'counter', description: 'Values that a cache removed to make room.' },
  'tessera.spans.dropped': { kind: 'counter', description: 'Spans that could not be sent.' },
} as const satisfies Record<string, Instrument>

export type InstrumentName = keyof typeof instruments

/** The counts or measurements of an instrument with the same attributes. */
export interface Series {
  attributes: Attributes
  count: number
  sum: number
  max: number
  /** The number of values up to each of `durationBounds`, and above all of them; not cumulative. */
  buckets: number[]
}

/** The maximum number of series of an instrument. Further values are added to a series without attributes. */
const seriesMax = 2_000

const seriesOf = new Map<RecordedName, Map<string, Series>>()

/** The time of this isolate's first measurement, in milliseconds since the epoch. Undefined: none yet. */
let since: number | undefined

/** The instruments of `record`. The caches count by themselves. */
type RecordedName = Exclude<InstrumentName, `tessera.cache.${string}`>

/** Records a duration in seconds, or a number to add to a counter. */
export function record(name: RecordedName, attributes: Attributes, value: number): void {
  since ??= Date.now()
  const all = seriesOf.get(name) ?? new Map<string, Series>()
  seriesOf.set(name, all)
  const series = seriesWith(all, attributes)
  series.count += 1
  series.sum += value
  series.max = Math.max(series.max, value)
  const bucket = durationBounds.findIndex((bound) => value <= bound)
  const place = bucket === -1 ? durationBounds.length : bucket
  series.buckets[place] = (series.buckets[place] ?? 0) + 1
}

function seriesWith(all: Map<string, Series>, attributes: Attributes): Series {
  const key = JSON.stringify(attributes)
  const known = all.get(key)
  if (known) return known
  const kept: Attributes = all.size < seriesMax ? attributes : {}
  const keptKey = JSON.stringify(kept)
  const series = all.get(keptKey) ?? {
    attributes: kept,
    count: 0,
    sum: 0,
    max: 0,
    buckets: new Array(durationBounds.length + 1).fill(0),
  }
  all.set(keptKey, series)
  return series
}

/** All measurements of this isolate, and their beginning. */
export interface Measurements {
  since: number
  series: readonly (readonly [InstrumentName, readonly Series[]])[]
}

/** Returns the measurements of this isolate. */
export const measurements = (): Measurements => ({
  since: since ?? Date.now(),
  series: [...[...seriesOf].map(([name, all]) => [name, [...all.values()]] as const), ...cacheSeries()],
})

/** Returns the use of the caches, which count by themselves. */
function cacheSeries(): Measurements['series'] {
  const seriesOfUse = (use: keyof CacheUse) =>
    cacheUses().map(([cache, { [use]: sum }]) => ({
      attributes: { cache },
      count: 1,
      sum,
      max: sum,
      buckets: [],
    }))
  return [
    ['tessera.cache.bytes', seriesOfUse('bytes')],
    ['tessera.cache.hits', seriesOfUse('hits')],
    ['tessera.cache.evictions', seriesOfUse('evictions')],
  ]
}
