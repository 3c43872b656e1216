/** Reads dates and times as files write them: in ISO 8601, or in a pattern such as `%d.%m.%Y`. */
import { isDate, isDatetime, timeOfDay } from '../date-texts.ts'

const months = [
  'january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october',
  'november', 'december',
] // biome-ignore format: a list of names

/** Returns the number of a month by its name, or by the first three letters of it; 0 if there is none. */
function monthOf(written: string): string {
  const name = written
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^sept$/, 'sep')
  return String(months.findIndex((month) => month === name || month.slice(0, 3) === name) + 1)
}

/** The parts that a pattern finds in a text. */
interface Parts {
  year?: string
  month?: string
  day?: string
  hour?: string
  minute?: string
  second?: string
  fraction?: string
  half?: string
  zone?: string
  dayOfYear?: string
}

/** The directives of a pattern: the text that each matches, and its meaning. */
const directives: Record<string, [source: string, part?: keyof Parts, value?: (text: string) => string]> = {
  Y: ['\\d{4}', 'year'],
  y: ['\\d{2}', 'year', (text) => (Number(text) < 69 ? `20${text}` : `19${text}`)],
  m: ['\\d{1,2}', 'month'],
  d: ['\\d{1,2}', 'day'],
  e: [' ?\\d{1,2}', 'day', (text) => text.trim()],
  j: ['\\d{1,3}', 'dayOfYear'],
  b: ['[A-Za-z]{3,9}\\.?', 'month', monthOf],
  B: ['[A-Za-z]{3,9}', 'month', monthOf],
  a: ['[A-Za-z]{2,9}\\.?'],
  A: ['[A-Za-z]{3,9}'],
  H: ['\\d{1,2}', 'hour'],
  I: ['(?:0?[1-9]|1[0-2])', 'hour'],
  M: ['\\d{1,2}', 'minute'],
  S: ['\\d{1,2}', 'second'],
  f: ['\\d{1,6}', 'fraction'],
  p: ['[AaPp]\\.?[Mm]\\.?', 'half'],
  z: ['Z|[+-]\\d{2}:?\\d{2}', 'zone'],
  Z: ['Z|UTC|GMT', 'zone', () => 'Z'],
  '%': ['%'],
}
/** Directives that stand for several others. */
const shorthand: Record<string, string> = { F: '%Y-%m-%d', T: '%H:%M:%S', R: '%H:%M', D: '%m/%d/%y' }

/** The patterns of the format `any`. Ambiguous patterns are not included. */
const anyDate = [
  '%Y-%m-%d',
  '%Y/%m/%d',
  '%Y.%m.%d',
  '%d %b %Y',
  '%d-%b-%Y',
  '%b %d, %Y',
  '%b %d %Y',
  '%Y%m%d',
]
const anyTime = ['%H:%M', '%H:%M:%S', '%H:%M:%S.%f', '%I:%M %p', '%I:%M:%S %p']
const anyDatetime = anyDate.flatMap((date) =>
  ['%H:%M', '%H:%M:%S', '%H:%M:%S.%f'].flatMap((time) =>
    ['', '%z', ' %z', ' %Z'].flatMap((zone) => [`${date}T${time}${zone}`, `${date} ${time}${zone}`]),
  ),
)

type Reader = (text: string) => Parts | undefined
const compiled = new Map<string, Reader>()

/** Tells whether a format is a pattern whose directives are all known. */
export const isPattern = (format: string): boolean => {
  const found = [...format.matchAll(/%-?(.)/g)].map(([, letter = '']) => letter)
  return found.length > 0 && found.every((letter) => letter in directives || letter in shorthand)
}

/** Returns the letters of a pattern's directives. */
export const directivesOf = (pattern: string): ReadonlySet<string> =>
  new Set([...expand(pattern).matchAll(/%-?(.)/g)].map(([, letter = '']) => letter))

/** Tells whether directives specify a complete date. */
export const isFullDate = (letters: ReadonlySet<string>): boolean =>
  ['d', 'e', 'j'].some((letter) => letters.has(letter))

const expand = (pattern: string): string =>
  pattern.replace(/%([FTRD])/g, (_, letter: string) => shorthand[letter] ?? '')

