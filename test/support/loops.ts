/** Functions that loop, and how long the service takes to answer while they do. */
import type { NpmStart } from './npm-start.ts'
import { scaled } from './scaled.ts'

export const records = '/api/apps/library/datatables/categories/data/'

export const cpuSeconds = 1.2
export const stopped = `The function used more than its CPU limit of ${cpuSeconds} s and was stopped.`
export const endless = 'export default () => { while (true); }'
export const innocent = 'export default ({ n }) => new Promise((done) => setTimeout(() => done(n), 500))'

/** In which the service has to answer while they loop: far more than it takes, as other tests want the machine, too. */
export const answerMs = () => scaled(3_000)

/** Does some work, and returns, beside what it came to, the longest that the service took to answer meanwhile, in milliseconds. */
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
