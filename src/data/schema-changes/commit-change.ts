/** Commits an examined change in one transaction, with its rows in the operation history. */
import type { RequestContext } from '../../context.ts'
import { requireCaller } from '../../db/entering.ts'
import { planOf, withCatalog } from '../catalog/catalog.ts'
import type { Datatable } from '../datatables/schema.ts'
import { insertSchemaChange, runStep, selectDatatablesByName } from '../datatables/store.ts'
import { asDatatable, datatableAgain } from '../datatables/views.ts'
import { remakeViews } from '../guests/remake.ts'
import type { Table } from '../model/table.ts'
import { type DdlStep, sqlOf } from '../providers/provider.ts'
import { SchemaChangedMeanwhile } from './errors.ts'
import { requireUnchanged, type SchemaChange } from './examine-change.ts'
import { planSteps } from './plan-steps.ts'
import { lockTable, updateDatatable } from './store.ts'

/**
 * Changes the schema of a datatable, and the physical table with it. `description` null keeps the
 * description. `aheadMs` contains, for each step, the duration of the work ahead of the transaction. Throws
 * 409 if the table has changed since it was examined.
 */
export const commitChange = (
  ctx: RequestContext,
  change: SchemaChange,
  description: string | null,
  aheadMs: readonly number[] = [],
): Promise<Datatable> =>
  withCatalog(
    ctx,
    change.path.app,
    'schema',
    (catalog) => {
      const { userId } = requireCaller(ctx)
      const { after, kept, online } = change
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
          locked: steps.length > 0 ? lockTable(before) : undefined,
          viewsDropped: views?.dropped,
          history: before.isMaterialized ? history : undefined,
          viewsCreated: views?.created,
          updated: updateDatatable(userId, after, description),
          datatable: selectDatatablesByName(catalog.app.id, [before.name]),
        },
        finish: ({ datatable }) => asDatatable(datatable.one),
      })
    },
    datatableAgain,
  )

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
