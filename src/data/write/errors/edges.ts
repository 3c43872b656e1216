/** Turns conflicts and database failures of writes of edges into the errors that the client reads. G1, G2. */
import { type DatabaseFailure, isInvalidValue, sqlstates } from '../../../kernel/db/failures.ts'
import type { AppError } from '../../../kernel/errors.ts'
import { textOf } from '../../../kernel/lib/exact-json.ts'
import { ProblemList } from '../../../kernel/lib/problem-list.ts'
import { type RecordsBody, recordPrefix } from '../../failures/body.ts'
import { edgeExists, ruleBroken } from '../../failures/edge-errors.ts'
import { brokenRule } from '../../failures/edge-rules.ts'
import { invalidRecords, refusedByRules, valueOutOfRange } from '../../failures/errors.ts'
import { bytesOf, messages } from '../../failures/too-long.ts'
import type { Table } from '../../model/table.ts'
import { type EdgeConflicts, ends } from '../../providers/writes/edges.ts'

/** Returns the error; undefined if the client did not cause the failure. */
export function edgeWriteError(
  failure: DatabaseFailure,
  table: Table,
  body: RecordsBody,
): AppError | undefined {
  const broken = brokenRule(failure)
  if (broken) return ruleBroken(broken, table.name)
  if (failure.sqlstate === sqlstates.unique) return edgeExists(place(failure, body))
  if (failure.sqlstate === sqlstates.limitExceeded) return endsTooLong(body)
  if (isInvalidValue(failure.sqlstate)) return invalidRecords({ non_field_errors: [valueOutOfRange] })
  return undefined
}

/**
 * Returns the error for the edge with the longest ends: both are in one index, so together they can be too
 * long.
 */
function endsTooLong(body: RecordsBody): AppError {
  const lengths = body.records.map((edge) =>
    ends.map(({ name, alias }) => bytesOf(edge[name] ?? edge[alias])),
  )
  const sums = lengths.map(([from = 0, to = 0]) => from + to)
  const index = sums.indexOf(Math.max(...sums))
  const longer = (lengths[index]?.[0] ?? 0) >= (lengths[index]?.[1] ?? 0) ? 'from_id' : 'to_id'
  return invalidRecords({ [longer]: [`${recordPrefix(body, index)}${messages.index}`] })
}

/** Returns `rows[3]: ` for the edge of the body that exists already. Of two equal ones, it is the second. */
function place({ detail }: DatabaseFailure, body: RecordsBody): string {
  const [, values] = /^Key \(from_id, type, to_id\)=\((.*)\) already exists\.$/s.exec(detail ?? '') ?? []
  const index = body.records.findLastIndex(
    (edge) => [edge.from_id ?? edge.from, edge.type, edge.to_id ?? edge.to].map(textOf).join(', ') === values,
  )
  return index === -1 ? '' : recordPrefix(body, index)
}

/**
 * Throws 400 with a message for every end that is not a record, and 403 if access rules do not let a guest
 * write an edge.
 */
export function throwEdgeConflicts(conflicts: EdgeConflicts, table: Table, body: RecordsBody): void {
  const problems = new ProblemList()
  const addMessages = (name: 'from_id' | 'to_id', alias: 'from' | 'to') => {
    for (const place of conflicts[name] ?? []) {
      const id = body.records[place]?.[name] ?? body.records[place]?.[alias]
      problems.add(
        name,
        `${recordPrefix(body, place)}"${table.name}" has no record with the id ${JSON.stringify(id)}.`,
      )
    }
  }
  addMessages('from_id', 'from')
  addMessages('to_id', 'to')
  if (!problems.isEmpty) throw invalidRecords(problems.details())
  const [refused] = conflicts.refused ?? []
  if (refused !== undefined) throw refusedByRules(recordPrefix(body, refused))
}
