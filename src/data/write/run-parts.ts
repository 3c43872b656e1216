/**
 * Writes the records of an array without the invalid ones. Postgres writes as many together as it accepts
 * (migrations/functions/tessera/write_parts.sql), in one transaction.
 */

import type { RequestContext } from '../../kernel/context.ts'
import { DatabaseFailure } from '../../kernel/db/failures.ts'
import { type Part, runInParts } from '../../kernel/db/parts.ts'
import type { AppError } from '../../kernel/errors.ts'
import { ProblemList } from '../../kernel/lib/problem-list.ts'
import { planOf, withCatalog } from '../catalog/catalog.ts'
import type { RecordsBody } from '../failures/body.ts'
import { invalidRecords, schemaIsChanging, tooManyParts } from '../failures/errors.ts'
import { writeErrors } from '../failures/write-errors.ts'
import { refuseInMongodb } from '../providers/mongodb/capabilities.ts'
import { holdExclusions } from '../providers/writes/exclusions.ts'
import type { InputRows } from '../providers/writes/input.ts'
import { type FailedRecord, type WrittenBody, withFailures } from './answer/bodies.ts'
import { throwConflicts } from './errors/conflicts.ts'
import { isNested } from './nested.ts'
import { inputOf, inspectRecords } from './parse/validate.ts'
import { bodyOf, draftOf, onlyOfArrays, type RecordsRequest } from './plain.ts'
import { kinds } from './plan/kinds.ts'
import { type Draft, lockKeysOf, type RecordForm, type WrittenRow } from './plan/records.ts'
import type { Sent, WritePath } from './plan/request.ts'
import { errorIn } from './plan/steps.ts'
import { targetOf } from './plan/target.ts'
import { noteWritten } from './plan/written-tables.ts'

/** The most records in a request. Each invalid record can take its own statement. */
const recordsMax = 1_000

/** The records of a request in which the service itself finds no problem. */
interface GoodRecords {
  /** The position in the body of each. */
  places: readonly number[]
  input: InputRows
  /** The other records. */
  failed: FailedRecord[]
}

/** Plans and runs the write. Throws 400 unless the body is an array, and 413 for too many records. */
export async function writeParts<Body extends WrittenBody>(
  ctx: RequestContext,
  path: WritePath,
  request: RecordsRequest<Body>,
  sent: Sent,
): Promise<Body> {
  const { draft, form, good, parts, returns } = await withCatalog(
    ctx,
    path.app,
    'write',
    (catalog) => {
      const asked = { ctx, path, target: targetOf(catalog, path, kinds[request.op].action), ...sent }
      noteWritten(ctx, asked.target, kinds[request.op].action === 'create')
      refuseInMongodb(asked.target.table, 'parts')
      const read = bodyOf(asked, request.form === 'many' ? 'many' : 'one or many')
      if (!read.bulk) throw invalidRecords(onlyOfArrays)
      if (read.records.length > recordsMax) throw tooManyParts(recordsMax)
      if (request.nests && isNested(asked, read))
        throw invalidRecords({ atomic: ['Not possible with related records.'] })
      const { draft, flags } = draftOf(request, asked, read)
      const form = kinds[request.op].form(draft)
      const good = goodRecords(draft, form)
      const returns = { returnsRecords: flags.returnsRecords !== false }
      const statements = good.places.length > 0 ? form.statements(good.input, returns) : undefined
      return planOf({
        isDry: flags.isDry,
        statements: {
          holding: holdExclusions(lockKeysOf(draft.target, form, good.input)),
          numbering: statements?.numbering,
          written: statements && runInParts(statements.written),
        },
        finish: ({ written: { all: parts } }) => ({ draft, form, good, parts, returns }),
      })
    },
    // The stored answer of a repeated request is not used: only the plan can tell to which record a failure
    // belongs.
    () => undefined,
  )
  // The records are written. What this looks up must not have them planned and written again.
  const { failed, rows } = await sortParts(draft, form, good, parts)
  const { places } = draft.body
  const placed = failed
    .toSorted((a, b) => a.index - b.index)
    .map(({ index, ...rest }) => ({ index, line: places?.lines[index], ...rest }))
  return withFailures(request.answer(mergeRows(rows, !returns.returnsRecords), true, sent), placed)
}

/** The maximum number of messages in an answer. Beyond it, each record that fails has one. */
const messagesMax = 1_000

function goodRecords(
  { target: { table }, body: { records, text, keyOfId } }: Draft,
  { demands }: RecordForm,
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
interface PlacedRow {
  row: WrittenRow
  placeOf(position: number): number
}

/** Returns the rows of the parts that were written, and the records that were not, each with its error. */
async function sortParts(
  { ctx, target, body }: Draft,
  { key, changed }: RecordForm,
  { places, failed: before }: GoodRecords,
  parts: readonly Part<WrittenRow>[],
): Promise<{ failed: FailedRecord[]; rows: PlacedRow[] }> {
  const failed = [...before]
  const rows: PlacedRow[] = []
  const placed = parts.map((part) => {
    const index = places[part.first] as number
    return { part, index, body: onlyRecord(body, index) }
  })
  const failures = placed.flatMap(({ part, ...at }) =>
    'failure' in part ? [{ ...at, failure: new DatabaseFailure(part.failure) }] : [],
  )
  // One statement finds what the errors of all records need.
  const errors = await writeErrors(ctx, failures, { ...target, changed })
  const byIndex = new Map(failures.map(({ index }, position) => [index, errors[position]]))
  for (const { part, index, body: one } of placed) {
    // Any other constraint was added by a schema change in the meantime.
    const error =
      'failure' in part
        ? (byIndex.get(index) ?? schemaIsChanging(target.table.name))
        : errorIn(() => throwConflicts(part.row.conflicts, { ...target, body: one, key }))
    if (error) failed.push(failedRecord(index, error))
    else if ('row' in part) rows.push({ row: part.row, placeOf: (at) => places[part.first + at] as number })
  }
  return { failed, rows }
}

/** Returns a body that has only the record at `index`. */
const onlyRecord = ({ records }: RecordsBody, index: number): RecordsBody => {
  const record = records[index] as RecordsBody['records'][number]
  return { records: [record], bulk: false, text: JSON.stringify([record]) }
}

/**
 * Returns the row that one statement would have returned for the records of all rows. `isMinimal`: it has no
 * records.
 */
function mergeRows(rows: readonly PlacedRow[], isMinimal: boolean): WrittenRow {
  const sum = (count: (row: WrittenRow) => number) => rows.reduce((total, { row }) => total + count(row), 0)
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
