/** Reads values as files write them: the one reader of numbers, dates, times and truth values. */
import { wholeDigits } from '../exact-json.ts'
import { readDate, readDatetime, readTime } from './dates.ts'
import { describeForm, type Form } from './form.ts'
import { readNumber } from './numbers.ts'

/**
 * A text that was read: a number as JSON, another value, or the problem as the end of a sentence that begins
 * with the text. `hint` says how the schema of a file can allow it, with a space before it, or is empty.
 */
export type Reading = { number: string } | { value: string | boolean } | { problem: string; hint: string }

type Read = (text: string, form: Form) => Reading

const number: Read = (text, form) => {
  const json = readNumber(text, form)
  if (json !== undefined) return { number: json }
  if (/^[+-]?(?:nan|inf(?:inity)?)$/i.test(text.trim()))
    return { problem: 'cannot be stored.', hint: ' Add it to "missingValues" to load it as no value.' }
  return { problem: `is not a number${formText(form)}.`, hint: numberHint(text, form) }
}

const integer: Read = (text, form) => {
  const json = readNumber(text, form)
  const digits = json === undefined ? undefined : wholeDigits(json)
  if (digits !== undefined) return { number: digits }
  const hint = json === undefined ? numberHint(text, form) : ' The type of its field could be "number".'
  return { problem: `is not a whole number${formText(form)}.`, hint }
}

const formText = ({ decimalChar, groupChar }: Form): string => {
  const described = describeForm({
    ...(decimalChar === undefined ? {} : { decimalChar }),
    ...(groupChar === undefined ? {} : { groupChar }),
  })
  return described && ` with ${described}`
}

/** Suggests a setting for a number that is written with commas, a unit or a percent sign. */
function numberHint(text: string, { groupChar, decimalChar, bareNumber }: Form): string {
  if (text.includes(',') && groupChar === undefined && decimalChar === undefined)
    return (
      ' If the comma separates thousands, set "groupChar": "," of the field; if decimals, "decimalChar": ' +
      '",".'
    )
  if (/^\D{0,3}[\d.,]+[^\d.,]{1,4}$|^[^\d.,+-]{1,3}[\d.,]+$/.test(text.trim()) && bareNumber !== false)
    return ' If the number has a unit, set "bareNumber": false for the field.'
  return ''
}

/** The usual words. */
const usual = { yes: ['true', 'True', 'TRUE', '1'], no: ['false', 'False', 'FALSE', '0'] }

const boolean: Read = (text, { trueValues = usual.yes, falseValues = usual.no }) => {
  const word = text.trim()
  if (trueValues.includes(word)) return { value: true }
  if (falseValues.includes(word)) return { value: false }
  return {
    problem: `is neither ${trueValues.join(', ')} nor ${falseValues.join(', ')}.`,
    hint: ' Other words are named by "trueValues" and "falseValues" of the field.',
  }
}

/** Suggests the type for a text without a day. */
const partOfDate = (text: string): string | undefined =>
  /^\d{4}(?:-\d{2})?$/.test(text.trim())
    ? ` It has no day: declare the type "${text.includes('-') ? 'yearmonth' : 'year'}".`
    : undefined

const dated =
  (
    read: (text: string, format: string | undefined) => string | undefined,
    what: string,
    example: string,
  ): Read =>
  (text, { format }) => {
    const value = read(text, format)
    if (value !== undefined) return { value }
    const isUsual = format === undefined || format === 'default'
    const wanted = isUsual ? `, for example ${example}` : ` of the format ${format}`
    const hint = isUsual ? ' Another form is named by the "format" of the field, for example "%d.%m.%Y".' : ''
    return { problem: `is not ${what}${wanted}.`, hint: partOfDate(text) ?? hint }
  }

const readers: Readonly<Record<string, Read>> = {
  integer,
  year: integer,
  number,
  boolean,
  date: dated(readDate, 'a date', '2026-01-31'),
  time: dated(readTime, 'a time of day', '18:30:00'),
  datetime: dated(readDatetime, 'a date and time', '2026-01-31T18:30:00Z'),
}

/** Reads a text as a value of a type. Returns undefined for a type whose values are texts or JSON. */
export const readWritten = (type: string, text: string, form: Form): Reading | undefined =>
  readers[type]?.(text, form)
