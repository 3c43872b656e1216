/** The bounds of a cache: which entries it evicts, and what it counts. */
import { describe, expect, it } from 'vitest'
import { cacheBytes, cacheUses, IsolateCache } from '../../../../src/kernel/lib/isolate-cache.ts'

/** An entry of 1,000 bytes, with its key of one character. */
const value = 1_000 - 200 - 1
const bytesMax = cacheBytes.branding
const places = Math.floor(bytesMax / 1_000)

const opened = (removed: string[] = []) => {
  const cache = new IsolateCache<number>('branding', {
    bytesOf: (bytes) => bytes,
    onRemove: (_, key) => removed.push(key),
  })
  const [, use] = cacheUses().at(-1) ?? []
  return { cache, use, removed }
}
const keyOf = (index: number) => String.fromCodePoint(0x4e00 + index)

describe('a cache of an isolate', () => {
  it('refuses a value that alone takes more than the whole, or than a quarter with a site', () => {
    const { cache, use } = opened()
    expect(cache.set('a', bytesMax)).toBe(false)
    expect(cache.set('a', bytesMax / 4, 'site')).toBe(false)
    expect(cache.set('a', bytesMax / 4)).toBe(true)
    expect(cache.set('a', bytesMax)).toBe(false)
    expect(cache.get('a')).toBeUndefined()
    expect(use).toEqual({ bytes: 0, hits: 0, evictions: 0 })
  })

  it('evicts single entries, the least recently used first', () => {
    const { cache, use, removed } = opened()
    for (let index = 0; index < places; index++) cache.set(keyOf(index), value)
    expect(removed).toEqual([])
    cache.get(keyOf(0))
    cache.set(keyOf(places), value)
    expect(removed).toEqual([keyOf(1)])
    expect(cache.get(keyOf(0))).toBe(value)
    expect(use).toEqual({ bytes: places * 1_000, hits: 2, evictions: 1 })
  })

  it('evicts the entries of a site that has a quarter, and none of other sites', () => {
    const { cache, use, removed } = opened()
    cache.set('a', value, 'other')
    const quarter = Math.floor(bytesMax / 4 / 1_000)
    for (let index = 0; index < quarter + 2; index++) {
      cache.set(keyOf(index), value, 'greedy')
      cache.get(keyOf(0))
    }
    expect(removed).toEqual([keyOf(1), keyOf(2)])
    expect(cache.values()).toHaveLength(quarter + 1)
    expect(use?.bytes).toBe((quarter + 1) * 1_000)
    expect(cache.get('a')).toBe(value)
  })

  it('counts a replaced entry once, and nothing after the last one is removed', () => {
    const { cache, use, removed } = opened()
    cache.set('a', value, 'site')
    cache.set('a', 1, 'site')
    expect([cache.get('a'), use?.bytes, removed]).toEqual([1, 202, ['a']])
    cache.delete('a')
    cache.set('b', value)
    cache.clear()
    expect([cache.values(), use?.bytes, use?.evictions]).toEqual([[], 0, 0])
  })
})

describe('the caches of an isolate', () => {
  it('take at most 64 MB together', () => {
    const total = Object.values(cacheBytes).reduce((sum, bytes) => sum + bytes, 0)
    expect(total).toBeLessThanOrEqual(64 * 1024 * 1024)
  })
})
