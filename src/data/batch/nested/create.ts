/** Creates records together with related records that are inside them: as a batch, in one round trip. */
import type { RequestContext } from '../../../context.ts'
import type { DatabaseFailure } from '../../../db/failures.ts'
import { AppError } from '../../../errors.ts'
import type { SentBody } from '../../../http/body-formats.ts'
import { readJsonVerbatim } from '../../../lib/exact-json.ts'
import { ProblemList } from '../../../lib/problem-list.ts'
import type { RecordsPath } from '../../catalog/find-table.ts'
import type { Catalog } from '../../catalog/load-catalog.ts'
import { type JsonRecord, type RecordsBody, recordPrefix } from '../../failures/body.ts'
import { invalidRecords } from '../../failures/errors.ts'
import type { CreatedRecords } from '../../providers/provider.ts'
import { patternError } from '../../records/computation-error.ts'
import { createRecords } from '../../records/create.ts'
import { readFlags, readOnConflict } from '../../records/parameters.ts'
import type { NestedCreation } from '../../records/records-write.ts'
import { batchOf, type Step, stepError } from '../../records/steps.ts'
import { notAnObject, wholeRecord } from '../../records/validate.ts'
import type { CreatedBody } from '../../records/views.ts'
import { type Target, type WritePlan, writePlan } from '../../records/write.ts'
import { isObject, newOperation, type Operation } from '../operations.ts'
import { type Batch, planBatch } from '../plan.ts'
import { tryOneByOne } from '../service.ts'
import { createdRecords, planPopulate } from './answer.ts'
import { placedError } from './place-errors.ts'
import { hasRelated, type NestedRecords, readNested } from './read.ts'

/**
 * Creates the records of a body, with the related records that are inside them: all of them or none. Throws
 * as `createRecords` does; errors name the place of a related record.
 */
export const createNestedRecords = (
  ctx: RequestContext,
  path: RecordsPath,
  sent: SentBody,
  parameters: URLSearchParams,
): Promise<CreatedBody> => createRecords(ctx, path, sent, parameters, nestedCreation(ctx, path, parameters))

const nestedCreation = (
  ctx: RequestContext,
  { app }: RecordsPath,
  parameters: URLSearchParams,
): NestedCreation<CreatedRecords> => ({
  isIn: (target, { records }) => parameters.has('populate') || hasRelated(target, records),
  plan(target, body) {
    if (readOnConflict(parameters, target.table, target.catalog.standing !== undefined))
      throw invalidRecords({ on_conflict: ['Not possible with related records.'] })
    return planNested(ctx, app, target, body, parameters)
  },
})

function planNested(
  ctx: RequestContext,
  app: string,
  target: Target,
  body: RecordsBody,
  parameters: URLSearchParams,
): WritePlan<CreatedRecords> {
  const { isDry, returnsRecords = true } = readFlags(parameters)
  const shown = planPopulate(target.catalog, target.shown, parameters)
  const nested = readNested(target, recordsOf(body))
  const operations = operationsOf(nested)
  const isRoot = ({ index }: Operation) => nested.records[index]?.place === ''
  const batch = (catalog: Catalog): Batch => ({
    catalog,
    app,
    operations,
    isMinimal: false,
    isShown: (operation) => returnsRecords && isRoot(operation),
    references: nested.references,
    problems: nested.records.flatMap(({ problems }, index) => problems.map((one) => ({ ...one, index }))),
  })
  const placed = (error: unknown) =>
    error instanceof AppError ? placedError(error, body, nested.records) : error
  let steps: readonly Step[]
  try {
    steps = planBatch(ctx, { ...batch(target.catalog), isDry })
  } catch (error) {
    throw placed(error)
  }
  const roots = operations.filter(isRoot).map(({ index }) => index)
  const count = operations.length
  return writePlan({
    mode: 'write',
    isDry,
    statements: {
      ...batchOf(steps),
      written: createdRecords(steps, { table: target.shown, roots, count, returnsRecords, shown }),
    },
    async errorOf(failure: DatabaseFailure) {
      const oneByOne = () => tryOneByOne(ctx, app, batch)
      const error = await stepError(failure, steps, oneByOne)
      if (error) return placedError(error, body, nested.records)
      return patternError(failure, shown?.patterns ?? new Set())
    },
  })
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
