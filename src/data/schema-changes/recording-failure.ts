/** Records failed schema changes in the operation history, and finds the reason for the client. D9, D13. */

import type { RequestContext } from '../../kernel/context.ts'
import { requireCaller } from '../../kernel/db/entering.ts'
import { DatabaseFailure, isInvalidValue, lacksGist, sqlstates } from '../../kernel/db/failures.ts'
import { inTenant } from '../../kernel/db/tenant.ts'
import { planOf, withCatalog } from '../catalog/catalog.ts'
import {
  exclusionsUnavailable,
  invalidSchema,
  physicalNameTaken,
  trigramsUnavailable,
} from '../datatables/errors.ts'
import { computationProblem } from '../failures/computation-error.ts'
import { brokenRule, ruleMessage } from '../failures/edge-rules.ts'
import type { Table } from '../model/table.ts'
import { needsTrigrams } from '../providers/ddl/indexed-values.ts'
import type { LostValues } from '../providers/lost-values.ts'
import type { DdlStep } from '../providers/provider.ts'
import { withLosses } from './accepted-losses.ts'
import { dataLoss, dependedUpon, recordsBreakSchema, tableBusy, takesTooLong } from './errors.ts'
import type { Violation } from './schema.ts'
import { type AttemptedOperation, insertFailure } from './store.ts'
import { asChange } from './views.ts'

/** A change of a table that may fail. */
export interface ChangeAttempt {
  app: string
  table: Table
  /** The row of the history, if it fails. */
  operation: AttemptedOperation
  steps: readonly DdlStep[]
}

/**
 * Runs a change. If Postgres rejects it, adds a failed operation to the history, unless it `isShown` there
 * already, and throws the reason: 400 or 422 for the schema or the records, 409 for dependent objects or a
 * missing lock.
 */
export async function recordingFailure<Result>(
  ctx: RequestContext,
  attempt: ChangeAttempt,
  work: () => Promise<Result>,
  isShown: () => boolean = () => false,
): Promise<Result> {
  const start = performance.now()
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DatabaseFailure)) throw error
    if (!isShown()) await record(ctx, attempt, performance.now() - start)
    throw await errorFor(ctx, attempt, error)
  }
}

/** Adds a failed operation to the history. */
const record = (ctx: RequestContext, { app, table, operation }: ChangeAttempt, milliseconds: number) =>
  withCatalog(ctx, app, 'write', (catalog) => {
    const failed = { ...operation, appId: catalog.app.id, table: table.name, milliseconds }
    return planOf({
      statements: { failure: insertFailure(requireCaller(ctx).userId, failed) },
      finish: () => undefined,
    })
  })

/** The failures that existing records cause. */
const recordSqlstates: ReadonlySet<string> = new Set([
  sqlstates.notNull,
  sqlstates.foreignKey,
  sqlstates.unique,
  sqlstates.check,
  sqlstates.exclusion,
])

async function errorFor(
  ctx: RequestContext,
  { table, steps }: ChangeAttempt,
  failure: DatabaseFailure,
): Promise<Error> {
  const { sqlstate } = failure
  const broken = brokenRule(failure)
  if (broken)
    return recordsBreakSchema([
      { fields: [], rule: broken.rule, detail: ruleMessage(broken, table.name).detail, records: [] },
    ])
  if (sqlstate === sqlstates.otherLosses) {
    const found = new Map(Object.entries<LostValues>(JSON.parse(failure.detail ?? '{}')))
    return dataLoss(
      steps
        .map((step) => withLosses(step, found))
        .filter(({ destructive }) => destructive)
        .map(asChange),
    )
  }
  if (lacksGist(failure)) return exclusionsUnavailable()
  if (sqlstate === sqlstates.undefinedObject && steps.some(needsTrigrams)) return trigramsUnavailable()
  if (sqlstate === sqlstates.duplicateTable) return invalidSchema([physicalNameTaken])
  if (recordSqlstates.has(sqlstate) || isInvalidValue(sqlstate)) {
    const violations = await findViolations(ctx, steps)
    return recordsBreakSchema(violations.length > 0 ? violations : notComputed(steps, sqlstate))
  }
  if (sqlstate === sqlstates.dependentObjects) return dependedUpon(table.name)
  if (sqlstate === sqlstates.lockNotAvailable) return tableBusy(table.name)
  if (sqlstate === sqlstates.queryCanceled) return takesTooLong(table.name)
  return failure
}

/** Returns the violation of records for which an expression of the new schema cannot be evaluated. */
function notComputed(steps: readonly DdlStep[], sqlstate: string): Violation[] {
  const expressions = steps.flatMap(({ expressions: all = [] }) => all)
  if (expressions.length === 0 || !isInvalidValue(sqlstate)) return []
  const detail = `${expressions.join(', ')}: ${computationProblem(sqlstate)}`
  return [{ fields: [], rule: 'expression', detail, records: [] }]
}

/** Finds the existing records that break the steps. Returns nothing if they can no longer be queried. */
async function findViolations(ctx: RequestContext, steps: readonly DdlStep[]): Promise<Violation[]> {
  const risks = steps.flatMap((step) => step.risks ?? [])
  try {
    const { breaking } = await inTenant(ctx, 'write', { breaking: risks.map(({ records }) => records) })
    const violations: Violation[] = []
    for (const [position, { fields, rule, message }] of risks.entries()) {
      const records = breaking[position]?.all.map(({ key }) => key) ?? []
      if (records.length > 0) violations.push({ fields: [...fields], rule, detail: message, records })
    }
    return violations
  } catch (error) {
    if (error instanceof DatabaseFailure) return []
    throw error
  }
}
