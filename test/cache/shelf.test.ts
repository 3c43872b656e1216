/** The cache of record as a state machine, beside a world in which everything happens in between everything else. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { everything, markMs, openShelf, type Shelf, type Storage } from '../../src/cache/shelf.ts'
import { decide, type Standing } from '../../src/secrets/entries/decide.ts'
import type { SensitivityLevel } from '../../src/secrets/schema.ts'

/** As a Durable Object has it. */
function memory(): Storage {
  const kept = new Map<string, unknown>()
  return {
    get: <T>(key: string) => structuredClone(kept.get(key)) as T | undefined,
    put: (key, value) => void kept.set(key, structuredClone(value)),
    delete: (key) => kept.delete(key),
    list: <T>({ prefix = '' } = {}) => [...kept].filter(([key]) => key.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1)) as [string, T][],
  }
}

describe('a shelf', () => {
  const look = (shelf: Shelf<string>, now = 0) => shelf.look('a', now)

  it('keeps what was put with a ticket, by variant, until its time is up', () => {
    const shelf = openShelf<string>(memory(), 'one')
    const { entries, ticket } = look(shelf)
    expect([...entries]).toEqual([])
    expect(shelf.put('a', '', 'x', 100, ticket, 0)).toBe(true)
    expect(shelf.put('a', 'v', 'y', 200, ticket, 0)).toBe(true)
    expect(Object.fromEntries(look(shelf, 99).entries)).toEqual({ '': 'x', v: 'y' })
    expect(Object.fromEntries(look(shelf, 100).entries)).toEqual({ v: 'y' })
    expect(shelf.sweep(100)).toBe(200)
    expect(shelf.sweep(200)).toBe(null)
  })

  it('refuses a ticket from before a mark, from before a clearing, of another incarnation, and none at all', () => {
    const storage = memory()
    const shelf = openShelf<string>(storage, 'one')
    const before = look(shelf).ticket
    const mark = shelf.mark(['a'], 0)
    expect(shelf.put('a', '', 'old', 100, before, 0)).toBe(false)
    expect(look(shelf).ticket).toBe(null)
    expect(shelf.put('a', '', 'old', 100, null, 0)).toBe(false)
    const other = shelf.look('b', 0).ticket
    expect(shelf.put('a', '', 'old', 100, other, 0)).toBe(false)
    expect(shelf.put('b', '', 'new', 100, other, 0)).toBe(true)
    shelf.clear(['a'], mark)
    expect(shelf.put('a', '', 'old', 100, other, 0)).toBe(false)
    const again = look(shelf).ticket
    expect(openShelf<string>(storage, 'two').put('a', '', 'old', 100, again, 0)).toBe(false)
    expect(shelf.put('a', '', 'new', 100, again, 0)).toBe(true)
  })

  it('a mark outlives the incarnation, holds beside others, and lapses', () => {
    const storage = memory()
    const first = openShelf<string>(storage, 'one').mark(['a'], 0)
    const shelf = openShelf<string>(storage, 'two')
    shelf.mark([everything], 10)
    shelf.clear(['a'], first)
    expect(look(shelf, markMs - 1).ticket).toBe(null)
    expect(shelf.look('b', markMs + 9).ticket).toBe(null)
    expect(look(shelf, markMs + 10).ticket).not.toBe(null)
  })
})

/** A secret as the database has it; undefined when there is none. Versions only grow, whatever becomes of the secret. */
interface Truth {
  version: number
  secret: { sensitivity_level: SensitivityLevel; tags: string[]; app: string | null } | undefined
}

interface World {
  random(limit: number): number
  now: number
  shelf: Shelf<Truth>
  storage: Storage
  incarnation: number
  /** What the database has, at the level of the app and of the site. */
  levels: { app: Truth; site: Truth }
  /** The version of the last change that was acknowledged. */
  acknowledged: number
  version: number
}

/** What a read finds: the app's level before the site's, with the version of the newest change of either. */
const resolve = ({ levels, version }: World, app: boolean): Truth => ({ version, secret: (app && levels.app.secret) || levels.site.secret })

const key = 'K'

/** One who reads, and does each step when it is its turn. */
function* reader(world: World): Generator {
  const standing = (['anonymous', 'stranger', 'reader'] as Standing[])[world.random(3)] as Standing
  const app = world.random(2) === 0
  const variant = app ? 'app' : ''
  const since = world.acknowledged
  const { entries, ticket } = world.shelf.look(key, world.now)
  let found = entries.get(variant)
  yield
  if (!found) {
    found = resolve(world, app)
    yield
  }
  const verdict = decide(found.secret, standing, null)
  if (found.version < since) throw new Error(`a read saw version ${found.version}, after ${since} had been acknowledged`)
  if (verdict === 'show' && standing !== 'reader' && found.secret?.sensitivity_level !== 'public') throw new Error(`${standing} was shown a secret`)
  if (verdict === 'show' && found.secret?.sensitivity_level !== 'sensitive' && !entries.get(variant)) {
    world.shelf.put(key, variant, found, world.now + 300_000, ticket, world.now)
  }
}

/** One who changes something: makes, changes, deletes at a level; as another type, with another sensitivity; and may die in between. */
function* writer(world: World): Generator {
  const subjects = world.random(4) === 0 ? [everything] : [key]
  const mark = world.shelf.mark(subjects, world.now)
  const dies = world.random(8)
  if (dies === 0) return
  yield
  const level = world.random(2) === 0 ? world.levels.app : world.levels.site
  const sensitivity_level = (['public', 'private', 'sensitive'] as const)[world.random(3)] as SensitivityLevel
  world.version++
  level.secret = world.random(3) === 0 ? undefined : { sensitivity_level, tags: [], app: null }
  const { version } = world
  if (dies === 1) return
  yield
  world.shelf.clear(subjects, mark)
  world.acknowledged = Math.max(world.acknowledged, version)
}

/** A change that nobody marked, as of an app: heard when it was committed. */
function* app(world: World): Generator {
  world.version++
  world.levels.app.secret = undefined
  const { version } = world
  yield
  world.shelf.clear([everything])
  world.acknowledged = Math.max(world.acknowledged, version)
}

// biome-ignore lint/correctness/useYield: it does all it does at once
function* weather(world: World): Generator {
  if (world.random(3) === 0) world.shelf = openShelf(world.storage, `incarnation ${++world.incarnation}`)
  else if (world.random(2) === 0) world.shelf.sweep(world.now)
  else world.now += world.random(60_000)
}

describe('whatever happens in between', () => {
  it('no read is older than what was acknowledged before it began, and nobody is shown what is not for them: 10,000 interleavings', () => {
    const kinds = [reader, reader, reader, reader, writer, writer, app, weather]
    const property = fc.property(fc.infiniteStream(fc.nat()), fc.integer({ min: 5, max: 40 }), (numbers, length) => {
      const storage = memory()
      const world: World = {
        random: (limit) => (numbers.next().value as number) % limit,
        now: 0,
        storage,
        shelf: openShelf(storage, 'first'),
        incarnation: 0,
        levels: { app: { version: 0, secret: undefined }, site: { version: 0, secret: undefined } },
        acknowledged: 0,
        version: 0,
      }
      const running: Generator[] = []
      for (let steps = 0; steps < length * 3; steps++) {
        if (running.length < 6 && steps < length * 2) running.push((kinds[world.random(kinds.length)] as typeof reader)(world))
        if (running.length === 0) break
        const turn = world.random(running.length)
        if (running[turn]?.next().done) running.splice(turn, 1)
      }
    })
    fc.assert(property, { numRuns: 10_000 })
  })
})
