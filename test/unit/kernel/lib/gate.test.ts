/** Gates: which entries are admitted, in which order, and when passes expire. */
import { describe, expect, it, vi } from 'vitest'
import { type Entry, Gate } from '../../../../src/kernel/lib/gate.ts'
import { cpuMs } from '../../../support/cpu-time.ts'
import { medianOf, openLoop } from '../../../support/open-loop.ts'
import { scaled } from '../../../support/scaled.ts'

const entry = (fields: Partial<Entry> = {}): Entry => ({
  share: 'a',
  cost: 1,
  waitMs: 5_000,
  holdMs: 60_000,
  ...fields,
})
const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds))

async function durationOf(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

describe('a gate', () => {
  it('rejects an entry that does not get a pass in time', async () => {
    const gate = new Gate(1)
    await gate.enter(entry())
    expect(await gate.enter(entry({ waitMs: 30 }))).toBeUndefined()
  })

  it('rejects an entry at once if too many entries of its share are waiting', async () => {
    const gate = new Gate(1)
    await gate.enter(entry())
    const waiting = Array.from({ length: 256 }, () => gate.enter(entry({ waitMs: 300 })))
    const startedAt = Date.now()
    expect(await gate.enter(entry({ waitMs: 60_000 }))).toBeUndefined()
    expect(Date.now() - startedAt).toBeLessThan(scaled(10_000))
    await Promise.all(waiting)
  })

  it('admits waiting entries in order of arrival when passes are released', async () => {
    const gate = new Gate(1)
    const order: number[] = []
    await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const release = await gate.enter(entry({ waitMs: 60_000 }))
        order.push(index)
        await pause(2)
        release?.()
      }),
    )
    expect(order).toEqual([...Array(12).keys()])
  })

  it('never exceeds its capacity, and admits an entry with a larger cost only when no other pass is held', async () => {
    const gate = new Gate(10)
    let held = 0
    let most = 0
    const pass = async (cost: number) => {
      const release = await gate.enter(entry({ cost, waitMs: 60_000 }))
      held += cost
      if (cost > 10) expect(held).toBe(cost)
      else most = Math.max(most, held)
      await pause(3)
      held -= cost
      release?.()
    }
    await Promise.all([3, 4, 25, 2, 10, 1, 6, 11, 5, 5].map(pass))
    expect(most).toBeLessThanOrEqual(10)
  })

  it('bounds each share separately', async () => {
    const gate = new Gate()
    const mine = entry({ shareMax: 2, waitMs: 30 })
    expect([await gate.enter(mine), await gate.enter(mine)].map(Boolean)).toEqual([true, true])
    expect(await gate.enter(mine)).toBeUndefined()
    expect(await gate.enter({ ...mine, share: 'b' })).toBeDefined()
  })

  it('admits a share that holds fewer passes before a share that holds more and came earlier', async () => {
    const gate = new Gate(2)
    const release = await gate.enter(entry())
    await gate.enter(entry())
    const order: string[] = []
    const arrivals = ['a', 'a', 'b'].map(async (share) => {
      const releaseOwn = await gate.enter(entry({ share, waitMs: 60_000 }))
      order.push(share)
      await pause(2)
      releaseOwn?.()
    })
    release?.()
    await Promise.all(arrivals)
    expect(order).toEqual(['b', 'a', 'a'])
  })

  it('admits every entry whose share has room, whoever waits in other shares', async () => {
    const gate = new Gate()
    const mine = entry({ shareMax: 1, waitMs: 60_000 })
    const release = await gate.enter(mine)
    const waiting = gate.enter(mine)
    expect(await gate.enter({ ...mine, share: 'b', waitMs: 0 })).toBeDefined()
    release?.()
    expect(await waiting).toBeDefined()
  })

  it('admits at once all whom a release makes room for, and none before an earlier one of its share', async () => {
    const gate = new Gate()
    const order: number[] = []
    const pass = async (cost: number) => {
      const release = await gate.enter(entry({ shareMax: 10, cost, waitMs: 60_000 }))
      order.push(cost)
      return release
    }
    const release = await pass(9)
    const [first, ...others] = [8, 1, 1, 7].map(pass)
    expect(order).toEqual([9])
    release?.()
    await Promise.all([first, others[0], others[1]])
    expect(order).toEqual([9, 8, 1, 1])
    ;(await first)?.()
    await others[2]
    expect(order).toEqual([9, 8, 1, 1, 7])
  })

  it('wakes those that wait without a pause when passes are released', async () => {
    const gate = new Gate(1)
    let release = await gate.enter(entry())
    const waiting = Array.from({ length: 200 }, () => gate.enter(entry({ waitMs: 60_000 })))
    const woke = await durationOf(async () => {
      for (const each of waiting) {
        release?.()
        release = await each
      }
    })
    const paused = await durationOf(async () => {
      for (const _ of waiting) await pause(1)
    })
    expect(woke).toBeLessThan(paused)
  })

  it('lets a burst of 200 pass while half of its capacity is used', { retry: 2 }, async () => {
    const gate = new Gate()
    const workMs = 50
    const work = async () => {
      const release = await gate.enter(entry({ shareMax: 16 }))
      await pause(workMs)
      release?.()
      return release ? 200 : 503
    }
    const load = { perSecond: (16 / 2) * (1000 / workMs), seconds: 6, burst: { count: 200, afterSeconds: 1 } }
    const answered = await openLoop(work, load)
    expect(answered.filter(({ status }) => status !== 200)).toEqual([])
    expect(medianOf(answered, 4_000, 6_000)).toBeLessThan(2 * medianOf(answered, 0, 900))
  })

  it('takes no longer for an entry when many wait', async () => {
    const gate = new Gate()
    const crowd = Array.from({ length: 100 }, (_, index) => `crowd ${index}`)
    const waiting = crowd.flatMap((share) =>
      Array.from({ length: 200 }, () => gate.enter(entry({ share, shareMax: 1, waitMs: 2_000 }))),
    )
    const took = await cpuMs(async () => {
      for (let index = 0; index < 2_000; index++) (await gate.enter(entry({ shareMax: 1 })))?.()
    })
    expect(took).toBeLessThan(scaled(400))
    await Promise.all(waiting)
  })

  it('passes over a waiting request that is gone', async () => {
    vi.useFakeTimers()
    try {
      const gate = new Gate(1)
      const release = await gate.enter(entry())
      void gate.enter(entry({ waitMs: 60_000 }))
      // A cancelled request runs no more: its timer and its promise do nothing.
      vi.clearAllTimers()
      const alive = gate.enter(entry({ waitMs: 60_000 }))
      await vi.advanceTimersByTimeAsync(3_000)
      release?.()
      expect(await alive).toBeDefined()
    } finally {
      vi.useRealTimers()
    }
  })

  it('takes back a pass that is not released in time', async () => {
    const gate = new Gate(1)
    await gate.enter(entry({ holdMs: 50 }))
    expect(await gate.enter(entry())).toBeDefined()
  })

  it('ignores the second release of a pass', async () => {
    const gate = new Gate(1)
    const release = await gate.enter(entry())
    release?.()
    await gate.enter(entry())
    release?.()
    expect(await gate.enter(entry({ waitMs: 20 }))).toBeUndefined()
  })
})
