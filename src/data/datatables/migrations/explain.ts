/** Why a change of a schema could not be made: for the client the records that break it, for the history a row. D9, D13. */
import type { RequestContext } from '../../../context.ts'
import { DatabaseFailure, isBadValue, sqlstates } from '../../../db/failures.ts'
import { inTenant, signedIn } from '../../../db/tenant.ts'
import { withCatalog } from '../../catalog.ts'
import { ruleMessage } from '../../edges/errors.ts'
import { brokenRule } from '../../edges/failures.ts'
import type { DdlStep, Risk } from '../../providers/provider.ts'
import { invalidSchema, physicalNameTaken } from '../errors.ts'
import type { Table } from '../table.ts'
import { dependedUpon, recordsBreakSchema, tableBusy, takesTooLong } from './errors.ts'
import type { Violation } from './schema.ts'
import { type Attempt, insertFailure } from './store.ts'

/** What was tried. */
export interface Tried {
  app: string
  table: Table
  attempt: Attempt
  steps: readonly DdlStep[]
}

/** Does it; what Postgres refuses of it is recorded, after it was undone, and told. */
export async function explained<Result>(ctx: RequestContext, tried: Tried, work: () => Promise<Result>): Promise<Result> {
  const began = performance.now()
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DatabaseFailure)) throw error
    const milliseconds = performance.now() - began
    await withCatalog(ctx, tried.app, 'write', (catalog) => ({
      statements: [insertFailure(signedIn(ctx).userId, catalog.app.id, tried.table.name, tried.attempt, milliseconds)],
      finish: () => undefined,
    }))
    throw await meaning(ctx, tried, error)
  }
}

const ofRecords: ReadonlySet<string> = new Set([sqlstates.notNull, sqlstates.foreignKey, sqlstates.unique, sqlstates.check])

async function meaning(ctx: RequestContext, { table, steps }: Tried, failure: DatabaseFailure): Promise<Error> {
  const { sqlstate } = failure
  const broken = brokenRule(failure)
  if (broken) return recordsBreakSchema([{ fields: [], rule: broken.rule, detail: ruleMessage(broken, table.name).detail, records: [] }])
  if (sqlstate === sqlstates.duplicateTable) return invalidSchema([physicalNameTaken])
  if (ofRecords.has(sqlstate) || isBadValue(sqlstate)) return recordsBreakSchema(await violations(ctx, steps))
  if (sqlstate === sqlstates.dependentObjects) return dependedUpon(table.name)
  if (sqlstate === sqlstates.lockNotAvailable) return tableBusy(table.name)
  if (sqlstate === sqlstates.queryCanceled) return takesTooLong(table.name)
  return failure
}

/** Everything that the records there are have against the change; nothing, where they can no longer be asked. */
async function violations(ctx: RequestContext, steps: readonly DdlStep[]): Promise<Violation[]> {
  const risks = steps.flatMap((step): readonly Risk[] => step.risks ?? [])
  try {
    const { results } = await inTenant(
      ctx,
      'write',
      risks.map(({ records }) => records),
    )
    return risks.flatMap(({ fields, rule, message }, position): Violation[] => {
      const records = results.rows<{ key: Violation['records'][number] }>(position).map(({ key }) => key)
      return records.length > 0 ? [{ fields: [...fields], rule, detail: message, records }] : []
    })
  } catch (error) {
    if (error instanceof DatabaseFailure) return []
    throw error
  }
}
