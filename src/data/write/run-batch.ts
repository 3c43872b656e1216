/** Runs a batch: operations on several tables, all of them or none, in one round trip. */
import type { RequestContext } from '../../kernel/context.ts'
import type { BatchRows } from '../../kernel/db/batch.ts'
import { DatabaseFailure } from '../../kernel/db/failures.ts'
import { AppError } from '../../kernel/errors.ts'
import { type Plan, planOf, withCatalog } from '../catalog/catalog.ts'
import { requireWrites } from '../catalog/find-table.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { requireScopes } from '../catalog/scoped.ts'
import { type OperationResult, resultsOf } from './answer/results.ts'
import { readOperations } from './parse/operations.ts'
import { readFlags } from './parse/parameters.ts'
import { type Batch, planBatch } from './plan/batch.ts'
import { kinds } from './plan/kinds.ts'
import { batchOf, failedStep, type StepBatch, stepError } from './plan/steps.ts'

/** A batch as it was sent. */
interface SentBatch {
  app: string
  text: string
  parameters: URLSearchParams
}

/** Plans and runs a batch. Throws the errors of single operations, with the name of the operation. */
export const runBatch = (
  ctx: RequestContext,
  app: string,
  text: string,
  parameters: URLSearchParams,
): Promise<OperationResult[]> =>
  withCatalog(ctx, app, 'write', planFor(ctx, { app, text, parameters }), (kept: BatchRows<StepBatch>) => ({
    result: resultsOf(readOperations(text), kept, isMinimalOf(parameters)),
  }))

const isMinimalOf = (parameters: URLSearchParams): boolean => parameters.get('return') === 'minimal'

/** Returns how to plan a batch. `shifts`: see Batch. */
const planFor =
  (ctx: RequestContext, sent: SentBatch, shifts = false) =>
  (catalog: Catalog): Plan<StepBatch, OperationResult[]> => {
    const { app, text, parameters } = sent
    requireWrites(catalog)
    const { isDry } = readFlags(parameters)
    const operations = readOperations(text)
    ctx.adds = operations.some(({ op }) => op === 'create' || op === 'upsert') ? 'records' : undefined
    for (const { op, table } of operations) requireScopes(catalog, table, kinds[op].abilities)
    const isMinimal = isMinimalOf(parameters)
    const steps = planBatch(ctx, { catalog, app, operations, isMinimal, isDry, shifts })
    const oneByOne = () =>
      tryOneByOne(ctx, app, (present) => ({ catalog: present, app, operations, isMinimal: true }))
    return {
      isDry,
      statements: batchOf(steps),
      finish: (rows) => resultsOf(operations, rows, isMinimal),
      instead: (failure) =>
        !shifts && failedStep(failure, steps)?.canShift?.(failure) ? planFor(ctx, sent, true) : undefined,
      // One by one, the operations fail even if their final state is possible.
      errorOf: (failure) => stepError(failure, steps, shifts ? undefined : oneByOne),
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
  try {
    return await withCatalog(ctx, app, 'write', (catalog) => {
      const steps = planBatch(ctx, { ...batchFor(catalog), isSplit: true, isDry: true })
      return planOf({
        isDry: true,
        // Each step takes its own locks. So many steps would need too many at once.
        statements: batchOf(steps.map(({ lockKeys: _, ...step }) => step)),
        finish: () => undefined,
        errorOf: (failure) => stepError(failure, steps),
      })
    })
  } catch (failure) {
    if (failure instanceof AppError) return failure
    if (failure instanceof DatabaseFailure) return undefined
    throw failure
  }
}
