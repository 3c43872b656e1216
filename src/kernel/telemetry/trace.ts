/**
 * Traces: the spans of a request or of a queue message. They contain names of this program, ids and numbers,
 * never texts that a client or a tenant has written. Without OTLP_ENDPOINT there are no traces.
 */
import type { Config } from '../env.ts'

export type AttributeValue = string | number | boolean | readonly string[]
/** The attributes of a span or of a series of a metric. */
export type Attributes = Readonly<Record<string, AttributeValue>>

/** The kinds of spans, as OTLP numbers them. */
export const spanKinds = { internal: 1, server: 2, client: 3, consumer: 5 } as const

/** A span that has ended. Times are milliseconds since the epoch. */
export interface Span {
  id: string
  /** Null: the trace begins with it. */
  parentId: string | null
  name: string
  kind: keyof typeof spanKinds
  from: number
  to: number
  attributes: Attributes
  hasFailed: boolean
}

/** The trace of a request or of a queue message. */
export interface Trace {
  readonly id: string
  /** The id of the span of the request or the message itself. */
  readonly rootId: string
  /** The parent span, from `traceparent`. */
  readonly parentId: string | null
  readonly isSampled: boolean
  readonly from: number
  readonly spans: Span[]
}

type TraceConfig = Pick<Config, 'OTLP_ENDPOINT' | 'TRACE_SAMPLING'>

/** The maximum number of spans of a trace. */
const spansMax = 200

/**
 * Begins a trace, or continues the trace of a header `traceparent`. Returns undefined without OTLP_ENDPOINT.
 * If another service samples a trace, it is sampled here, too.
 */
export function beginTrace(config: TraceConfig, traceparent: string | null | undefined): Trace | undefined {
  if (config.OTLP_ENDPOINT === undefined) return undefined
  const parent = readTraceparent(traceparent)
  return {
    id: parent?.traceId ?? randomHex(16),
    rootId: newSpanId(),
    parentId: parent?.spanId ?? null,
    isSampled: parent?.isSampled === true || Math.random() < config.TRACE_SAMPLING,
    from: Date.now(),
    spans: [],
  }
}

/** The parts of a span other than its id. By default it belongs to the span of the request or the message. */
export type NewSpan = Omit<Span, 'id' | 'parentId'> & { id?: string; parentId?: string | null }

/** Adds a span to a trace that is sampled. */
export function addSpan(trace: Trace | undefined, span: NewSpan): void {
  if (!trace?.isSampled || trace.spans.length >= spansMax) return
  trace.spans.push({ id: newSpanId(), parentId: trace.rootId, ...span })
}

/** Adds the span of the request or the message itself. It is the last span. */
export function endTrace(
  trace: Trace | undefined,
  { name, kind, attributes, hasFailed }: Pick<Span, 'name' | 'kind' | 'attributes' | 'hasFailed'>,
): void {
  if (!trace?.isSampled) return
  const { rootId: id, parentId, from } = trace
  trace.spans.push({ id, parentId, name, kind, from, to: Date.now(), attributes, hasFailed })
}

export const newSpanId = (): string => randomHex(8)

function randomHex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes))
  return [...random].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Returns the header `traceparent` for work that a span causes. Undefined without a trace. */
export const traceparentOf = (trace: Trace | undefined, spanId = trace?.rootId): string | undefined =>
  trace && `00-${trace.id}-${spanId}-${trace.isSampled ? '01' : '00'}`

/** Reads a header `traceparent` of the W3C's Trace Context. Returns undefined for a malformed one. */
export function readTraceparent(
  header: string | null | undefined,
): { traceId: string; spanId: string; isSampled: boolean } | undefined {
  const [, version, traceId = '', spanId = '', flags = ''] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/.exec(header ?? '') ?? []
  if (version === undefined || version === 'ff') return undefined
  if (version === '00' && header?.length !== 55) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
