/**
 * Measures the start of an isolate, by turns with an empty Worker that has the same bindings: the CPU time of
 * workerd until it is ready, and that of the first request for records, which Postgres does not answer here.
 * Both are divided by the start of the empty Worker, so that the figures hardly depend on the machine.
 * `npm run check` runs it.
 */
import { newSigningKeys } from '../dev/signing-keys.ts'
import { bundleWorker, startWorker } from '../dev/worker.ts'
import { ownMemoryMiB } from './cpu/memory.ts'
import { cpuMsOf, startedProcesses } from './cpu/processes.ts'
import { median, report } from './stack.ts'

/** The most rounds, and the latest start of a round: the check is to take less than 20 seconds. */
const rounds = { least: 2, most: 6, lastMs: 12_000 }

const empty = `
  import { DurableObject, WorkerEntrypoint } from 'cloudflare:workers'
  export class FunctionGate extends WorkerEntrypoint {}
  export class RateLimiter extends DurableObject {}
  export class CoherentCache extends DurableObject {}
  export class SecretCache extends DurableObject {}
  export class SiteKey extends DurableObject {}
  export default { fetch: () => new Response() }`

/** No process listens at this address, so the request ends with a 503. */
const bindings = {
  DATABASE_URL: 'postgresql://service:password@localhost/none',
  NEON_ENDPOINT: 'http://127.0.0.1:1/',
  PUBLIC_URL: 'http://localhost',
  REQUEST_LOG: 'failed',
  SIGNING_KEYS: await newSigningKeys(),
}
const records = '/sites/none/api/apps/none/datatables/none/data/'

interface Measured {
  startMs: number
  firstMs: number
  /** Undefined if the system does not tell. */
  memoryMiB: number | undefined
}

async function measure(code: Promise<string>): Promise<Measured> {
  const worker = await startWorker({ host: '127.0.0.1', port: 0, bindings, code, quiet: true })
  try {
    const [pid = 0] = startedProcesses('workerd')
    const [startMs, memoryMiB] = [cpuMsOf(pid), ownMemoryMiB(pid)]
    await (await fetch(new URL(records, worker.url))).arrayBuffer()
    return { startMs, firstMs: cpuMsOf(pid) - startMs, memoryMiB }
  } finally {
    await worker.stop()
  }
}

const began = performance.now()
const ours: Measured[] = []
const theirs: Measured[] = []
const code = bundleWorker()
for (let round = 0; round < rounds.most; round++) {
  if (round >= rounds.least && performance.now() - began > rounds.lastMs) break
  ours.push(await measure(code))
  theirs.push(await measure(Promise.resolve(empty)))
}

/** The system counts hundredths of a second, so the ratio is that of sums. */
const total = (all: readonly Measured[], part: 'startMs' | 'firstMs') =>
  all.reduce((sum, one) => sum + one[part], 0)
const unit = total(theirs, 'startMs')
const inMs = (all: readonly Measured[], part: 'startMs' | 'firstMs') =>
  `${(total(all, part) / all.length).toFixed(0)} ms`
const figures = `${inMs(ours, 'startMs')}, an empty Worker ${inMs(theirs, 'startMs')}`
report('start of an isolate, above an empty start', figures, total(ours, 'startMs') / unit - 1, 0.9)
report('its first request, by an empty start', inMs(ours, 'firstMs'), total(ours, 'firstMs') / unit, 1)

const memoryOf = (all: readonly Measured[]) => median(all.flatMap(({ memoryMiB }) => memoryMiB ?? []))
const memory = memoryOf(ours) - memoryOf(theirs)
if (Number.isFinite(memory))
  report('its memory above an empty start, MiB', `${ours.length} rounds`, memory, 45)
