/** Commits an examined change in one transaction, with its rows in the operation history. */
import type { RequestContext } from '../../kernel/context.ts'
import { requireCaller } from '../../kernel/db/entering.ts'
import { join, type Sql, sql } from '../../kernel/db/sql.ts'
import { planOf, withCatalog } from '../catalog/catalog.ts'
import { appRuleProblems } from '../datatables/draft.ts'
import { invalidSchema } from '../datatables/errors.ts'
import type { Datatable } from '../datatables/schema.ts'
import { insertSchemaChange, runStep, selectDatatablesByName } from '../datatables/store.ts'
import { asDatatable, datatableAgain } from '../datatables/views.ts'
import { remakeViews } from '../guests/remake.ts'
import { withAppRules } from '../model/app-rules.ts'
import type { Table } from '../model/table.ts'
import { isInMongodb } from '../providers/mongodb/capabilities.ts'
import { type DdlStep, sqlOf } from '../providers/provider.ts'
import { type AcceptedLosses, acceptedBy } from './accepted-losses.ts'
import { ChangeCancelled, changeInProgress, SchemaChangedMeanwhile } from './errors.ts'
import { requireUnchanged, type SchemaChange } from './examine-change.ts'
import { endJob, lockJob, stopIfOver } from './jobs/store.ts'
import { planSteps } from './plan-steps.ts'
import { lockTable, stopIfChanging, updateDatatable } from './store.ts'

/**
 * Changes the schema of a datatable, and the physical table with it. `description` null keeps the
 * description. `accepts` says how many values may be lost. `aheadMs` contains, for each step, the duration of
 * the work ahead of the transaction, which was that of the job `jobId`. Throws 409 if the table has changed
 * since it was examined, if another change of it is not over, or if the job was cancelled.
 */
export const commitChange = (
  ctx: RequestContext,
  change: SchemaChange,
  description: string | null,
  { jobId, accepts, aheadMs = [] }: { jobId?: number; accepts: AcceptedLosses; aheadMs?: readonly number[] },
): Promise<Datatable> =>
  withCatalog(
    ctx,
    change.path.app,
    'schema',
    (catalog) => {
      const { userId } = requireCaller(ctx)
      const { kept, online } = change
      // The rules of the app may have been replaced since.
      const after = withAppRules(change.after, catalog.app.rules)
      const problems = appRuleProblems(after)
      if (problems.length > 0) throw invalidSchema(problems)
      const before = requireUnchanged(catalog, change.path, change.before)
      const steps = before.isMaterialized ? planSteps({ catalog, before, after, kept, online }) : []
      // The work ahead of the transaction is valid only for the steps for which it was done.
      if (online && scriptOf(steps) !== scriptOf(change.steps)) throw new SchemaChangedMeanwhile(before.name)
      const views = before.isMaterialized ? remakeViews(catalog, { made: [after] }) : undefined
      const changeId = crypto.randomUUID()
      const renames = Object.fromEntries([...kept].filter(([name, origin]) => name !== origin))
      const history = [
        insertSchemaChange(userId, catalog.app.id, {
          id: changeId,
          table: before.name,
          isMaterialized: true,
          renames,
        }),
        ...(steps.length > 0 ? steps : [emptyStep(after)]).flatMap((step, position) =>
          runStep(userId, catalog.app.id, step, { changeId, aheadMs: aheadMs[position] }),
        ),
      ]
      return planOf({
        statements: {
          changing: jobId === undefined ? stopIfChanging([before]) : undefined,
          // Postgres has nothing of a table in MongoDB.
          locked: steps.length > 0 && !isInMongodb(before) ? lockTable(before) : undefined,
          held: jobId === undefined ? undefined : lockJob(jobId),
          over: jobId === undefined ? undefined : stopIfOver(jobId),
          lost: refuseOtherLosses(steps, accepts),
          viewsDropped: views?.dropped,
          history: before.isMaterialized ? history : undefined,
          viewsCreated: views?.created,
          updated: updateDatatable(userId, after, description),
          ended: jobId === undefined ? undefined : endJob(jobId, 'success', changeId),
          datatable: selectDatatablesByName(catalog.app.id, [before.name]),
        },
        finish({ changing, over, datatable }) {
          if (changing.first) throw changeInProgress(before.name)
          if (over.first) throw new ChangeCancelled(before.name)
          return asDatatable(datatable.one)
        },
      })
    },
    datatableAgain,
  )

/**
 * Fails if the steps would lose more values of a field than are accepted: others may have written values
 * since they were examined. Runs after `lockTable`. Undefined: no step can lose any.
 */
function refuseOtherLosses(steps: readonly DdlStep[], accepts: AcceptedLosses): Sql | undefined {
  // The batches of an online step have counted already.
  const found = steps.flatMap(({ losing, onlinePhase }) => {
    const accepted = acceptedBy(accepts, losing)
    return losing && !onlinePhase && accepted !== null
      ? sql`select ${losing.field}::text as field, ${accepted}::integer as accepted, _of.*
              from (${losing.all()}) _of`
      : []
  })
  if (found.length === 0) return undefined
  return sql`
    select tessera.refuse_losses(json_object_agg(_lost.field, json_build_object(
             'count', _lost.count, 'samples', _lost.samples)))
      from (${join(found, sql` union all `)}) _lost where _lost.count > _lost.accepted having count(*) > 0`
}

const scriptOf = (steps: readonly DdlStep[]): string => steps.map(sqlOf).join('\n')

/**
 * Returns the step of a change that needs no DDL, for example of a title or of the order of fields. It can be
 * rolled back.
 */
const emptyStep = ({ name }: Table): DdlStep => ({
  table: name,
  operation: 'alter_table',
  description: 'Change the schema, but not the table',
  statements: [],
  rollback: [],
})
