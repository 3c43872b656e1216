/** Which values of a write are too long for an index. Postgres names the index at most. */
import type { DatabaseFailure } from '../../db/failures.ts'
import { utf8Length } from '../../db/sql.ts'
import { numberText } from '../../lib/exact-json.ts'
import type { Table } from '../datatables/table.ts'
import { constraintsOf, indexesOf, searchOf, type TableObject } from '../providers/ddl/objects.ts'
import { placeOf, type RecordsBody } from './body.ts'
import type { Details } from './messages.ts'

/** How many bytes an entry of a B-tree has at most, less its head. What compresses may be longer. */
const entryBytesMax = 2_600
/** The words of what is searched in one record, with their positions. */
const searchedBytesMax = 1_000_000

/** The fields of the longest entry, with what is wrong; undefined if no value of the body is that long. */
export function tooLongForIndex({ constraint }: DatabaseFailure, table: Table, body: RecordsBody): Details | undefined {
  const all = [...constraintsOf(table), ...indexesOf(table), ...searchOf(table)].filter(({ kind }) => kind !== 'check')
  const named = all.filter(({ name }) => name === constraint)
  const entries = (named.length > 0 ? named : all).flatMap((object) =>
    body.records.map((record, index) => ({ object, index, record, bytes: entryBytes(object, record) })),
  )
  const longest = entries.reduce<(typeof entries)[number] | undefined>((a, b) => (a && excess(a) >= excess(b) ? a : b), undefined)
  if (!longest || excess(longest) <= 0) return undefined
  const { object, record, index } = longest
  const share = Math.max(...object.fields.map((name) => bytesOf(record[name]))) / 2
  const message = `${placeOf(body, index)}${messages[object.kind === 'search' ? 'search' : 'index']}`
  return Object.fromEntries(object.fields.filter((name) => bytesOf(record[name]) >= share).map((name) => [name, [message]]))
}

/** For the fields of an edge, too. */
export const messages = {
  index: `The value is too long for an index: it has room for about ${entryBytesMax} bytes.`,
  search: 'The text is too long to be searched: about a megabyte is possible.',
}

const excess = ({ object, bytes }: { object: TableObject; bytes: number }): number =>
  bytes - (object.kind === 'search' ? searchedBytesMax : entryBytesMax)

const entryBytes = ({ fields }: TableObject, record: RecordsBody['records'][number]): number =>
  fields.reduce((sum, name) => sum + bytesOf(record[name]), 0)

/** About as many as the value takes in an index. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return utf8Length(value)
  return (numberText(value)?.length ?? 0) / 2
}
