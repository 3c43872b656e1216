/** The entries that an LruCache evicts. */
import { describe, expect, it } from 'vitest'
import { LruCache } from '../../../src/lib/lru-cache.ts'

const keysIn = (cache: LruCache<string, number>, ...keys: string[]) =>
  keys.filter((key) => cache.get(key) !== undefined)

describe('an LRU cache', () => {
  it('evicts the least recently used entry if there are too many', () => {
    const cache = new LruCache<string, number>(2)
    cache.set('a', 1)
    cache.set('b', 2)
    cache.get('a')
    cache.set('c', 3)
    expect(keysIn(cache, 'a', 'b', 'c')).toEqual(['a', 'c'])
  })

  it('with weights evicts as many entries as necessary, and counts a replaced entry once', () => {
    const cache = new LruCache<string, number>(10, (weight) => weight)
    for (const [key, weight] of Object.entries({ a: 4, b: 3, c: 3 })) cache.set(key, weight)
    cache.set('a', 4)
    expect(keysIn(cache, 'a', 'b', 'c')).toEqual(['a', 'b', 'c'])
    cache.set('d', 5)
    expect(keysIn(cache, 'a', 'b', 'c', 'd')).toEqual(['c', 'd'])
  })

  it('keeps an entry heavier than the maximum until the next one is set', () => {
    const cache = new LruCache<string, number>(10, (weight) => weight)
    cache.set('a', 1)
    cache.set('large', 40)
    expect(keysIn(cache, 'a', 'large')).toEqual(['large'])
    cache.set('b', 1)
    expect(keysIn(cache, 'large', 'b')).toEqual(['b'])
  })
})
