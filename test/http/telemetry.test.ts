/** Traces and metrics, as an OTLP receiver gets them. */
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { configOf } from '../../src/kernel/env.ts'
import { sendTelemetry } from '../../src/kernel/telemetry/exporter.ts'
import { readTraceparent } from '../../src/kernel/telemetry/trace.ts'
import type { TestApp } from '../support/app.ts'
import { createEventful, type Eventful } from '../support/events.ts'
import { metricsRequest, type ReceivedSpan, traceRequest } from '../support/otlp-schema.ts'
import type { Received } from '../support/webhook-server.ts'

let one: Eventful
/** The app with telemetry on. */
let watched: TestApp
const server = inject('webhookServer')
const makers = '/apps/shop/datatables/makers/data/'
const secret = 'a-value-of-a-client'
let receivers = 0

/** Returns the app with a receiver of its own. */
const watchedWith = (variables: Record<string, string> = {}) =>
  one.app.with({
    OTLP_ENDPOINT: `${server}/otlp-${receivers++}-${crypto.randomUUID()}/`,
    OTLP_HEADERS: 'authorization=Bearer of-the-receiver,x-scope=tessera',
    TRACE_SAMPLING: '1',
    ...variables,
  })

beforeAll(async () => {
  one = await createEventful('one', { ALLOW_PRIVATE_HOSTS: 'true' })
  watched = watchedWith()
})

async function received(app: TestApp, signal: 'traces' | 'metrics'): Promise<Received[]> {
  const path = new URL(String(app.env.OTLP_ENDPOINT)).pathname
  const response = await fetch(`${server}/received${path}v1/${signal}`)
  return response.json()
}

/** Sends a request and waits for its response, but not for the work after it. */
async function ask(app: TestApp, method: string, path: string, body?: unknown, headers = {}) {
  const response = await app.open(method, `${one.shop.api}${path}`, {
    token: one.shop.owner.token,
    headers,
    ...(body ? { body } : {}),
  })
  await response.text()
  return response.status
}

/**
 * Sends the waiting spans. Returns all spans of the receiver, after checking each against the schema of OTLP.
 */
async function spansOf(app: TestApp): Promise<ReceivedSpan[]> {
  await sendTelemetry(configOf(app.env))
  return (await received(app, 'traces')).flatMap(({ body }) =>
    traceRequest
      .parse(JSON.parse(body))
      .resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  )
}

const attribute = (span: ReceivedSpan | undefined, name: string) =>
  span?.attributes.find(({ key }) => key === name)?.value

describe('a trace', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`

  it('continues the traceparent header, and contains the request and its round trips with their statements', async () => {
    expect(await ask(watched, 'GET', `${makers}?name=${secret}`, undefined, { traceparent })).toBe(200)
    const spans = await spansOf(watched)
    const root = spans.find(({ kind }) => kind === 2)
    expect(root).toMatchObject({
      traceId,
      parentSpanId: '00f067aa0ba902b7',
      name: 'GET /api/apps/:app/datatables/:table/data',
    })
    expect(attribute(root, 'http.response.status_code')).toEqual({ intValue: '200' })
    expect(attribute(root, 'tessera.site')).toEqual({ intValue: one.shop.schema.slice('site_'.length) })
    const trips = spans.filter(({ name }) => name === 'postgres')
    expect(trips.length).toBe(Number(Object.values(attribute(root, 'tessera.round_trips') ?? {})[0]))
    for (const trip of trips) expect(trip).toMatchObject({ traceId, parentSpanId: root?.spanId, kind: 3 })
    expect(attribute(trips.at(-1), 'tessera.statements')).toMatchObject({
      arrayValue: { values: expect.arrayContaining([{ stringValue: expect.stringMatching(/^\w+$/) }]) },
    })
  })

  it('connects a request, its event, the run of a function, and a webhook', async () => {
    await one.listener('hookworm', ['RECORD_CREATE'], {
      execution_mode: 'proxy',
      webhook_url: `${server}/json/traced`,
    })
    const before = (await spansOf(watched)).length
    expect(await ask(watched, 'POST', makers, { id: 1, name: secret }, { traceparent })).toBe(201)
    await one.queue.drain({ ...one.app.env, OTLP_ENDPOINT: watched.env.OTLP_ENDPOINT, TRACE_SAMPLING: '0' })
    const spans = (await spansOf(watched)).slice(before)
    const [request, message, run] = [2, 5, 3].map((kind) =>
      spans.find((span) => span.kind === kind && span.name !== 'postgres'),
    )
    expect(message).toMatchObject({ traceId, name: 'process-outbox-row', parentSpanId: request?.spanId })
    expect(run).toMatchObject({ traceId, name: 'run proxy', parentSpanId: message?.spanId })
    expect(attribute(run, 'tessera.status')).toEqual({ stringValue: 'SUCCESS' })
    const [call]: Received[] = await (await fetch(`${server}/received/json/traced`)).json()
    expect(call?.headers.traceparent).toBe(`00-${traceId}-${run?.spanId}-01`)
  })

  it('connects the calls of a function with context.client, and the events that they cause', async () => {
    await one.listener('caller', ['RECORD_UPDATE'], {
      code: `export default async (_, { client }) => {
        const headers = { traceparent: '00-${'a'.repeat(32)}-${'b'.repeat(16)}-01' }
        const answer = await client.fetch('${makers.replace('/apps', '/api/apps')}2/', { headers })
        return answer.status
      }`,
    })
    expect(await ask(watched, 'POST', makers, { id: 2, name: 'x' })).toBe(201)
    const before = (await spansOf(watched)).length
    expect(await ask(watched, 'PATCH', `${makers}2/`, { name: 'y' }, { traceparent })).toBe(200)
    await one.queue.drain({ ...one.app.env, OTLP_ENDPOINT: watched.env.OTLP_ENDPOINT, TRACE_SAMPLING: '0' })
    const spans = (await spansOf(watched)).slice(before)
    const run = spans.find(({ name }) => name === 'run app')
    expect(attribute(run, 'tessera.status')).toEqual({ stringValue: 'SUCCESS' })
    const call = spans.find(({ parentSpanId, kind }) => parentSpanId === run?.spanId && kind === 2)
    expect([call?.traceId, call?.name]).toEqual([
      traceId,
      'GET /api/apps/:app/datatables/:table/data/:record',
    ])
    const trip = spans.find(({ parentSpanId }) => parentSpanId === call?.spanId)
    expect(trip).toMatchObject({ traceId, name: 'postgres' })
  })

  it('contains an error of Postgres only as its SQLSTATE', async () => {
    const before = (await spansOf(watched)).length
    expect(await ask(watched, 'POST', makers, { id: 1, name: secret })).toBe(409)
    const spans = (await spansOf(watched)).slice(before)
    const failed = spans.find(({ name, status }) => name === 'postgres' && status?.code === 2)
    expect(attribute(failed, 'db.response.status_code')).toEqual({ stringValue: '23505' })
  })

  it('is not sent if it is not sampled, and the webhook gets the same flag', async () => {
    const quiet = watchedWith({ TRACE_SAMPLING: '0' })
    expect(
      await ask(quiet, 'GET', makers, undefined, { traceparent: traceparent.replace(/01$/, '00') }),
    ).toBe(200)
    expect(await spansOf(quiet)).toEqual([])
  })

  it('has a random id if the header is missing or invalid', () => {
    for (const header of [
      null,
      '',
      traceId,
      `00-${traceId}-00f067aa0ba902b7`,
      `ff-${traceId}-00f067aa0ba902b7-01`,
      `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
      `00-${traceId}-${'0'.repeat(16)}-01`,
      `00-${traceId.toUpperCase()}-00f067aa0ba902b7-01`,
      `00-${traceId}-00f067aa0ba902b7-01-more`,
    ])
      expect([header, readTraceparent(header)]).toEqual([header, undefined])
    expect(readTraceparent(`01-${traceId}-00f067aa0ba902b7-03-more`)).toEqual({
      traceId,
      spanId: '00f067aa0ba902b7',
      isSampled: true,
    })
  })
})

