/** Functions on timestamps and durations for filter conditions that the library lacks, or has otherwise than the CEL specification. */

/** What the library has for a duration. */
export interface Span {
  seconds: bigint
  nanos: number
}

const nanosInSecond = 1_000_000_000n
const nanosInMillisecond = 1_000_000n
const nanosOf = ({ seconds, nanos }: Span): bigint => seconds * nanosInSecond + BigInt(nanos)

/** RFC 3339, in UTC; with a fraction where there is one. */
export const timestampText = (moment: Date): string => moment.toISOString().replace(/\.?0*Z$/, 'Z')

/** Whole seconds since 1970, rounded down. */
export const timestampSeconds = (moment: Date): bigint => BigInt(Math.floor(moment.getTime() / 1000))

/** Seconds, as `90s` and `-1.5s`. */
export function durationText(duration: Span): string {
  const nanos = nanosOf(duration)
  const absolute = nanos < 0n ? -nanos : nanos
  const fraction = String(absolute % nanosInSecond)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return `${nanos < 0n ? '-' : ''}${absolute / nanosInSecond}${fraction && `.${fraction}`}s`
}

/** From 0 to 999; in whatever zone. */
export const timestampMilliseconds = (moment: Date): bigint => BigInt(moment.getUTCMilliseconds())

/** What is left of whole seconds: the other converters of durations take them whole. */
export const durationMilliseconds = (duration: Span): bigint => (nanosOf(duration) % nanosInSecond) / nanosInMillisecond
