/** Time zones by name: whether a zone exists, and at which instant a day begins in it. */
import { IsolateCache } from './isolate-cache.ts'

const zoneName = /^[A-Za-z][A-Za-z0-9_+/-]*$/

const clocks = new IsolateCache<Intl.DateTimeFormat>('time_zones', { bytesOf: () => 20_000 })

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

/** Abbreviations, apart from those that mean the same zone to everybody. */
const abbreviation = /^(?!(?:UTC|UCT|GMT|EST|HST|MST|PRC|ROC|ROK)$)[A-Z]{3}$/i

/**
 * Tells whether a name means the same zone here and in Postgres, which takes abbreviations for fixed offsets:
 * there, `CET` has no summer time, and `IST` is Israel.
 */
export const isCommonZone = (timeZone: string): boolean => !abbreviation.test(timeZone) && isZone(timeZone)

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

/** Returns the instants at which a clock in the zone shows a local time, in order: none, one or two. */
export function instantsOf(timeZone: string, local: number): number[] {
  const instants = around(timeZone, local).filter((instant) => localTime(timeZone, instant) === local)
  return [...new Set(instants)]
}

/**
 * Returns the instant at which a clock in the zone first shows a local time, or jumps over it. Both are in
 * milliseconds since 1970.
 */
export function instantOf(timeZone: string, local: number): number {
  const [first] = instantsOf(timeZone, local)
  if (first !== undefined) return first
  // The clock is put forward over this time, so the result is the moment when that happens.
  const [low, high] = around(timeZone, local)
  return firstOf(low, high, (instant) => localTime(timeZone, instant) >= local)
}

/** Returns the local time as an instant, by the offsets before and after it, in order. */
function around(timeZone: string, local: number): [number, number] {
  const offsetAt = (instant: number) => localTime(timeZone, instant) - instant
  const [before, after] = [local - offsetAt(local - dayMs), local - offsetAt(local + dayMs)]
  return [Math.min(before, after), Math.max(before, after)]
}

/**
 * Returns when the clock is set back within a day after an instant, and the local time that it shows then;
 * undefined if it is not.
 */
export function setBack(timeZone: string, after: number): { instant: number; local: number } | undefined {
  const offsetAt = (instant: number) => localTime(timeZone, instant) - instant
  const offset = offsetAt(after)
  if (offsetAt(after + dayMs) >= offset) return undefined
  const instant = firstOf(after, after + dayMs, (each) => offsetAt(each) < offset)
  return { instant, local: localTime(timeZone, instant) }
}

/** Returns the first instant after `low` that meets a condition, which `high` and all between meet. */
function firstOf(low: number, high: number, isMet: (instant: number) => boolean): number {
  let [before, found] = [low, high]
  while (found - before > 1) {
    const middle = Math.floor((before + found) / 2)
    if (isMet(middle)) found = middle
    else before = middle
  }
  return found
}
