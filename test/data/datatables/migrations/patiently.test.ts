import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { patiently } from '../../../../src/data/datatables/migrations/patiently.ts'
import { DatabaseFailure } from '../../../../src/db/failures.ts'

const failure = (code: string) => new DatabaseFailure({ code } as never)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('what needs a lock that others hold', () => {
  it('is tried again until it gets it', async () => {
    let tries = 0
    const done = patiently(async () => {
      if (++tries < 5) throw failure('55P03')
      return tries
    })
    await vi.runAllTimersAsync()
    expect(await done).toBe(5)
  })

  it('is given up after the longest that a statement of others may take, fifteen seconds', async () => {
    const began = Date.now()
    let tries = 0
    const given = patiently(async () => {
      tries++
      await new Promise((done) => setTimeout(done, 100))
      throw failure('55P03')
    }).catch((error: DatabaseFailure) => error.sqlstate)
    await vi.runAllTimersAsync()
    expect(await given).toBe('55P03')
    expect(Date.now() - began).toBeGreaterThan(15_000)
    expect(tries).toBe(60)
  })

  it('is not tried again for any other failure', async () => {
    let tries = 0
    await expect(
      patiently(async () => {
        tries++
        throw failure('23505')
      }),
    ).rejects.toMatchObject({ sqlstate: '23505' })
    expect(tries).toBe(1)
  })
})