describe('the OTLP receiver', () => {
  it('gets the configured headers, and metrics with the routes, valid by the schema of OTLP', async () => {
    await ask(watched, 'GET', makers)
    // As if half a minute had passed.
    await sendTelemetry(configOf(watched.env), Date.now() + 31_000)
    const requests = await received(watched, 'metrics')
    const { headers, body = '{}' } = requests.at(-1) ?? {}
    expect(headers).toMatchObject({
      authorization: 'Bearer of-the-receiver',
      'x-scope': 'tessera',
      'content-type': 'application/json',
    })
    const { resourceMetrics } = metricsRequest.parse(JSON.parse(body))
    const metrics = resourceMetrics.flatMap(({ scopeMetrics }) =>
      scopeMetrics.flatMap(({ metrics }) => metrics),
    )
    expect(metrics.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['http.server.request.duration', 'tessera.db.round_trip.duration']),
    )
    expect(body).toContain('/api/apps/:app/datatables/:table/data')
  })

  it('gets no text from a client or a tenant, no token and no address', async () => {
    await ask(watched, 'GET', `/apps/${secret}/datatables/?search=${secret}`)
    await ask(watched, 'GET', `/${secret}/`)
    await ask(watched, 'GET', makers, undefined, { 'x-request-id': secret })
    await ask(watched, 'PROPFIND', makers)
    await spansOf(watched)
    const all = [...(await received(watched, 'traces')), ...(await received(watched, 'metrics'))]
    expect(all.length).toBeGreaterThan(1)
    for (const { body } of all)
      for (const text of [
        secret,
        'PROPFIND',
        'hookworm',
        'makers',
        one.shop.owner.token,
        '198.51.100.7',
        '@example',
      ])
        expect([text, body.includes(text)]).toEqual([text, false])
  })

  it('fails no request if it returns errors or is unreachable', async () => {
    for (const endpoint of [`${server}/status/503`, 'http://127.0.0.1:9']) {
      const broken = watchedWith({ OTLP_ENDPOINT: endpoint })
      expect(await ask(broken, 'GET', makers)).toBe(200)
      await sendTelemetry(configOf(broken.env))
    }
  })

  it('gets no data without OTLP_ENDPOINT', async () => {
    const off = one.app.with({ OTLP_ENDPOINT: '' })
    expect(
      await ask(off, 'GET', makers, undefined, { traceparent: `00-${traceIdOf()}-00f067aa0ba902b7-01` }),
    ).toBe(200)
    await sendTelemetry(configOf(off.env))
    expect(one.queue.waiting).toEqual([])
  })
})

const traceIdOf = () => crypto.randomUUID().replaceAll('-', '')
