/**
 * Writes the records of an array without the invalid ones. Postgres writes as many together as it accepts
 * (migrations/functions/tessera/write_parts.sql), in one transaction.
 */

import type { RequestContext } from '../../context.ts'
import { DatabaseFailure } from '../../db/failures.ts'
import { type Part, runInParts } from '../../db/sql.ts'
import { AppError } from '../../errors.ts'
import { ProblemList } from '../../lib/problem-list.ts'
import { planOf, withCatalog } from '../catalog/catalog.ts'
import type { RecordsPath } from '../catalog/find-table.ts'
import type { RecordsBody } from '../failures/body.ts'
import { readSent } from '../failures/body-lines.ts'
import { invalidRecords, schemaIsChanging, tooManyParts } from '../failures/errors.ts'
import { writeErrors } from '../failures/write-errors.ts'
import type { InputRows } from '../providers/writes/input.ts'
import { readFlags } from './parameters.ts'
import {
  changedBy,
  type MergedRow,
  type RecordsRequest,
  type RecordsWrite,
  type WrittenRow,
} from './records-write.ts'
import { throwConflicts } from './throw-conflicts.ts'
import { inputOf, inspectRecords } from './validate.ts'
import { type FailedRecord, type WrittenBody, withFailures } from './views.ts'
import { asTrial, type Target, targetOf } from './write.ts'

/** The most records in a request. Each invalid record can take its own statement. */
const recordsMax = 1_000

/** The result of a request, before its errors are reported. */
interface Outcome<Row extends WrittenRow> {
  target: Target
  write: RecordsWrite<Row>
  body: RecordsBody
  good: GoodRecords
  parts: readonly Part<Row>[]
}

/** The records in which the service itself finds no problem. */
interface GoodRecords {
  /** The position in the body of each. */
  places: readonly number[]
  input: InputRows
  /** The other records. */
  failed: FailedRecord[]
}

/** Plans and runs the write. Throws 400 unless the body is an array, and 413 for too many records. */
export async function writeParts<Row extends WrittenRow, Body extends WrittenBody>(
  ctx: RequestContext,
  path: RecordsPath,
  { action, sent, form, parameters, describe, nested, answer }: RecordsRequest<Row, Body>,
): Promise<Body> {
  const { target, write, body, good, parts } = await withCatalog(
    ctx,
    path.app,
    'write',
    (catalog) => {
      const target = targetOf(catalog, path, action)
      const { isDry } = readFlags(parameters)
      const write = describe(isDry ? asTrial(target) : target)
      const read = readSent(sent, form === 'many' ? form : 'one or many', target.table)
      if (!read.bulk) throw invalidRecords({ atomic: ['Only possible with an array of records.'] })
      if (read.records.length > recordsMax) throw tooManyParts(recordsMax)
      if (nested?.isIn(target, read)) throw invalidRecords({ atomic: ['Not possible with related records.'] })
      const body = write.bodyOf?.(read) ?? read
      const good = goodRecords(target, write, body)
      const statements = good.places.length > 0 ? write.statements(good.input) : undefined
      return planOf({
        isDry,
        statements: {
          numbering: statements?.numbering,
          written: statements && runInParts(statements.written),
        },
        finish: ({ written }): Outcome<Row> => ({ target, write, body, good, parts: written.all }),
      })
    },
    // The stored answer of a repeated request is not used: only the plan can tell to which record a failure
    // belongs.
    () => undefined,
  )
  const { failed, rows } = await sortParts(ctx, {
    target,
    write,
    body,
    good,
    parts,
  })
  failed.sort((a, b) => a.index - b.index)
  const placed = failed.map(({ index, ...rest }) => ({ index, line: body.places?.lines[index], ...rest }))
  const isMinimal = readFlags(parameters).returnsRecords === false
  return withFailures(answer(mergeRows(rows, isMinimal), true), placed)
}

/** The maximum number of messages in an answer. Beyond it, each record that fails has one. */
const messagesMax = 1_000

