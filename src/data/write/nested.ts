/** Plans the creation of records together with related records that are inside them: as a batch. */
import { readJsonVerbatim } from '../../kernel/lib/exact-json.ts'
import { ProblemList } from '../../kernel/lib/problem-list.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { type JsonRecord, type RecordsBody, recordPrefix } from '../failures/body.ts'
import { patternError } from '../failures/computation-error.ts'
import { invalidRecords } from '../failures/errors.ts'
import { placedError } from './errors/place.ts'
import { hasRelated, type NestedRecords, readNested } from './parse/nested.ts'
import { isObject, newOperation } from './parse/operations.ts'
import { readFlags, readOnConflict } from './parse/parameters.ts'
import { notAnObject, wholeRecord } from './parse/validate.ts'
import { type Batch, planBatch } from './plan/batch.ts'
import { createdRecords, planPopulate } from './plan/nested-answer.ts'
import type { WrittenRow } from './plan/records.ts'
import type { Asked, PlannedWrite } from './plan/request.ts'
import { batchOf, changingError, stepError } from './plan/steps.ts'
import { tryOneByOne } from './run-batch.ts'
import type { Operation } from './said.ts'

/** Tells whether a creation has related records in its body, or in its answer. */
export const isNested = ({ parameters, target }: Asked, { records }: RecordsBody): boolean =>
  parameters.has('populate') || hasRelated(target, records)

/**
 * Plans the creation of the records of a body, with the related records that are inside them. Throws 400 with
 * all problems, 403 and 413; errors name the place of a related record.
 */
export function planNested(asked: Asked, body: RecordsBody): PlannedWrite<WrittenRow> {
  const { ctx, path, target, parameters } = asked
  if (readOnConflict(parameters, target.table, target.catalog.standing !== undefined))
    throw invalidRecords({ on_conflict: ['Not possible with related records.'] })
  const { isDry, returnsRecords = true } = readFlags(parameters)
  const shown = planPopulate(target.catalog, target.shown, parameters)
  const nested = readNested(target, recordsOf(body))
  const operations = operationsOf(nested)
  const isRoot = ({ index }: Operation) => nested.records[index]?.place === ''
  const batch = (catalog: Catalog): Batch => ({
    catalog,
    app: path.app,
    operations,
    isMinimal: false,
    isShown: (operation) => returnsRecords && isRoot(operation),
    references: nested.references,
    problems: nested.records.flatMap(({ problems }, index) => problems.map((one) => ({ ...one, index }))),
  })
  const steps = changingError(
    () => planBatch(ctx, { ...batch(target.catalog), isDry }),
    (error) => placedError(error, body, nested.records),
  )
  const roots = operations.filter(isRoot).map(({ index }) => index)
  const count = operations.length
  return {
    mode: 'write',
    isDry,
    step: {
      body,
      statements: {
        ...batchOf(steps),
        written: createdRecords(steps, { table: target.shown, roots, count, returnsRecords, shown }),
      },
      check: () => undefined,
      async errorOf(failure) {
        const error = await stepError(failure, steps, () => tryOneByOne(ctx, path.app, batch))
        if (error) return placedError(error, body, nested.records)
        return patternError(failure, shown?.patterns ?? new Set())
      },
    },
  }
}

/** Returns the records of a body. Their text is sent again, so their numbers keep all digits. */
function recordsOf(body: RecordsBody): JsonRecord[] {
  const problems = new ProblemList()
  const records = (readJsonVerbatim(body.text) as unknown[]).flatMap((record, index) => {
    if (isObject(record)) return [record]
    problems.add(wholeRecord, recordPrefix(body, index) + notAnObject)
    return []
  })
  if (!problems.isEmpty) throw invalidRecords(problems.details())
  return records
}

const operationsOf = ({ records }: NestedRecords): Operation[] =>
  records.map(({ table, data, as }, index) =>
    newOperation({ op: 'create', table: table.name, data, as }, index),
  )
