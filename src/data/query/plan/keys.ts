/**
 * Reads and writes primary keys as text: in the path of a record, and in lists of a query string. JSON
 * carries keys as plain values. R7, R17.
 */
import { quoteValue } from '../../../kernel/lib/quote-value.ts'
import { quotedAt } from '../../../kernel/lib/quoted.ts'
import type { Table } from '../../model/table.ts'
import type { Problems } from '../problems.ts'

/** A text between two commas. */
interface Part {
  /** As sent. */
  raw: string
  /** Without quotes. */
  text: string
  isQuoted: boolean
}

/**
 * Splits a text at its commas, like a line of CSV. Returns undefined if a quote is not closed at the end of
 * its part.
 */
export function splitList(text: string): Part[] | undefined {
  const parts: Part[] = []
  for (let start = 0; start <= text.length; ) {
    const isQuoted = text[start] === '"'
    const quoted = isQuoted ? quotedAt(text, start) : undefined
    const comma = text.indexOf(',', quoted?.end ?? start)
    const end = comma === -1 ? text.length : comma
    const raw = text.slice(start, end)
    if (isQuoted && quoted?.end !== end) return undefined
    parts.push({ raw, text: quoted?.value ?? raw, isQuoted })
    start = end + 1
  }
  return parts
}

/**
 * Returns the values to bind for a key in a path, in the order of the primary key; undefined if no record can
 * have the key. For a key of one field the whole text counts, commas included, unless it is one quoted part.
 */
export function parseKey(table: Table, id: string): string[] | undefined {
  const parts = splitList(id)
  if (table.primaryKey.length > 1) return parts && valuesOf(table, parts)
  const [only] = parts?.length === 1 ? parts : [{ text: id }]
  return only && valuesOf(table, [only])
}

function valuesOf({ primaryKey }: Table, parts: readonly Pick<Part, 'text'>[]): string[] | undefined {
  if (parts.length !== primaryKey.length) return undefined
  const values = primaryKey.flatMap((field, position) => field.type.parse(parts[position]?.text ?? '') ?? [])
  return values.length === parts.length ? values : undefined
}

/**
 * Returns the keys that a parameter lists. A key of several fields takes as many parts; an empty part must be
 * quoted. Adds a problem for every text that cannot be a key.
 */
export function parseKeyList(
  table: Table,
  parameter: string,
  lists: readonly string[],
  problems: Problems,
): string[][] {
  const parts = splitLists(parameter, lists, problems)
  const width = table.primaryKey.length
  const keys: string[][] = []
  for (let start = 0; start < parts.length; start += width) {
    const own = parts.slice(start, start + width)
    const key = own.some(({ text, isQuoted }) => text === '' && !isQuoted) ? undefined : valuesOf(table, own)
    if (key) keys.push(key)
    else
      problems.add(
        parameter,
        `${JSON.stringify(own.map(({ raw }) => raw).join(','))} is not a valid id of "${table.name}".`,
      )
  }
  return keys
}

/** Returns all parts of all lists. Adds a problem for every list that cannot be split. */
export const splitLists = (parameter: string, lists: readonly string[], problems: Problems): Part[] =>
  lists.flatMap((list) => {
    const parts = splitList(list)
    if (!parts) problems.add(parameter, misplacedQuote(list))
    return parts ?? []
  })

/** Returns the message for a list that cannot be split. */
export const misplacedQuote = (list: string): string =>
  `${quoteValue(list)} has a misplaced quote. Quote values with commas or quotes, for example "a,""b""".`

/**
 * Returns a key as paths and lists write it. A key of one part is quoted only if it is empty, contains a
 * comma or begins with a quote.
 */
export function formatKey(parts: readonly string[]): string {
  const needsQuotes = parts.length === 1 ? /^"|,|^$/ : /[",]|^$/
  return parts.map((text) => (needsQuotes.test(text) ? `"${text.replace(/"/g, '""')}"` : text)).join(',')
}
