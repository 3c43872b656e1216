/**
 * The requests of OTLP over HTTP with JSON, as in the messages of opentelemetry-proto: properties in camel
 * case, ids in hexadecimal, 64-bit integers as texts, enums as numbers. Properties that the service does not
 * send are left out, so that an unknown one is an error.
 */
import { z } from 'zod'

const fixed64 = z.string().regex(/^\d{1,20}$/)
const id = (bytes: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`))
    .refine((text) => !/^0+$/.test(text))

const scalar = [
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d{1,19}$/) }),
  z.strictObject({ doubleValue: z.number() }),
] as const
const anyValue = z.union([
  ...scalar,
  z.strictObject({ arrayValue: z.strictObject({ values: z.array(z.union(scalar)) }) }),
])
/** Keys are unique, because the collector drops duplicates. */
const attributes = z
  .array(z.strictObject({ key: z.string().min(1), value: anyValue }))
  .refine((all) => new Set(all.map(({ key }) => key)).size === all.length)
const resource = z.strictObject({ attributes })
const scope = z.strictObject({ name: z.string(), version: z.string().optional() })

const span = z
  .strictObject({
    traceId: id(16),
    spanId: id(8),
    parentSpanId: id(8).optional(),
    name: z.string().min(1),
    kind: z.int().min(1).max(5),
    startTimeUnixNano: fixed64,
    endTimeUnixNano: fixed64,
    attributes,
    status: z.strictObject({ code: z.int().min(0).max(2) }).optional(),
  })
  .refine(({ startTimeUnixNano, endTimeUnixNano }) => BigInt(startTimeUnixNano) <= BigInt(endTimeUnixNano))

/** ExportTraceServiceRequest. */
export const traceRequest = z.strictObject({
  resourceSpans: z
    .array(
      z.strictObject({
        resource,
        scopeSpans: z.array(z.strictObject({ scope, spans: z.array(span).min(1) })).min(1),
      }),
    )
    .min(1),
})
/** A span as it is received. */
export type ReceivedSpan = z.infer<typeof span>

const times = { startTimeUnixNano: fixed64, timeUnixNano: fixed64 }
const aggregationTemporality = z.literal(2)
const numberPoint = z.strictObject({ attributes, ...times, asDouble: z.number() })
const histogramPoint = z
  .strictObject({
    attributes,
    ...times,
    count: fixed64,
    sum: z.number(),
    max: z.number(),
    bucketCounts: z.array(fixed64),
    explicitBounds: z.array(z.number()),
  })
  .refine(({ bucketCounts, explicitBounds }) => bucketCounts.length === explicitBounds.length + 1)
  .refine(
    ({ bucketCounts, count }) => bucketCounts.reduce((sum, each) => sum + Number(each), 0) === Number(count),
  )

const metric = z.union([
  z.strictObject({
    name: z.string().min(1),
    description: z.string(),
    unit: z.string(),
    sum: z.strictObject({
      aggregationTemporality,
      isMonotonic: z.literal(true),
      dataPoints: z.array(numberPoint),
    }),
  }),
  z.strictObject({
    name: z.string().min(1),
    description: z.string(),
    unit: z.string(),
    gauge: z.strictObject({ dataPoints: z.array(numberPoint).min(1) }),
  }),
  z.strictObject({
    name: z.string().min(1),
    description: z.string(),
    unit: z.string(),
    histogram: z.strictObject({ aggregationTemporality, dataPoints: z.array(histogramPoint).min(1) }),
  }),
])

/** ExportMetricsServiceRequest. */
export const metricsRequest = z.strictObject({
  resourceMetrics: z
    .array(
      z.strictObject({
        resource,
        scopeMetrics: z.array(z.strictObject({ scope, metrics: z.array(metric).min(1) })).min(1),
      }),
    )
    .min(1),
})
