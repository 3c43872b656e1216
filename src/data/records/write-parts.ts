/**
 * Writes the records of an array without the invalid ones. Postgres writes as many together as it accepts
 * (migrations/tenant/functions/write_parts.sql), in one transaction.
 */

import type { RequestContext } from '../../context.ts'
import { DatabaseFailure, sqlstates } from '../../db/failures.ts'
import { type Part, runInParts } from '../../db/sql.ts'
import { AppError } from '../../errors.ts'
import { ProblemList } from '../../lib/problem-list.ts'
import { planOf, withCatalog } from '../catalog/catalog.ts'
import type { RecordsPath } from '../catalog/find-table.ts'
import type { RecordsBody } from '../failures/body.ts'
import { readSent } from '../failures/body-lines.ts'
import { answerTooLarge, invalidRecords, schemaIsChanging, tooManyParts } from '../failures/errors.ts'
import { writeError } from '../failures/write-errors.ts'
import type { InputRows } from '../providers/writes/input.ts'
import { answerBytesMax } from '../query/render/render-list.ts'
import { readFlags } from './parameters.ts'
import type { MergedRow, RecordsRequest, RecordsWrite, WrittenRow } from './records-write.ts'
import { throwConflicts } from './throw-conflicts.ts'
import { inspectRecords } from './validate.ts'
import { type FailedRecord, type WrittenBody, withFailures } from './views.ts'
import { type Target, targetOf } from './write.ts'

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
      const write = describe(target)
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
          numbering: isDry ? undefined : statements?.numbering,
          written: statements && runInParts(statements.written),
        },
        finish: ({ written }): Outcome<Row> => ({ target, write, body, good, parts: written.all }),
      })
    },
    // The stored answer of a repeated request is not used: only the plan can tell to which record a failure
    // belongs.
    () => undefined,
  ).catch(throwAsClientReads)
  const { failed, rows } = await sortParts(ctx, { target, write, body, good, parts })
  failed.sort((a, b) => a.index - b.index)
  const placed = failed.map(({ index, ...rest }) => ({ index, line: body.places?.lines[index], ...rest }))
  const isMinimal = readFlags(parameters).returnsRecords === false
  return withFailures(answer(mergeRows(rows, isMinimal), true), placed)
}

function throwAsClientReads(failure: unknown): never {
  if (failure instanceof DatabaseFailure && failure.sqlstate === sqlstates.answerTooLong)
    throw answerTooLarge(answerBytesMax)
  throw failure
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
    const input = { text, keyOfId, count: records.length, ...inspected }
    return { places: [...records.keys()], failed: [], input }
  }
  const places = [...records.keys()].filter((index) => !problems.has(index))
  const kept = places.map((index) => records[index])
  const input = {
    text: JSON.stringify(kept),
    count: kept.length,
    // Counts and notes must describe only the kept records.
    ...inspectRecords(table, kept, demands, () => undefined),
  }
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
  for (const part of parts) {
    const index = places[part.first] as number
    const error = await errorOf(ctx, part, { target, write, body: onlyRecord(body, index) })
    if (error) failed.push(failedRecord(index, error))
    else if ('row' in part)
      rows.push({ row: part.row, placeOf: (position) => places[part.first + position] as number })
  }
  return { failed, rows }
}

/** Returns a body that has only the record at `index`. */
const onlyRecord = ({ records }: RecordsBody, index: number): RecordsBody => {
  const record = records[index] as RecordsBody['records'][number]
  return { records: [record], bulk: false, text: JSON.stringify([record]) }
}

/** Returns the error of a part that wrote nothing; undefined if it was written. */
async function errorOf<Row extends WrittenRow>(
  ctx: RequestContext,
  part: Part<Row>,
  { target, write: { key }, body }: Pick<Outcome<Row>, 'target' | 'write' | 'body'>,
): Promise<AppError | undefined> {
  const { table, references } = target
  if ('failure' in part) {
    const error = await writeError(ctx, new DatabaseFailure(part.failure), target, body)
    // Any other constraint was added by a schema change in the meantime.
    return error ?? schemaIsChanging(table.name)
  }
  try {
    throwConflicts(part.row.conflicts, { table, body, references, key })
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
