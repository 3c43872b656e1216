/**
 * Sends traces and metrics to OTLP_ENDPOINT, in batches and after the answers of requests. Data that cannot
 * be sent is dropped: no request waits for it or fails because of it.
 */
import type { Config } from '../env.ts'
import { type Background, Collector } from '../lib/collector.ts'
import { log } from '../lib/log.ts'
import { measurements, record } from './metrics.ts'
import { metricsBody, type SentSpan, tracesBody } from './otlp.ts'
import type { Trace } from './trace.ts'

type ExportConfig = Pick<Config, 'OTLP_ENDPOINT' | 'OTLP_HEADERS' | 'ENVIRONMENT'>

/** The milliseconds for which spans wait for further spans. */
const waitMs = 5_000
/** The maximum number of waiting spans, and of spans of one request. */
const spansMax = 4_000
const spansAtOnce = 1_000
/** The milliseconds between two transmissions of the metrics. */
const metricsEveryMs = 30_000
const deadlineMs = 10_000

interface Outbox {
  spans: SentSpan[]
  metricsSentAt: number
  collector: Collector
}

const outboxes = new Map<string, Outbox>()
/** Created at the first request, because Workers allow no random values before. */
let isolate: string | undefined

function outboxOf(config: ExportConfig & { OTLP_ENDPOINT: string }): Outbox {
  const known = outboxes.get(config.OTLP_ENDPOINT)
  if (known) return known
  const made = { spans: [], metricsSentAt: 0, collector: new Collector(() => sendTelemetry(config)) }
  outboxes.set(config.OTLP_ENDPOINT, made)
  return made
}

const isOn = (config: ExportConfig): config is ExportConfig & { OTLP_ENDPOINT: string } =>
  config.OTLP_ENDPOINT !== undefined

/**
 * Plans to send the spans of a trace, and the metrics if they are due. Does nothing without OTLP_ENDPOINT.
 */
export function exportSoon(config: ExportConfig, background: Background, trace?: Trace | undefined): void {
  if (!isOn(config)) return
  const outbox = outboxOf(config)
  const spans = trace?.spans.splice(0) ?? []
  const room = Math.max(0, spansMax - outbox.spans.length)
  for (const span of spans.slice(0, room)) outbox.spans.push({ ...span, traceId: trace?.id ?? '' })
  noteDropped(spans.length - room)
  outbox.collector.sendSoon(background, waitMs)
}

/** Sends all waiting data. Never rejects. Does nothing without OTLP_ENDPOINT. */
export async function sendTelemetry(config: ExportConfig, now = Date.now()): Promise<void> {
  if (!isOn(config)) return
  isolate ??= crypto.randomUUID()
  const sender = { isolate, environment: config.ENVIRONMENT }
  const outbox = outboxOf(config)
  while (outbox.spans.length > 0) {
    const spans = outbox.spans.splice(0, spansAtOnce)
    if (!(await post(config, 'traces', tracesBody(sender, spans)))) noteDropped(spans.length)
  }
  if (now - outbox.metricsSentAt < metricsEveryMs) return
  outbox.metricsSentAt = now
  await post(config, 'metrics', metricsBody(sender, measurements(), now))
}

function noteDropped(count: number): void {
  if (count > 0) record('tessera.spans.dropped', {}, count)
}

/** Returns whether the receiver has accepted a body. */
async function post(
  config: ExportConfig & { OTLP_ENDPOINT: string },
  signal: 'traces' | 'metrics',
  body: object,
): Promise<boolean> {
  try {
    const response = await fetch(`${config.OTLP_ENDPOINT.replace(/\/$/, '')}/v1/${signal}`, {
      method: 'POST',
      headers: { ...config.OTLP_HEADERS, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(deadlineMs),
    })
    await response.body?.cancel()
    if (!response.ok) log({ level: 'warn', telemetry: signal, status: response.status })
    return response.ok
  } catch (error) {
    log({ level: 'warn', telemetry: signal, failure: error instanceof Error ? error.name : 'unknown' })
    return false
  }
}
