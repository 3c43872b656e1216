/** The entries of coherent caches: a state machine in a simulated world of interleaved reads and changes. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  everyKey,
  type FencedEntries,
  fenceMs,
  openFencedEntries,
  type Storage,
} from '../../../../src/kernel/cache/fenced-entries.ts'
import { type Access, decide } from '../../../../src/secrets/entries/decide.ts'
import type { SensitivityLevel } from '../../../../src/secrets/schema.ts'
import { runs } from '../../../support/runs.ts'

/** Returns a storage with the interface of a Durable Object's storage. */
function memory(): Storage {
  const stored = new Map<string, unknown>()
  return {
    get: <T>(key: string) => structuredClone(stored.get(key)) as T | undefined,
    put: (key, value) => void stored.set(key, structuredClone(value)),
    delete: (key) => stored.delete(key),
    list: <T>({ prefix = '' } = {}) =>
      [...stored].filter(([key]) => key.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1)) as [
        string,
        T,
      ][],
  }
}

describe('the entries of a cache', () => {
  const getA = (cache: FencedEntries<string>, now = 0) => cache.get('a', now)
  const fillOf = (key: string, qualifier: string, value: string, fillToken: string | null) => ({
    key,
    qualifier,
    value,
    fillToken,
  })

  it('keep a value that is filled in with a token, by qualifier, until it expires', () => {
    const cache = openFencedEntries<string>(memory(), 'one')
    const { entries, fillToken } = getA(cache)
    expect([...entries]).toEqual([])
    expect(cache.fill(fillOf('a', '', 'x', fillToken), 100, 0)).toBe(true)
    expect(cache.fill(fillOf('a', 'v', 'y', fillToken), 200, 0)).toBe(true)
    expect(Object.fromEntries(getA(cache, 99).entries)).toEqual({ '': 'x', v: 'y' })
    expect(Object.fromEntries(getA(cache, 100).entries)).toEqual({ v: 'y' })
    expect(cache.removeExpired(100)).toBe(200)
    expect(cache.removeExpired(200)).toBe(null)
  })

  it('reject a token from before a fence, an invalidation or a restart, and a missing token', () => {
    const storage = memory()
    const cache = openFencedEntries<string>(storage, 'one')
    const before = getA(cache).fillToken
    const fenceId = cache.fence(['a'], 0)
    expect(cache.fill(fillOf('a', '', 'old', before), 100, 0)).toBe(false)
    expect(getA(cache).fillToken).toBe(null)
    expect(cache.fill(fillOf('a', '', 'old', null), 100, 0)).toBe(false)
    const other = cache.get('b', 0).fillToken
    expect(cache.fill(fillOf('a', '', 'old', other), 100, 0)).toBe(false)
    expect(cache.fill(fillOf('b', '', 'new', other), 100, 0)).toBe(true)
    cache.invalidate(['a'], fenceId)
    expect(cache.fill(fillOf('a', '', 'old', other), 100, 0)).toBe(false)
    const after = getA(cache).fillToken
    const restarted = openFencedEntries<string>(storage, 'two')
    expect(restarted.fill(fillOf('a', '', 'old', after), 100, 0)).toBe(false)
    expect(cache.fill(fillOf('a', '', 'new', after), 100, 0)).toBe(true)
  })

  it('keep a fence after a restart and next to other fences, until it expires', () => {
    const storage = memory()
    const first = openFencedEntries<string>(storage, 'one').fence(['a'], 0)
    const cache = openFencedEntries<string>(storage, 'two')
    cache.fence([everyKey], 10)
    cache.invalidate(['a'], first)
    expect(getA(cache, fenceMs - 1).fillToken).toBe(null)
    expect(cache.get('b', fenceMs + 9).fillToken).toBe(null)
    expect(getA(cache, fenceMs + 10).fillToken).not.toBe(null)
  })
})

/**
 * A secret in the database, or undefined if there is none. The version grows with each change, also with a
 * deletion.
 */
interface Stored {
  version: number
  secret: { sensitivity_level: SensitivityLevel; tags: string[]; app: string | null } | undefined
}

interface World {
  random(limit: number): number
  now: number
  cache: FencedEntries<Stored>
  storage: Storage
  incarnation: number
  /** The contents of the database, for the app and for the site. */
  levels: { app: Stored; site: Stored }
  /** The version of the latest acknowledged change. */
  acknowledged: number
  version: number
}

