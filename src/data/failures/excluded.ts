/** Finds the record of a body that another record excludes, in the text of Postgres's failure. D19. */
import type { DatabaseFailure } from '../../kernel/db/failures.ts'
import type { AppError } from '../../kernel/errors.ts'
import type { Bounds, ExclusionSchema, RangePair } from '../model/exclusion-form.ts'
import { comparedBy } from '../model/exclusions.ts'
import type { NamedConstraint } from '../model/named-constraints.ts'
import type { Table } from '../model/table.ts'
import { baseOf } from '../model/types.ts'
import { type JsonRecord, type RecordsBody, recordPrefix } from './body.ts'
import { recordExcluded } from './exclusion-errors.ts'
import { spelled } from './failed-key.ts'

/** Which record of a body is excluded, and whether another record of the body excludes it. */
interface Excluded {
  /** The beginning of the message: `rows[3]: `, or '' if the record is not known. */
  where: string
  isByRequest: boolean
}

/** The values of a record in an exclusion, as Postgres prints them. */
interface Printed {
  equal: string
  ranges: readonly (readonly [from: string, to: string])[]
}

const separator = ' conflicts with existing key ('
const aRange = '[[(]"?([^",]*)"?,"?([^",]*?)"?[\\])]'

/** Reads the values of the excluded record, and of the record that excludes it. */
function printedValues({ detail = '' }: DatabaseFailure, ranges: number): Printed[] {
  // A text with these words stands as often before as after the place that is meant.
  const parts = detail.slice(0, -1).split(separator)
  const halves = [parts.slice(0, parts.length / 2), parts.slice(parts.length / 2)]
  const values = new RegExp(`^(?:(.*), )?(${Array(ranges).fill(aRange).join(', ')})\\)$`, 's')
  return halves.flatMap((half) => {
    const text = half.join(separator)
    const found = values.exec(text.slice(text.indexOf(')=(') + ')=('.length))
    if (!found) return []
    const [, equal = '', , ...ends] = found
    const pairs = Array.from({ length: ranges }, (_, at): [string, string] => [
      ends[2 * at] ?? '',
      ends[2 * at + 1] ?? '',
    ])
    return [{ equal, ranges: pairs }]
  })
}

/** Returns the error for a failure of an exclusion. */
export function excludedError(
  failure: DatabaseFailure,
  table: Table,
  { fields, exclusion }: NamedConstraint,
  body: RecordsBody,
): AppError | undefined {
  if (!exclusion) return undefined
  const { where, isByRequest } = excludedIn(failure, table, exclusion, body)
  return recordExcluded({ exclusion, fields, where, isByRequest })
}

/** Returns which record of a body an exclusion refuses. */
function excludedIn(
  failure: DatabaseFailure,
  table: Table,
  exclusion: ExclusionSchema,
  body: RecordsBody,
): Excluded {
  const { equal, ranges } = comparedBy(table.schema, exclusion)
  const [own, other] = printedValues(failure, ranges.length)
  if (!own || !other) return { where: '', isByRequest: false }
  const types = equal.map((name) => table.fields.get(name)?.type)
  const hasEqual = (record: JsonRecord, printed: string) => {
    const sent = equal.map((name) => record[name])
    const parts = equal.length === 1 ? [printed] : printed.split(', ')
    const wanted = parts.length === equal.length ? spelled(types, parts) : printed
    return sent.includes(undefined) ? undefined : spelled(types, sent) === wanted
  }
  const isOf = (record: JsonRecord, printed: Printed): boolean | undefined =>
    allOf([
      hasEqual(record, printed.equal),
      ...ranges.map((pair, at) =>
        hasRange(table, record, pair, printed.ranges[at] ?? ['', ''], exclusion.bounds),
      ),
    ])
  const places = [...body.records.keys()]
  const isAt = (place: number, printed: Printed) => isOf(body.records[place] ?? {}, printed)
  const holders = places.filter((place) => isAt(place, other) === true)
  const sure = places.filter((place) => isAt(place, own) === true)
  const second = sure.find((place) => holders.some((holder) => holder < place))
  const byRequest = second ?? sure.find((place) => holders.some((holder) => holder !== place))
  if (byRequest !== undefined) return { where: recordPrefix(body, byRequest), isByRequest: true }
  // A record that omits some of the values may be the one, if no other can be.
  const possible = sure.length > 0 ? sure : places.filter((place) => isAt(place, own) !== false)
  const [only] = sure.length > 0 || possible.length === 1 ? possible : []
  return { where: only === undefined ? '' : recordPrefix(body, only), isByRequest: false }
}

/** Returns false if anything is false, undefined if anything is not known, and otherwise true. */
function allOf(all: readonly (boolean | undefined)[]): boolean | undefined {
  if (all.includes(false)) return false
  return all.includes(undefined) ? undefined : true
}

/** Tells whether a record has a range; undefined if it omits an end that the record may have had before. */
function hasRange(
  { fields }: Table,
  record: JsonRecord,
  pair: RangePair,
  printed: readonly [string, string],
  bounds: Bounds,
): boolean | undefined {
  const ends = pair.map((name, at) => {
    const field = fields.get(name)
    const value = record[name]
    const text = printed[at] ?? ''
    if (value === undefined) return undefined
    if (value === null) return text === ''
    const isDay = field !== undefined && baseOf(field.schema) === 'date'
    // Postgres prints ranges of days without their ends.
    const end = at === 1 && isDay && bounds === '[]' ? dayAfter(String(value)) : value
    return spelled([field?.type], [end]) === spelled([field?.type], [text])
  })
  return allOf(ends)
}

function dayAfter(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + 1)
  return date.toISOString().slice(0, 10)
}