/** Compiles a pattern of `strptime`. */
function compile(pattern: string): Reader {
  const known = compiled.get(pattern)
  if (known) return known
  const full = expand(pattern)
  const found: (typeof directives)[string][] = []
  let end = -1
  const source = full.replace(
    /%-?(.)|[.*+?^${}()|[\]\\]/g,
    (written: string, letter: string | undefined, at: number) => {
      const directive = letter === undefined ? undefined : directives[letter]
      if (!directive) return `\\${written}`
      found.push(directive)
      // Without a sign between them, numbers are told apart by their length.
      const isAlone = end !== at && full[at + written.length] !== '%'
      end = at + written.length
      return `(${isAlone ? directive[0] : directive[0].replace('{1,', '{')})`
    },
  )
  const expression = new RegExp(`^${source}$`)
  const reader: Reader = (text) => {
    const match = expression.exec(text)
    if (!match) return undefined
    const parts: Parts = {}
    for (const [index, [, part, value]] of found.entries()) {
      const matched = match[index + 1] ?? ''
      if (part) parts[part] = value ? value(matched) : matched
    }
    return parts
  }
  compiled.set(pattern, reader)
  return reader
}

const two = (text = '0'): string => text.padStart(2, '0')

function dateOf({ year, month, day, dayOfYear }: Parts): string | undefined {
  if (year === undefined) return undefined
  if (dayOfYear !== undefined) {
    const date = new Date(Date.UTC(Number(year), 0, Number(dayOfYear)))
    return date.getUTCFullYear() === Number(year) ? date.toISOString().slice(0, 10) : undefined
  }
  return month === undefined || day === undefined ? undefined : `${year}-${two(month)}-${two(day)}`
}

function timeOf({ hour, minute, second, fraction, half }: Parts): string {
  const isAfternoon = half !== undefined && /^p/i.test(half)
  const isOfHalf = half !== undefined && Number(hour) <= 12
  const clock = isOfHalf ? (Number(hour) % 12) + (isAfternoon ? 12 : 0) : Number(hour)
  if (half !== undefined && !isOfHalf) return ''
  return `${two(String(clock || 0))}:${two(minute)}:${two(second)}${fraction ? `.${fraction}` : ''}`
}

/** Returns an offset in the form of the service: `Z` or `+01:00`. */
const zoneOf = ({ zone }: Parts): string =>
  zone === undefined || /^[zZ]$/.test(zone) ? 'Z' : zone.replace(/^(.\d\d):?(\d\d)$/, '$1:$2')

/** Reads a text with the first pattern that matches. */
function read(text: string, patterns: readonly string[]): Parts | undefined {
  for (const pattern of patterns) {
    const parts = compile(pattern)(text)
    if (parts) return parts
  }
  return undefined
}

const isDefault = (format: string | undefined): boolean => format === undefined || format === 'default'
const patternsFor = (format: string | undefined, any: readonly string[]): readonly string[] =>
  format === 'any' ? any : [(format ?? '').replace(/^fmt:/, '')]

const only = (text: string | undefined, isOne: (text: string) => boolean): string | undefined =>
  text !== undefined && isOne(text) ? text : undefined

/** Returns a date as `2026-01-31`; undefined for a text of another form, and for a day that does not exist. */
export function readDate(written: string, format: string | undefined): string | undefined {
  const text = written.trim()
  if (isDefault(format)) return only(text, isDate)
  const parts = read(text, patternsFor(format, anyDate))
  return only(parts && dateOf(parts), isDate)
}

/** Returns a time of day as `18:30:00`; undefined for a text of another form. */
export function readTime(written: string, format: string | undefined): string | undefined {
  const text = written.trim()
  const isTime = (time: string) => timeOfDay.test(time)
  if (isDefault(format)) return only(text, isTime)
  const parts = read(text, patternsFor(format, anyTime))
  return parts?.hour === undefined ? undefined : only(timeOf(parts), isTime)
}

/**
 * Returns an instant as `2026-01-31T18:30:00Z`; undefined for a text of another form. Without a zone it is
 * UTC.
 */
export function readDatetime(written: string, format: string | undefined): string | undefined {
  const text = written.trim()
  if (isDefault(format)) return only(readIso(text), isDatetime)
  const parts = read(text, patternsFor(format, [...anyDatetime, ...anyDate]))
  const date = parts && dateOf(parts)
  return only(date && parts ? `${date}T${timeOf(parts)}${zoneOf(parts)}` : undefined, isDatetime)
}

/** Reads ISO 8601, with a space instead of the T, and with an offset of four digits. */
function readIso(text: string): string | undefined {
  const [, date, time, zone = 'Z'] =
    /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?) ?([zZ]|[+-]\d{2}(?::?\d{2})?)?$/.exec(
      text,
    ) ?? []
  if (date === undefined || time === undefined) return undefined
  if (/^[zZ]$/.test(zone)) return `${date}T${time}Z`
  const [, hours, minutes = '00'] = /^(.\d\d):?(\d\d)?$/.exec(zone) ?? []
  return `${date}T${time}${hours}:${minutes}`
}
