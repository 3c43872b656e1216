/**
 * Measures the first request of a new isolate for records: where its data centre has no catalog of the app,
 * and where it has one, because another isolate has loaded it.
 */
import { atDistance } from '../../dev/distance.ts'
import { quantile } from '../side-by-side/load.ts'
import { report, type Stack } from '../stack.ts'

/** Milliseconds of a round trip to Postgres. */
const distances = [0, 80] as const

/**
 * Prints the 95th percentiles. `ask` sends the request, and returns its milliseconds. `count`: the number of
 * isolates for each figure, by turns.
 */
export async function measureFirst(stack: Stack, ask: (worker: URL) => Promise<number>, count: number) {
  for (const milliseconds of distances) {
    const start = () => stack.startAnother({ NEON_ENDPOINT: atDistance(stack.neonEndpoint, milliseconds) })
    /** Loads what every request needs, but no records. */
    const wake = (worker: URL) => fetch(new URL('/healthz', worker))
    const shared = await start()
    await ask(shared.url)
    const times: Record<'alone' | 'shared', number[]> = { alone: [], shared: [] }
    for (let n = 0; n < count; n++) {
      // A new isolate with the same cache.
      await shared.restart()
      await wake(shared.url)
      times.shared.push(await ask(shared.url))
      const alone = await start()
      await wake(alone.url)
      times.alone.push(await ask(alone.url))
      await alone.stop()
    }
    await shared.stop()
    const p95 = (all: readonly number[]) =>
      quantile(
        all.toSorted((a, b) => a - b),
        0.95,
      )
    const [found, missing] = [p95(times.shared), p95(times.alone)]
    report(
      `p95 of ${count} first requests at ${milliseconds} ms, with a shared catalog ÷ without`,
      `${found.toFixed(1)}, ${missing.toFixed(1)} ms`,
      found / missing,
      1,
    )
  }
}
