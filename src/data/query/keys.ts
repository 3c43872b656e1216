/** Primary keys as text: in the path of a record, and in lists of keys. R7. */
import { join, type Sql, sql } from '../../db/sql.ts'
import { shown } from '../../lib/shown.ts'
import type { Table } from '../datatables/table.ts'
import type { Problems } from './problems.ts'

/** What stands between two commas. */
interface Part {
  /** As it was sent. */
  raw: string
  /** Without its quotes, where it has them. */
  text: string
  isQuoted: boolean
}

/** A part in double quotes, in which quotes are doubled; or one that does not begin with a quote. */
const part = /"([^"]*(?:""[^"]*)*)"(?=,|$)|((?:[^",][^,]*)?)(?=,|$)/y

/** Splits a text at its commas, as a line of CSV. Returns undefined if a quote is not closed, or a closing one is not the end of its part. */
function split(text: string): Part[] | undefined {
  const parts: Part[] = []
  for (let start = 0; start <= text.length; ) {
    part.lastIndex = start
    const [raw, quoted, plain = ''] = part.exec(text) ?? []
    if (raw === undefined) return undefined
    parts.push({ raw, text: quoted?.replace(/""/g, '"') ?? plain, isQuoted: quoted !== undefined })
    start += raw.length + 1
  }
  return parts
}

/**
 * Returns the values to bind of a key in a path, in the order of the primary key; undefined if it can be no key of the
 * table. The key of a single field is the whole text, commas included, unless all of the text is one quoted part.
 */
export function keyValues(table: Table, id: string): string[] | undefined {
  const parts = split(id)
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
 * Returns the keys of a parameter that lists them. A key of several fields takes as many parts. Adds to the problems
 * what is no key; an empty part is one only if it is quoted.
 */
export function listedKeys(table: Table, parameter: string, lists: readonly string[], problems: Problems): string[][] {
  const parts = splitLists(parameter, lists, problems)
  const width = table.primaryKey.length
  const keys: string[][] = []
  for (let start = 0; start < parts.length; start += width) {
    const own = parts.slice(start, start + width)
    const key = own.some(({ text, isQuoted }) => text === '' && !isQuoted) ? undefined : valuesOf(table, own)
    if (key) keys.push(key)
    else problems.add(parameter, `${JSON.stringify(own.map(({ raw }) => raw).join(','))} is no id of "${table.name}".`)
  }
  return keys
}

/** Returns all parts of all lists; a list that cannot be split is a problem. */
export const splitLists = (parameter: string, lists: readonly string[], problems: Problems): Part[] =>
  lists.flatMap((list) => {
    const parts = split(list)
    if (!parts) problems.add(parameter, `${shown(list)} has a quote out of place. A part that has a comma or a quote is written as "a,""b""".`)
    return parts ?? []
  })

/** Returns a key as it is written in paths and lists. A key of one part reads as itself unless it is empty, has a comma or begins with a quote. */
export function writtenKey(parts: readonly string[]): string {
  const needsQuotes = parts.length === 1 ? /^"|,|^$/ : /[",]|^$/
  return parts.map((text) => (needsQuotes.test(text) ? `"${text.replace(/"/g, '""')}"` : text)).join(',')
}

/** The same as an expression. See migrations/tenant/functions/written_key.sql. */
export const writtenKeySql = (parts: readonly Sql[]): Sql => sql`tessera.written_key(array[${join(parts)}])`