function goodRecords(
  { table }: Target,
  { demands }: Pick<RecordsWrite<WrittenRow>, 'demands'>,
  { records, text, keyOfId }: RecordsBody,
): GoodRecords {
  const problems = new Map<number, ProblemList>()
  let messages = 0
  const inspected = inspectRecords(table, records, demands, (index, field, message) => {
    const list = problems.get(index) ?? new ProblemList()
    if (list.isEmpty || messages++ < messagesMax) list.add(field, message)
    problems.set(index, list)
  })
  if (problems.size === 0) {
    const input = inputOf(table, { records, text, keyOfId }, inspected)
    return { places: [...records.keys()], failed: [], input }
  }
  const places = [...records.keys()].filter((index) => !problems.has(index))
  const kept = places.map((index) => records[index] as RecordsBody['records'][number])
  // Counts and notes must describe only the kept records.
  const again = inspectRecords(table, kept, demands, () => undefined)
  const input = inputOf(table, { records: kept, text: JSON.stringify(kept) }, again)
  const failed = [...problems].map(([index, list]) => failedRecord(index, invalidRecords(list.details())))
  return { places, failed, input }
}

const failedRecord = (index: number, { status, body }: AppError): FailedRecord => ({ index, status, body })

/** A row of the statement, with the position in the body of each of its records. */
interface PlacedRow<Row> {
  row: Row
  placeOf(position: number): number
}

/** Returns the rows of the parts that were written, and the records that were not, each with its error. */
async function sortParts<Row extends WrittenRow>(
  ctx: RequestContext,
  { target, write, body, good: { places, failed }, parts }: Outcome<Row>,
): Promise<{ failed: FailedRecord[]; rows: PlacedRow<Row>[] }> {
  const rows: PlacedRow<Row>[] = []
  const bodies = parts.map(({ first }) => onlyRecord(body, places[first] as number))
  const failures = parts.flatMap((part, position) =>
    'failure' in part
      ? [
          {
            position,
            failure: new DatabaseFailure(part.failure),
            body: bodies[position] as RecordsBody,
          },
        ]
      : [],
  )
  // One statement finds what the errors of all records need.
  const errors = await writeErrors(ctx, failures, {
    ...target,
    changed: changedBy(target, write, body),
  })
  const byPart = new Map(failures.map(({ position }, place) => [position, errors[place]]))
  for (const [position, part] of parts.entries()) {
    const index = places[part.first] as number
    // Any other constraint was added by a schema change in the meantime.
    const error =
      'failure' in part
        ? (byPart.get(position) ?? schemaIsChanging(target.table.name))
        : conflictOf(part.row, {
            target,
            write,
            body: bodies[position] as RecordsBody,
          })
    if (error) failed.push(failedRecord(index, error))
    else if ('row' in part)
      rows.push({
        row: part.row,
        placeOf: (at) => places[part.first + at] as number,
      })
  }
  return { failed, rows }
}

/** Returns a body that has only the record at `index`. */
const onlyRecord = ({ records }: RecordsBody, index: number): RecordsBody => {
  const record = records[index] as RecordsBody['records'][number]
  return { records: [record], bulk: false, text: JSON.stringify([record]) }
}

/** Returns the error of a part with conflicts, which wrote nothing; undefined if it was written. */
function conflictOf<Row extends WrittenRow>(
  { conflicts }: Row,
  {
    target: { catalog, table, references, inbound },
    write: { key },
    body,
  }: Pick<Outcome<Row>, 'target' | 'write' | 'body'>,
): AppError | undefined {
  try {
    throwConflicts(conflicts, { catalog, table, body, references, inbound: inbound(), key })
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

/**
 * Returns the row that one statement would have returned for the records of all rows. `isMinimal`: it has no
 * records.
 */
function mergeRows<Row extends WrittenRow>(rows: readonly PlacedRow<Row>[], isMinimal: boolean): MergedRow {
  const sum = (count: (row: Row) => number) => rows.reduce((total, { row }) => total + count(row), 0)
  const texts = rows.map(({ row }) => row.data?.slice(1, -1)).filter((text) => text)
  const ignored = rows.flatMap(({ row, placeOf }) => (row.ignored ?? []).map(placeOf))
  return {
    data: isMinimal ? null : `[${texts.join(',')}]`,
    etag: null,
    written: sum(({ written }) => written),
    created: sum(({ created = 0 }) => created),
    ...(rows.some(({ row }) => row.ignored !== undefined) ? { ignored } : {}),
  }
}
