/** Carries out a batch: operations on several tables, all of them or none, in one round trip. */
import type { RequestContext } from '../../context.ts'
import type { BatchRows } from '../../db/batch.ts'
import { DatabaseFailure } from '../../db/failures.ts'
import { AppError } from '../../errors.ts'
import { planOf, withCatalog } from '../catalog/catalog.ts'
import { requireWrites } from '../catalog/find-table.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { requireScopes } from '../catalog/scoped.ts'
import { readFlags } from '../records/parameters.ts'
import { batchOf, failedStep, type Step, type StepBatch, stepError } from '../records/steps.ts'
import { abilitiesFor, type Operation, readOperations } from './operations.ts'
import { type Batch, planBatch } from './plan.ts'
import { type OperationResult, resultsOf } from './results.ts'

/** Plans and runs a batch. Throws the errors of single operations, with the name of the operation. */
export async function runBatch(
  ctx: RequestContext,
  app: string,
  text: string,
  parameters: URLSearchParams,
): Promise<OperationResult[]> {
  let read: Operation[] | undefined
  const operations = () => {
    read ??= readOperations(text)
    return read
  }
  const batchFor = (catalog: Catalog): Batch => ({ catalog, app, operations: operations(), isMinimal: true })
  let steps: readonly Step[] = []
  let shifts = false
  const isMinimal = parameters.get('return') === 'minimal'
  const finish = (rows: BatchRows<StepBatch>) => resultsOf(operations(), rows, isMinimal)
  const run = () =>
    withCatalog(
      ctx,
      app,
      'write',
      (catalog) => {
        requireWrites(catalog)
        const { isDry } = readFlags(parameters)
        ctx.adds = operations().some(({ op }) => op === 'create' || op === 'upsert') ? 'records' : undefined
        for (const { op, table } of operations()) requireScopes(catalog, table, abilitiesFor[op])
        steps = planBatch(ctx, { ...batchFor(catalog), isMinimal, isDry, shifts })
        return planOf({ isDry, statements: batchOf(steps), finish })
      },
      (kept: BatchRows<StepBatch>) => ({ result: finish(kept) }),
    )
  try {
    return await run().catch((failure: unknown) => {
      if (!(failure instanceof DatabaseFailure) || !failedStep(failure, steps)?.canShift?.(failure))
        throw failure
      shifts = true
      return run()
    })
  } catch (failure) {
    if (!(failure instanceof DatabaseFailure)) throw failure
    // One by one, the operations fail even if their final state is possible.
    const oneByOne = shifts ? undefined : () => tryOneByOne(ctx, app, batchFor)
    throw (await stepError(failure, steps, oneByOne)) ?? failure
  }
}

/**
 * Runs the operations of a batch one by one, and rolls them back. Returns the error of the first operation
 * that fails.
 */
export async function tryOneByOne(
  ctx: RequestContext,
  app: string,
  batchFor: (catalog: Catalog) => Batch,
): Promise<AppError | undefined> {
  let steps: readonly Step[] = []
  try {
    return await withCatalog(ctx, app, 'write', (catalog) => {
      steps = planBatch(ctx, { ...batchFor(catalog), isSplit: true, isDry: true })
      return planOf({ isDry: true, statements: batchOf(steps), finish: () => undefined })
    })
  } catch (failure) {
    if (failure instanceof AppError) return failure
    if (!(failure instanceof DatabaseFailure)) throw failure
    return stepError(failure, steps)
  }
}
