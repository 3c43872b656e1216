/** Streams whose clients stop reading. */
import { Hono } from 'hono'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { AppEnv } from '../../../../src/kernel/http/app-env.ts'
import { respondWithStream } from '../../../../src/kernel/http/streamed.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Answers with a stream of 100 lines, and counts how often it has ended. */
async function open() {
  const seen = { read: 0, ends: 0 }
  async function* lines() {
    for (; seen.read < 100; seen.read++) yield `${seen.read}\n`
  }
  const app = new Hono<AppEnv>().get(
    '/',
    (c) =>
      respondWithStream(c, 'ndjson', 'lines', {
        total: undefined,
        texts: lines(),
        end: () => void seen.ends++,
      }).response,
  )
  const { body } = await app.request('/', {}, { ENVIRONMENT: 'production' })
  return { seen, reader: (body as ReadableStream<Uint8Array>).getReader() }
}

it('A client that reads nothing for 30 seconds is not waited for', async () => {
  for (const readBefore of [0, 3]) {
    const { seen, reader } = await open()
    for (let line = 0; line < readBefore; line++) {
      await vi.advanceTimersByTimeAsync(29_000)
      expect((await reader.read()).value).toEqual(new TextEncoder().encode(`${line}\n`))
    }
    await vi.advanceTimersByTimeAsync(29_000)
    expect(seen.ends).toBe(0)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(seen.ends).toBe(1)
    await expect(reader.read()).rejects.toThrow('Nothing was read for 30000 ms.')
  }
})

it('A client that reads all of a stream ends it, and one that leaves, too', async () => {
  const { seen, reader } = await open()
  let lines = 0
  while (!(await reader.read()).done) lines++
  expect([lines, seen.ends, vi.getTimerCount()]).toEqual([100, 1, 0])
  const other = await open()
  await other.reader.read()
  await other.reader.cancel()
  expect([other.seen.ends, vi.getTimerCount()]).toEqual([1, 0])
})
