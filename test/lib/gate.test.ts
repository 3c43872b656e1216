/** Gates: places that requests share without waiting for each other's promises. */
import { describe, expect, it } from 'vitest'
import { type Entry, Gate } from '../../src/lib/gate.ts'

const entry = (fields: Partial<Entry> = {}): Entry => ({ share: 'a', cost: 1, waitMs: 5_000, holdMs: 60_000, ...fields })
const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds))

describe('a gate', () => {
  it('refuses who waited in vain', async () => {
    const gate = new Gate(1)
    await gate.enter(entry())
    expect(await gate.enter(entry({ waitMs: 30 }))).toBeUndefined()
  })

  it('refuses at once where too many wait for one share already', async () => {
    const gate = new Gate(1)
    await gate.enter(entry())
    const waiting = Array.from({ length: 256 }, () => gate.enter(entry({ waitMs: 300 })))
    const began = Date.now()
    expect(await gate.enter(entry({ waitMs: 60_000 }))).toBeUndefined()
    expect(Date.now() - began).toBeLessThan(10_000)
    await Promise.all(waiting)
  })

  it('lets in who waits when a pass is given back, in the order in which they came', async () => {
    const gate = new Gate(1)
    const order: number[] = []
    await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const leave = await gate.enter(entry({ waitMs: 60_000 }))
        order.push(index)
        await pause(2)
        leave?.()
      }),
    )
    expect(order).toEqual([...Array(12).keys()])
  })

  it('has never more inside than its capacity, and what costs more than all of it alone', async () => {
    const gate = new Gate(10)
    let inside = 0
    let most = 0
    const visit = async (cost: number) => {
      const leave = await gate.enter(entry({ cost, waitMs: 60_000 }))
      inside += cost
      if (cost > 10) expect(inside).toBe(cost)
      else most = Math.max(most, inside)
      await pause(3)
      inside -= cost
      leave?.()
    }
    await Promise.all([3, 4, 25, 2, 10, 1, 6, 11, 5, 5].map(visit))
    expect(most).toBeLessThanOrEqual(10)
  })

  it('is as wide for each share as its most, and no share waits for another', async () => {
    const gate = new Gate()
    const mine = entry({ shareMax: 2, waitMs: 30 })
    expect([await gate.enter(mine), await gate.enter(mine)].map(Boolean)).toEqual([true, true])
    expect(await gate.enter(mine)).toBeUndefined()
    expect(await gate.enter({ ...mine, share: 'b' })).toBeDefined()
  })

  it('lets in a share that holds less before those who came earlier for one that holds more', async () => {
    const gate = new Gate(2)
    const leave = await gate.enter(entry())
    await gate.enter(entry())
    const order: string[] = []
    const arrivals = ['a', 'a', 'b'].map(async (share) => {
      const own = await gate.enter(entry({ share, waitMs: 60_000 }))
      order.push(share)
      await pause(2)
      own?.()
    })
    leave?.()
    await Promise.all(arrivals)
    expect(order).toEqual(['b', 'a', 'a'])
  })

  it('takes a pass back by itself that was not given back', async () => {
    const gate = new Gate(1)
    await gate.enter(entry({ holdMs: 50 }))
    expect(await gate.enter(entry())).toBeDefined()
  })

  it('changes nothing when a pass is given back twice', async () => {
    const gate = new Gate(1)
    const leave = await gate.enter(entry())
    leave?.()
    await gate.enter(entry())
    leave?.()
    expect(await gate.enter(entry({ waitMs: 20 }))).toBeUndefined()
  })
})
