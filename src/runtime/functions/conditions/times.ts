/**
 * Functions on timestamps and durations where the CEL library lacks them or differs from the CEL
 * specification.
 */

/** A duration as the library represents it. */
export interface Span {
  seconds: bigint
  nanos: number
}

const nanosInSecond = 1_000_000_000n
const nanosInMillisecond = 1_000_000n
const nanosOf = ({ seconds, nanos }: Span): bigint => seconds * nanosInSecond + BigInt(nanos)

/** Formats a timestamp as RFC 3339 in UTC, with a fraction only if it has one. */
export const timestampText = (moment: Date): string => moment.toISOString().replace(/\.?0*Z$/, 'Z')

/** Returns the whole seconds since 1970, rounded down. */
export const timestampSeconds = (moment: Date): bigint => BigInt(Math.floor(moment.getTime() / 1000))

/** Formats a duration in seconds, for example `90s` or `-1.5s`. */
export function durationText(duration: Span): string {
  const nanos = nanosOf(duration)
  const absolute = nanos < 0n ? -nanos : nanos
  const fraction = String(absolute % nanosInSecond)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return `${nanos < 0n ? '-' : ''}${absolute / nanosInSecond}${fraction && `.${fraction}`}s`
}

/** Returns the milliseconds within the second, from 0 to 999. They are the same in every time zone. */
export const timestampMilliseconds = (moment: Date): bigint => BigInt(moment.getUTCMilliseconds())

/**
 * Returns the milliseconds beyond whole seconds. The other converters of durations return the whole duration.
 */
export const durationMilliseconds = (duration: Span): bigint =>
  (nanosOf(duration) % nanosInSecond) / nanosInMillisecond
