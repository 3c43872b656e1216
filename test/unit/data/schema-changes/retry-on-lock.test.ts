/** Retries of statements that cannot get a lock. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { retryOnLock } from '../../../../src/data/schema-changes/retry-on-lock.ts'
import { DatabaseFailure } from '../../../../src/kernel/db/failures.ts'

const failure = (code: string) => new DatabaseFailure({ code } as never)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('retryOnLock', () => {
  it('repeats the attempt until it gets its lock', async () => {
    let tries = 0
    const done = retryOnLock(async () => {
      if (++tries < 5) throw failure('55P03')
      return tries
    })
    await vi.runAllTimersAsync()
    expect(await done).toBe(5)
  })

  it('gives up after fifteen seconds, the longest time of another statement', async () => {
    const began = Date.now()
    let tries = 0
    const outcome = retryOnLock(async () => {
      tries++
      await new Promise((done) => setTimeout(done, 100))
      throw failure('55P03')
    }).catch((error: DatabaseFailure) => error.sqlstate)
    await vi.runAllTimersAsync()
    expect(await outcome).toBe('55P03')
    expect(Date.now() - began).toBeGreaterThan(15_000)
    expect(tries).toBe(60)
  })

  it('does not repeat the attempt after any other error', async () => {
    let tries = 0
    await expect(
      retryOnLock(async () => {
        tries++
        throw failure('23505')
      }),
    ).rejects.toMatchObject({ sqlstate: '23505' })
    expect(tries).toBe(1)
  })
})