/**
 * Returns the secret that a read finds: the app's, otherwise the site's. Its version is that of the latest
 * change.
 */
const resolve = ({ levels, version }: World, app: boolean): Stored => ({
  version,
  secret: (app && levels.app.secret) || levels.site.secret,
})

const key = 'K'

/** Reads the secret. Yields between its steps. */
function* reader(world: World): Generator {
  const access = (['anonymous', 'noAccess', 'reader'] as Access[])[world.random(3)] as Access
  const app = world.random(2) === 0
  const qualifier = app ? 'app' : ''
  const acknowledged = world.acknowledged
  const { entries, fillToken } = world.cache.get(key, world.now)
  let found = entries.get(qualifier)
  yield
  if (!found) {
    found = resolve(world, app)
    yield
  }
  const decision = decide(found.secret, access, null)
  if (found.version < acknowledged)
    throw new Error(`a read saw version ${found.version}, after ${acknowledged} had been acknowledged`)
  if (decision === 'show' && access !== 'reader' && found.secret?.sensitivity_level !== 'public')
    throw new Error(`${access} was shown a secret`)
  if (decision === 'show' && found.secret?.sensitivity_level !== 'sensitive' && !entries.get(qualifier)) {
    const fill = { key, qualifier, value: found, fillToken }
    world.cache.fill(fill, world.now + 300_000, world.now)
  }
}

/**
 * Creates, changes or deletes a secret of the app or the site, with any sensitivity. May crash between its
 * steps.
 */
function* writer(world: World): Generator {
  const keys = world.random(4) === 0 ? [everyKey] : [key]
  const fenceId = world.cache.fence(keys, world.now)
  const crash = world.random(8)
  if (crash === 0) return
  yield
  const level = world.random(2) === 0 ? world.levels.app : world.levels.site
  const sensitivity_level = (['public', 'private', 'sensitive'] as const)[world.random(3)] as SensitivityLevel
  world.version++
  level.secret = world.random(3) === 0 ? undefined : { sensitivity_level, tags: [], app: null }
  const { version } = world
  if (crash === 1) return
  yield
  world.cache.invalidate(keys, fenceId)
  world.acknowledged = Math.max(world.acknowledged, version)
}

/** Makes a change without a fence, such as a change of an app. It invalidates the cache after its commit. */
function* appWriter(world: World): Generator {
  world.version++
  world.levels.app.secret = undefined
  const { version } = world
  yield
  world.cache.invalidate([everyKey])
  world.acknowledged = Math.max(world.acknowledged, version)
}

/** Restarts the cache, removes expired entries, or lets time pass. */
// biome-ignore lint/correctness/useYield: it does everything in one step
function* environment(world: World): Generator {
  if (world.random(3) === 0)
    world.cache = openFencedEntries(world.storage, `incarnation ${++world.incarnation}`)
  else if (world.random(2) === 0) world.cache.removeExpired(world.now)
  else world.now += world.random(60_000)
}

describe('interleaved reads and changes', () => {
  it('return no version older than an acknowledged one, and no secret to callers without access', () => {
    const kinds = [reader, reader, reader, reader, writer, writer, appWriter, environment]
    const property = fc.property(
      fc.infiniteStream(fc.nat()),
      fc.integer({ min: 5, max: 40 }),
      (numbers, length) => {
        const storage = memory()
        const world: World = {
          random: (limit) => (numbers.next().value as number) % limit,
          now: 0,
          storage,
          cache: openFencedEntries(storage, 'first'),
          incarnation: 0,
          levels: { app: { version: 0, secret: undefined }, site: { version: 0, secret: undefined } },
          acknowledged: 0,
          version: 0,
        }
        const running: Generator[] = []
        for (let steps = 0; steps < length * 3; steps++) {
          if (running.length < 6 && steps < length * 2)
            running.push((kinds[world.random(kinds.length)] as typeof reader)(world))
          if (running.length === 0) break
          const turn = world.random(running.length)
          if (running[turn]?.next().done) running.splice(turn, 1)
        }
      },
    )
    fc.assert(property, { numRuns: runs(500, 10_000) })
  })
})
