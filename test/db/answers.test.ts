/** Large answers of the database are read when there is room for them. */
import { describe, expect, it } from 'vitest'
import { bounded, roomFor } from '../../src/db/answers.ts'

const text = (bytes: number) => 'x'.repeat(bytes)
const small = 200_000
const large = 2_000_000

/** A response of parts, which says nothing of its length. */
function inParts(bytes: number) {
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
const whole = (bytes: number) => new Response(text(bytes), { headers: { 'content-length': String(bytes) } })

const asked: number[] = []
const willing = (answer: boolean) => async (bytes: number) => {
  asked.push(bytes)
  return answer
}

describe('an answer for which there is no room', () => {
  it.each([
    ['that says its length', whole(large)],
    ['that does not', inParts(large)],
  ])('%s, is a failure as the database endpoint words it', async (_, response) => {
    const refused = await bounded(response, willing(false))
    expect([refused.status, await refused.json()]).toEqual([400, { message: 'no room for the answer', code: 'TS429' }])
  })
})

describe('an answer', () => {
  it('that is small asks for no room', async () => {
    asked.length = 0
    expect([await (await bounded(whole(small), willing(false))).text(), await (await bounded(inParts(small), willing(false))).text()]).toEqual([
      text(small),
      text(small),
    ])
    expect(asked).toEqual([])
  })

  it('that is large asks for as much as it is, or as the largest is where it does not say', async () => {
    asked.length = 0
    const answers = [await bounded(whole(large), willing(true)), await bounded(inParts(large), willing(true))]
    for (const answer of answers) expect(await answer.text()).toBe(text(large))
    expect(asked).toEqual([large, 20 * 1024 * 1024])
  })
})

describe('room for answers', () => {
  it('is 12 MiB for all together; a request has it for one answer at a time, and gives it back at its end', async () => {
    const [one, other, third] = [roomFor('a', true), roomFor('b', true), roomFor('c', true)]
    expect(await one.reserve(7_000_000)).toBe(true)
    expect(await one.reserve(8_000_000)).toBe(true)
    expect(await other.reserve(4_000_000)).toBe(true)
    const waiting = third.reserve(4_000_000)
    one.release()
    expect(await waiting).toBe(true)
    other.release()
    third.release()
  })

  it('that there is none of in time refuses a read, and never a write, which is done', async () => {
    const [holder, reader, writer] = [roomFor('a', true), roomFor('b', true), roomFor('c', false)]
    await holder.reserve(30_000_000)
    expect(await Promise.all([reader.reserve(1_000_000), writer.reserve(1_000_000)])).toEqual([false, true])
    holder.release()
  })
})
