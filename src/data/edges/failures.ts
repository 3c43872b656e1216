/** From what Postgres refused of a write of edges to what the client reads. G1, G2. */
import { type DatabaseFailure, isBadValue, sqlstates } from '../../db/failures.ts'
import type { AppError } from '../../errors.ts'
import { textOf } from '../../lib/exact-json.ts'
import type { Table } from '../datatables/table.ts'
import { placeOf, type RecordsBody } from '../records/body.ts'
import { invalidRecords } from '../records/errors.ts'
import { bytesOf, messages } from '../records/too-long.ts'
import { ends } from './body.ts'
import { type BrokenRule, edgeExists, ruleBroken } from './errors.ts'

/** The rule that edges would break; undefined: it was none of those. */
export const brokenRule = ({ sqlstate, detail }: DatabaseFailure): BrokenRule | undefined =>
  sqlstate === sqlstates.edgeRule ? (JSON.parse(detail ?? '') as BrokenRule) : undefined

/** Undefined when the failure is none of the client's making. */
export function edgeRefusal(failure: DatabaseFailure, table: Table, body: RecordsBody): AppError | undefined {
  const broken = brokenRule(failure)
  if (broken) return ruleBroken(broken, table.name)
  if (failure.sqlstate === sqlstates.unique) return edgeExists(place(failure, body))
  if (failure.sqlstate === sqlstates.limitExceeded) return endsTooLong(body)
  if (isBadValue(failure.sqlstate)) return invalidRecords({ non_field_errors: ['A value is none of its field’s type, or beyond its range.'] })
  return undefined
}

/** Ends are keys, which are texts at most: two that each have room in an index need not have it together. */
function endsTooLong(body: RecordsBody): AppError {
  const lengths = body.records.map((edge) => ends.map(({ name, alias }) => bytesOf(edge[name] ?? edge[alias])))
  const sums = lengths.map(([from = 0, to = 0]) => from + to)
  const index = sums.indexOf(Math.max(...sums))
  const longer = (lengths[index]?.[0] ?? 0) >= (lengths[index]?.[1] ?? 0) ? 'from_id' : 'to_id'
  return invalidRecords({ [longer]: [`${placeOf(body, index)}${messages.index}`] })
}

/** The edge of the body that is there already. Of two like ones in it, the second is the one too many. */
function place({ detail }: DatabaseFailure, body: RecordsBody): string {
  const [, values] = /^Key \(from_id, type, to_id\)=\((.*)\) already exists\.$/s.exec(detail ?? '') ?? []
  const index = body.records.findLastIndex((edge) => [edge.from_id ?? edge.from, edge.type, edge.to_id ?? edge.to].map(textOf).join(', ') === values)
  return index === -1 ? '' : placeOf(body, index)
}
