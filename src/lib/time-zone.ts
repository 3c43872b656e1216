/** Time zones by name: whether a zone exists, and at which instant a day begins in it. */
import { LruCache } from './lru-cache.ts'

const zoneName = /^[A-Za-z][A-Za-z0-9_+/-]*$/

const clocks = new LruCache<string, Intl.DateTimeFormat>(50)

/** Returns the clock of a zone; undefined if the zone does not exist. */
function clockOf(timeZone: string): Intl.DateTimeFormat | undefined {
  if (!zoneName.test(timeZone)) return undefined
  const known = clocks.get(timeZone)
  if (known) return known
  try {
    const parts = { year: 'numeric', month: 'numeric', day: 'numeric' } as const
    const time = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const
    const clock = new Intl.DateTimeFormat('en', { timeZone, ...parts, ...time })
    clocks.set(timeZone, clock)
    return clock
  } catch {
    return undefined
  }
}

/** Tells whether a zone has this name. */
export const isZone = (timeZone: string): boolean => clockOf(timeZone) !== undefined

/** Returns the local time in the zone at a point in time, in milliseconds since 1970 as if it were UTC. */
export function localTime(timeZone: string, instant: number): number {
  const clock = clockOf(timeZone)
  if (!clock) throw new RangeError(`not a time zone: ${timeZone}`)
  const parts = new Map(clock.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
  const date = [part('year'), part('month') - 1, part('day')] as const
  const milliseconds = ((instant % 1000) + 1000) % 1000
  return Date.UTC(...date, part('hour'), part('minute'), part('second')) + milliseconds
}

const dayMs = 86_400_000

/**
 * Returns the instant at which a clock in the zone first shows a local time, or jumps over it. Both are in
 * milliseconds since 1970.
 */
export function instantOf(timeZone: string, local: number): number {
  const offsetAt = (instant: number) => localTime(timeZone, instant) - instant
  const [before, after] = [local - offsetAt(local - dayMs), local - offsetAt(local + dayMs)]
  for (const instant of [Math.min(before, after), Math.max(before, after)])
    if (localTime(timeZone, instant) === local) return instant
  // The clock is put forward over this time, so the result is the moment when that happens.
  let [low, high] = [Math.min(before, after), Math.max(before, after)]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (localTime(timeZone, middle) < local) low = middle
    else high = middle
  }
  return high
}
