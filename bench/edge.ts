/**
 * Measures how much the distance between the Worker and Postgres adds to each of the hot requests. With
 * `--first <isolates>`, measures only the first request of so many isolates. docs/performance.md.
 */
import { parseArgs } from 'node:util'
import { atDistance } from '../dev/distance.ts'
import { distances, edgeResults, type Measured } from './edge/document.ts'
import { measureFirst } from './edge/first.ts'
import { createHotData, type HotRequest, hotRequests } from './edge/hot-requests.ts'
import { circumstances } from './report/circumstances.ts'
import { keep, sectionOf } from './report/page.ts'
import { newToken, report, type Stack, withStack } from './stack.ts'

const { values } = parseArgs({
  options: {
    warm: { type: 'string', default: '25' },
    cold: { type: 'string', default: '3' },
    first: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
})
/** The number of requests of which the fastest counts, because other work on the machine only adds time. */
const samples = { warm: Number(values.warm), cold: Number(values.cold) }
/** The time that the Worker, Postgres and this machine may add, as a part of the largest distance. */
const toleranceInDistances = 0.5

// A run takes longer than the default lifetime of a token. The keys of sites in Durable Objects are off, because each
// Worker of the run has its own Durable Objects.
await withStack(run, { ACCESS_TOKEN_SECONDS: '86400', SITE_KEY_STORE: 'off', PUBLIC_URL: 'http://localhost' })

async function run(stack: Stack): Promise<void> {
  const key = await createHotData((method, path, body) =>
    stack.client.request(method, `/sites/bench${path}`, body),
  )
  const token = await newToken(stack.url)
  let sent = 0

  /** Sends a request to a Worker, and returns the milliseconds until the complete response. */
  async function timeOf(worker: URL, { by, method, path, headers, body, status, title }: HotRequest) {
    const credentials = { user: `Bearer ${token}`, key: `Api-Key ${key}`, nobody: null }[by]
    const started = performance.now()
    const answer = await fetch(new URL(`/sites/bench${path}`, worker), {
      method,
      headers: {
        ...headers,
        ...(credentials ? { authorization: credentials } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body(sent++)) } : {}),
    })
    const text = await answer.text()
    if (answer.status !== status) throw new Error(`${title}: ${answer.status} ${text}`)
    return performance.now() - started
  }

  if (values.first !== undefined) {
    const [get] = hotRequests
    await measureFirst(stack, (worker) => timeOf(worker, get as HotRequest), Number(values.first))
    return
  }

  /** Returns the time of the fastest of several requests to one Worker. */
  async function warm(worker: URL, request: HotRequest): Promise<number> {
    for (let before = 0; before < 3; before++) await timeOf(worker, request)
    const times: number[] = []
    for (let n = 0; n < samples.warm; n++) times.push(await timeOf(worker, request))
    return rounded(Math.min(...times))
  }

  /**
   * Returns the time of the fastest of the first requests of several Workers. Caches outside of isolates are
   * already filled.
   */
  async function cold(milliseconds: number, request: HotRequest): Promise<number> {
    const times: number[] = []
    for (let n = 0; n < samples.cold; n++) {
      const worker = await startAt(milliseconds)
      await fetch(new URL('/healthz', worker.url))
      if (request.roundTrips.cold === 0) await timeOf(worker.url, request)
      times.push(await timeOf(worker.url, request))
      await worker.stop()
    }
    return rounded(Math.min(...times))
  }

  const startAt = (milliseconds: number) =>
    stack.startAnother({ NEON_ENDPOINT: atDistance(stack.neonEndpoint, milliseconds) })

  const requests: Measured[] = hotRequests.map(({ title, roundTrips }) => ({
    title,
    roundTrips,
    warm: [],
    cold: [],
  }))
  for (const milliseconds of distances) {
    console.log(`${milliseconds} ms to Postgres`)
    const worker = await startAt(milliseconds)
    for (const [index, request] of hotRequests.entries()) {
      const measured = requests[index] as Measured
      measured.warm.push(await warm(worker.url, request))
      measured.cold.push(await cold(milliseconds, request))
    }
    await worker.stop()
  }
  for (const measured of requests) judge(measured)
  const results = { ...(await circumstances(stack.sql)), distances: [...distances], requests }
  console.log(`\n${sectionOf(edgeResults, results)}`)
  if (values.keep) console.log(`Written: ${keep(edgeResults, results).join(', ')}`)
}

function rounded(milliseconds: number): number {
  return Number(milliseconds.toFixed(1))
}

/** Reports how much longer a request takes than without a distance, as a multiple of the largest distance. */
function judge({ title, roundTrips, warm, cold }: Measured): void {
  const farthest = distances[distances.length - 1] as number
  for (const [name, times, most] of [
    ['at work', warm, roundTrips.warm],
    ['new', cold, roundTrips.cold],
  ] as const) {
    const waited = ((times.at(-1) as number) - (times[0] as number)) / farthest
    report(`${title}, ${name}`, `${times.join(', ')} ms`, waited, most + toleranceInDistances)
  }
}
