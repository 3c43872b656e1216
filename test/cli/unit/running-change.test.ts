/** How the command line waits for a change of a large table that goes on as a job. */
import { describe, expect, it } from 'vitest'
import { Problem } from '../../../cli/src/problem.ts'
import { barOf, untilChanged } from '../../../cli/src/schema/running-change.ts'
import type { Client } from '../../../client/src/index.ts'

/** A client whose operation 7 has these states, one after the other. */
function clientOf(...states: object[]): Client {
  const request = async () => ({
    data: [
      { id: 8, status: 'failed' },
      { id: 7, ...states.shift() },
    ],
  })
  return { request } as unknown as Client
}
const path = '/api/apps/shop/datatables/sales/'
const running = { status: 'running', progress: { rows_done: 450, rows_total: 1_000 } }

describe('a change that goes on', () => {
  it.each([
    ['failed', 'has failed'],
    ['cancelled', 'was cancelled'],
  ])('that has ended as %s is an error that says so', async (status, end) => {
    const waiting = untilChanged(clientOf({ status }), path, { operation: { id: 7 } }, () => undefined)
    await expect(waiting).rejects.toEqual(
      new Problem(`The change of the table ${end}. The table is as it was.`),
    )
  })

  it('shows a bar each time when it has come further, until it is done', async () => {
    const notes: string[] = []
    const client = clientOf(running, running, { status: 'success' })
    await untilChanged(client, path, { operation: { id: 7 } }, (text) => notes.push(text))
    expect(notes).toEqual(['[#########...........] 45 %'])
  })

  it('that was made at once is not asked for', async () => {
    await untilChanged(clientOf(), path, {}, () => undefined)
  })
})

describe('a bar', () => {
  it.each([
    [undefined, '[....................] 0 %'],
    [{ rows_done: 3, rows_total: 2 }, '[####################] 100 %'],
    [{ rows_done: 1, rows_total: 3 }, '[######..............] 33 %'],
  ])('of %j is %s', (progress, bar) => {
    expect(barOf(progress)).toBe(bar)
  })
})
