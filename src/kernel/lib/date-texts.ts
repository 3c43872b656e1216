/** Parses dates, times and instants from the API, and makes keys that sort like them. */

const date = /^\d{4}-\d{2}-\d{2}$/
/** A time of day. Seconds are optional, with up to six decimal digits. */
export const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?$/
const offset = /^(?:z|[+-](?:0\d|1[0-4]):[0-5]\d)?$/i

/** The days of each month, from January. */
const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Tells whether a text is a date of the calendar, such as `2026-01-31`, in the years 1 to 9999. */
export function isDate(text: string): boolean {
  if (!date.test(text)) return false
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))]
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = month === 2 && isLeap ? 29 : (monthDays[month - 1] ?? 0)
  return year >= 1 && day >= 1 && day <= days
}

/**
 * Tells whether a text is an instant as in RFC 3339, or with a space instead of the `T`. A text without an
 * offset is in UTC.
 */
export function isDatetime(text: string): boolean {
  if (!isDate(text.slice(0, 10)) || !/^[Tt ]$/.test(text.charAt(10))) return false
  const rest = text.slice(11)
  const zoneAt = rest.search(/[zZ+-]/)
  const clock = zoneAt === -1 ? rest : rest.slice(0, zoneAt)
  if (!timeOfDay.test(clock) || !offset.test(zoneAt === -1 ? '' : rest.slice(zoneAt))) return false
  // In the first and the last year, the offset can move the time out of the years 1 to 9999.
  if (!text.startsWith('0001') && !text.startsWith('9999')) return true
  const year = new Date(Number(instantKey(text) / 1000n)).getUTCFullYear()
  return year >= 1 && year <= 9999
}

/** Returns microseconds since 1970. */
export function instantKey(text: string): bigint {
  const [, start, fraction = '', zone = 'Z'] =
    /^(.{10}.\d\d:\d\d(?::\d\d)?)(?:\.(\d+))?(.+)?$/.exec(text) ?? []
  const seconds = Date.parse(`${start?.replace(/^(.{10})./, '$1T')}${zone.toUpperCase()}`)
  return BigInt(seconds) * 1000n + BigInt(fraction.padEnd(6, '0'))
}

/** Returns one spelling for equal times of day: `18:30` and `18:30:00.0` are both `18:30:00`. */
export const timeKey = (text: string): string =>
  `${text}${text.length === 5 ? ':00' : ''}`.replace(/\.?0*$/, (zeros) =>
    zeros.startsWith('.') ? '' : zeros,
  )
