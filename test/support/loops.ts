/** Functions that loop, and the response time of the service meanwhile. */
import type { NpmStart } from './npm-start.ts'
import { scaled } from './scaled.ts'

export const records = '/api/apps/library/datatables/categories/data/'

export const cpuSeconds = 1.2
export const stopped = `The function used more than its CPU limit of ${cpuSeconds} s and was stopped.`
export const endless = 'export default () => { while (true); }'
export const innocent = 'export default ({ n }) => new Promise((done) => setTimeout(() => done(n), 500))'

/**
 * The limit for a response of the service during loops. It is much longer than necessary, because other tests
 * also use the machine.
 */
export const answerMs = () => scaled(15_000)

/**
 * Does some work. Returns its result, and the longest response time of the service meanwhile, in
 * milliseconds.
 */
export async function whileAsking<Result>(
  { base, client }: NpmStart,
  work: () => Promise<Result>,
): Promise<{ result: Result; slowestMs: number }> {
  let slowestMs = 0
  let done = false
  const asker = async (ask: () => Promise<unknown>) => {
    while (!done) {
      const began = performance.now()
      await ask()
      slowestMs = Math.max(slowestMs, performance.now() - began)
      await new Promise((next) => setTimeout(next, 20))
    }
  }
  const askers = [
    asker(() => fetch(`${base}/healthz`)),
    asker(() => client.request('GET', `${records}?page_size=1`)),
  ]
  try {
    return { result: await work(), slowestMs }
  } finally {
    done = true
    await Promise.all(askers)
  }
}
