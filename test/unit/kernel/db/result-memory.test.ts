/** Large results of the database are read only if there is memory for them. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { boundResponse, resultMemoryFor } from '../../../../src/kernel/db/result-memory.ts'

afterEach(() => void vi.useRealTimers())

const text = (bytes: number) => 'x'.repeat(bytes)
const small = 200_000
const large = 2_000_000

/** Returns a response without a Content-Length. */
function chunked(bytes: number) {
  let left = bytes
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const size = Math.min(left, 50_000)
      left -= size
      if (size > 0) controller.enqueue(new TextEncoder().encode(text(size)))
      else controller.close()
    },
  })
  return new Response(body)
}
const withLength = (bytes: number) =>
  new Response(text(bytes), { headers: { 'content-length': String(bytes) } })

const reserved: number[] = []
const reserveAs = (answer: boolean) => async (bytes: number) => {
  reserved.push(bytes)
  return answer
}

describe('a result without memory', () => {
  it.each([
    ['with a known length', withLength(large)],
    ['without a known length', chunked(large)],
  ])('%s is replaced by an error in the format of the database endpoint', async (_case, response) => {
    const refused = await boundResponse(response, reserveAs(false))
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { message: 'There is no memory for the result.', code: 'TS429' },
    ])
  })
})

describe('a result', () => {
  it('reserves no memory if it is small', async () => {
    reserved.length = 0
    expect([
      await (await boundResponse(withLength(small), reserveAs(false))).text(),
      await (await boundResponse(chunked(small), reserveAs(false))).text(),
    ]).toEqual([text(small), text(small)])
    expect(reserved).toEqual([])
  })

  it('reserves its length if it is large, or the largest possible length if that is unknown', async () => {
    reserved.length = 0
    const answers = [
      await boundResponse(withLength(large), reserveAs(true)),
      await boundResponse(chunked(large), reserveAs(true)),
    ]
    for (const answer of answers) expect(await answer.text()).toBe(text(large))
    expect(reserved).toEqual([large, 12 * 1024 * 1024])
  })
})

describe('the memory for results', () => {
  it('is 12 MiB for all requests together; a request holds one result at a time', async () => {
    const [one, other, third] = [
      resultMemoryFor('a', true),
      resultMemoryFor('b', true),
      resultMemoryFor('c', true),
    ]
    expect(await one.reserve(7_000_000)).toBe(true)
    expect(await one.reserve(8_000_000)).toBe(true)
    expect(await other.reserve(4_000_000)).toBe(true)
    const waiting = third.reserve(4_000_000)
    one.release()
    expect(await waiting).toBe(true)
    other.release()
    third.release()
  })

  it('refuses a read if it does not become available in time, but never a write', async () => {
    const [holder, reader, writer] = [
      resultMemoryFor('a', true),
      resultMemoryFor('b', true),
      resultMemoryFor('c', false),
    ]
    vi.useFakeTimers()
    await holder.reserve(30_000_000)
    const reserving = Promise.all([reader.reserve(1_000_000), writer.reserve(1_000_000)])
    await vi.runAllTimersAsync()
    expect(await reserving).toEqual([false, true])
    holder.release()
  })
})
