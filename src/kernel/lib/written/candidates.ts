/** The forms that a column may have, in the order of preference. The usual form is the first. */
import { readDate, readDatetime } from './dates.ts'
import type { Form } from './form.ts'
import { readWritten } from './read-written.ts'

const usual: Form = {}

/** Forms of numbers. Without groups comes first: it is the simpler form of the same values. */
const numbers: readonly Form[] = [
  usual,
  ...[',', ' ', "'"].map((groupChar) => ({ groupChar })),
  ...[undefined, '.', ' ', "'"].map((groupChar) => ({
    decimalChar: ',',
    ...(groupChar === undefined ? {} : { groupChar }),
  })),
]

const dates = [
  '%Y/%m/%d',
  '%Y.%m.%d',
  '%d.%m.%Y',
  '%d/%m/%Y',
  '%m/%d/%Y',
  '%d-%m-%Y',
  '%m-%d-%Y',
  '%d.%m.%y',
  '%d/%m/%y',
  '%m/%d/%y',
  '%d %b %Y',
  '%d. %b %Y',
  '%d-%b-%Y',
  '%d-%b-%y',
  '%b %d, %Y',
  '%b %d %Y',
  '%Y%m%d',
]
const times = ['%H:%M', '%H:%M:%S', '%H:%M:%S.%f', '%I:%M %p', '%I:%M:%S %p', '%I:%M%p', '%I:%M:%S%p']
const zones = ['', '%z', ' %z', ' %Z']

const inFormats = (formats: readonly string[]): Form[] => [usual, ...formats.map((format) => ({ format }))]

/** The date and the time of a text, and what stands between them. */
const moment = /^(.*?\d)(,? +|T)(\d{1,2}:\d{2}.*)$/s

/** Returns the forms of a date with a time that may fit a text. */
function datetimesLike(text: string): Form[] {
  const [, date = text, between = '', time = ''] = moment.exec(text.trim()) ?? []
  const formats = ['%Y-%m-%d', ...dates].filter((format) => readDate(date, format) !== undefined)
  const ends = time === '' ? [''] : times.flatMap((format) => zones.map((zone) => format + zone))
  return inFormats(
    formats.flatMap((format) =>
      ends
        .map((end) => `${format}${between}${end}`)
        .filter((whole) => readDatetime(text, whole) !== undefined),
    ),
  )
}

/** The words for true and false in several languages. */
const words: readonly (readonly [yes: string, no: string])[] = [
  ['yes', 'no'],
  ['y', 'n'],
  ['t', 'f'],
  ['on', 'off'],
  ['ja', 'nein'],
  ['ja', 'nee'],
  ['j', 'n'],
  ['oui', 'non'],
  ['o', 'n'],
  ['vrai', 'faux'],
  ['wahr', 'falsch'],
  ['sí', 'no'],
  ['si', 'no'],
  ['s', 'n'],
  ['sim', 'não'],
  ['verdadero', 'falso'],
]
const spellings = (word: string): string[] => [
  word,
  word.charAt(0).toUpperCase() + word.slice(1),
  word.toUpperCase(),
]
const booleans: readonly Form[] = [
  usual,
  ...words.map(([yes, no]) => ({ trueValues: spellings(yes), falseValues: spellings(no) })),
]

/** The types whose values are written in several forms, each with the forms that may fit a text. */
const byType: Readonly<Record<string, (text: string) => readonly Form[]>> = {
  integer: () => numbers,
  year: () => [usual],
  number: () => numbers,
  boolean: () => booleans,
  date: () => inFormats(dates),
  time: () => inFormats(times),
  datetime: datetimesLike,
}

/**
 * Returns the forms of a type that may fit a text; none if its values are texts or JSON. `format` is one more
 * format of dates and times.
 */
export function candidatesFor(type: string, text: string, format?: string): readonly Form[] {
  const forms = byType[type]?.(text) ?? []
  const isKnown = format === undefined || forms.some((form) => form.format === format)
  return isKnown || !datedTypes.has(type) ? forms : [...forms, { format }]
}

const datedTypes: ReadonlySet<string> = new Set(['date', 'time', 'datetime'])

/** Returns what a form reads in a text; undefined if the text is not in this form. */
export function readIn(type: string, text: string, form: Form): string | boolean | undefined {
  // Two numbers such as 3:1 are a ratio.
  if (type === 'time' && !/^\s*\d{1,2}:\d\d/.test(text)) return undefined
  const reading = readWritten(type, text, form)
  if (!reading || 'problem' in reading) return undefined
  return 'number' in reading ? reading.number : reading.value
}
