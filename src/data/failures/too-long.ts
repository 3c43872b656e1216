/** Finds the values of a write that are too long for an index. Postgres names the index at best. */
import type { DatabaseFailure } from '../../kernel/db/failures.ts'
import { utf8Length } from '../../kernel/db/sql.ts'
import { numberText } from '../../kernel/lib/exact-json.ts'
import type { ProblemDetails } from '../../kernel/lib/problem-list.ts'
import { namedValue, namesOf } from '../model/property.ts'
import type { Table } from '../model/table.ts'
import { exclusionsOf } from '../providers/ddl/exclusion-objects.ts'
import { constraintsOf, indexesOf, type TableObject } from '../providers/ddl/objects.ts'
import { searchOf } from '../providers/ddl/search-objects.ts'
import { type RecordsBody, recordPrefix } from './body.ts'

/** The most bytes of a B-tree entry without its header. Compressible values may be longer. */
const entryBytesMax = 2_600
/**
 * The most bytes of searched texts that can always be searched. Postgres allows a megabyte for the different
 * words with their positions, which take up to twice as much as the text.
 */
const searchedBytesMax = 400_000

/** Returns messages for the fields of the longest entry; undefined if no value of the body is that long. */
export function tooLongForIndex(
  { constraint }: DatabaseFailure,
  table: Table,
  body: RecordsBody,
): ProblemDetails | undefined {
  const objects = [...constraintsOf(table), ...exclusionsOf(table), ...indexesOf(table), ...searchOf(table)]
  const all = objects.filter(({ kind }) => kind !== 'check')
  const named = all.filter(({ name }) => name === constraint)
  const entries = (named.length > 0 ? named : all).flatMap((object) =>
    body.records.map((record, index) => ({
      object,
      index,
      record,
      bytes: entryBytes(table, object, record),
    })),
  )
  const longest = entries.reduce<(typeof entries)[number] | undefined>(
    (a, b) => (a && excess(a) >= excess(b) ? a : b),
    undefined,
  )
  if (!longest || excess(longest) <= 0) return undefined
  const { object, record, index } = longest
  const parts = valuesOf(table, object, record)
  const share = Math.max(...parts.map(({ bytes }) => bytes)) / 2
  const message = `${recordPrefix(body, index)}${messages[object.isOfSearch ? 'search' : 'index']}`
  return Object.fromEntries(
    parts.filter(({ bytes }) => bytes >= share).map(({ field }) => [field, [message]]),
  )
}

/** The messages for a value in an index and in the search. */
export const messages = {
  index: `The value is too long for an index, which takes about ${entryBytesMax} bytes.`,
  search: 'The text is too long to be searched: the limit is about a megabyte.',
}

const excess = ({ object, bytes }: { object: TableObject; bytes: number }): number =>
  bytes - (object.isOfSearch ? searchedBytesMax : entryBytesMax)

type Record = RecordsBody['records'][number]

const entryBytes = (table: Table, object: TableObject, record: Record): number =>
  valuesOf(table, object, record).reduce((sum, { bytes }) => sum + bytes, 0)

/** Returns the length in bytes of each value of an entry, with its field. */
const valuesOf = (table: Table, { fields, indexed = fields }: TableObject, record: Record) =>
  indexed.flatMap((name) => {
    const value = namedValue(name, table.fields)
    if ('problem' in value) return []
    const { field, inside } = value
    return { field, bytes: bytesOf(namesOf(inside).reduce(memberOf, record[field])) }
  })

const memberOf = (value: unknown, name: string): unknown => {
  if (Array.isArray(value)) return value.at(Number(name))
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined
}

/** Returns the approximate number of bytes of a value in an index. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return utf8Length(value)
  return (numberText(value)?.length ?? 0) / 2
}
