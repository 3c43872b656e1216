/** Metrics in the text format of Prometheus. */
import {
  durationBounds,
  type InstrumentName,
  instruments,
  type Measurements,
  type Series,
} from './metrics.ts'
import type { Attributes } from './trace.ts'

/** Current values by name, each with its description. */
export type Gauges = Readonly<Record<string, readonly [description: string, value: number]>>

/** Returns the text of all metrics. */
export function prometheusText({ series }: Measurements, gauges: Gauges): string {
  const lines = [
    ...series.flatMap(([name, all]) => linesOf(name, all)),
    ...Object.entries(gauges).flatMap(([name, [description, value]]) => [
      ...headOf(nameOf(name), 'gauge', description),
      `${nameOf(name)} ${value}`,
    ]),
  ]
  return `${lines.join('\n')}\n`
}

function linesOf(instrument: InstrumentName, all: readonly Series[]): string[] {
  const { kind, description } = instruments[instrument]
  if (kind !== 'duration') {
    const name = kind === 'counter' ? `${nameOf(instrument)}_total` : nameOf(instrument)
    return [
      ...headOf(name, kind, description),
      ...all.map((each) => `${name}${labelsOf(each.attributes)} ${each.sum}`),
    ]
  }
  const name = `${nameOf(instrument)}_seconds`
  return [...headOf(name, 'histogram', description), ...all.flatMap((each) => histogramOf(name, each))]
}

function histogramOf(name: string, { attributes, count, sum, buckets }: Series): string[] {
  let below = 0
  const upTo = durationBounds.map((bound, place) => {
    below += buckets[place] ?? 0
    return `${name}_bucket${labelsOf({ ...attributes, le: String(bound) })} ${below}`
  })
  return [
    ...upTo,
    `${name}_bucket${labelsOf({ ...attributes, le: '+Inf' })} ${count}`,
    `${name}_sum${labelsOf(attributes)} ${sum}`,
    `${name}_count${labelsOf(attributes)} ${count}`,
  ]
}

const headOf = (name: string, type: string, description: string): string[] => [
  `# HELP ${name} ${description}`,
  `# TYPE ${name} ${type}`,
]

const nameOf = (name: string): string => name.replaceAll('.', '_')

function labelsOf(attributes: Attributes): string {
  const labels = Object.entries(attributes).map(
    // Both escape quotes, backslashes and line breaks in the same way.
    ([name, value]) => `${nameOf(name)}=${JSON.stringify(String(value))}`,
  )
  return labels.length === 0 ? '' : `{${labels.join(',')}}`
}
