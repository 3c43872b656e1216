/** Writes traces and metrics in the JSON of OTLP: the bodies of its requests over HTTP. */
import {
  durationBounds,
  type InstrumentName,
  instruments,
  type Measurements,
  type Series,
} from './metrics.ts'
import { type Attributes, type AttributeValue, type Span, spanKinds } from './trace.ts'

/** A span, and the trace to which it belongs. */
export interface SentSpan extends Span {
  traceId: string
}

const scope = { name: 'tessera' }
const cumulative = 2
const failed = 2

/** Returns the attributes of all data that an isolate sends. */
const resourceOf = (isolate: string, environment: string) => ({
  attributes: keyValues({
    'service.name': 'tessera',
    'service.instance.id': isolate,
    'deployment.environment.name': environment,
  }),
})

/** Identifies the isolate that sends. */
export interface Sender {
  isolate: string
  /** The variable ENVIRONMENT. */
  environment: string
}

/** Returns the body of a request to `/v1/traces`. */
export const tracesBody = ({ isolate, environment }: Sender, spans: readonly SentSpan[]) => ({
  resourceSpans: [
    { resource: resourceOf(isolate, environment), scopeSpans: [{ scope, spans: spans.map(spanOf) }] },
  ],
})

const spanOf = ({ traceId, id, parentId, name, kind, from, to, attributes, hasFailed }: SentSpan) => ({
  traceId,
  spanId: id,
  ...(parentId === null ? {} : { parentSpanId: parentId }),
  name,
  kind: spanKinds[kind],
  startTimeUnixNano: nanoseconds(from),
  endTimeUnixNano: nanoseconds(to),
  attributes: keyValues(attributes),
  ...(hasFailed ? { status: { code: failed } } : {}),
})

/** Returns the body of a request to `/v1/metrics`. `now`: milliseconds since the epoch. */
export const metricsBody = (
  { isolate, environment }: Sender,
  { since, series }: Measurements,
  now: number,
) => ({
  resourceMetrics: [
    {
      resource: resourceOf(isolate, environment),
      scopeMetrics: [{ scope, metrics: series.map(([name, all]) => metricOf(name, all, since, now)) }],
    },
  ],
})

function metricOf(name: InstrumentName, all: readonly Series[], since: number, now: number) {
  const { kind, description } = instruments[name]
  const times = { startTimeUnixNano: nanoseconds(since), timeUnixNano: nanoseconds(now) }
  if (kind !== 'duration') {
    const dataPoints = all.map(({ attributes, sum }) => ({
      attributes: keyValues(attributes),
      ...times,
      asDouble: sum,
    }))
    if (kind === 'gauge') return { name, description, unit: 'By', gauge: { dataPoints } }
    return {
      name,
      description,
      unit: '1',
      sum: { aggregationTemporality: cumulative, isMonotonic: true, dataPoints },
    }
  }
  const dataPoints = all.map(({ attributes, count, sum, max, buckets }) => ({
    attributes: keyValues(attributes),
    ...times,
    count: String(count),
    sum,
    max,
    bucketCounts: buckets.map(String),
    explicitBounds: [...durationBounds],
  }))
  return { name, description, unit: 's', histogram: { aggregationTemporality: cumulative, dataPoints } }
}

/** Converts whole milliseconds to the text of nanoseconds, which a double cannot represent. */
const nanoseconds = (milliseconds: number): string => `${Math.round(milliseconds)}000000`

const keyValues = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }))

function anyValue(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value !== 'number')
    return { arrayValue: { values: value.map((stringValue) => ({ stringValue })) } }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
