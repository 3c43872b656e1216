/** Makes a change that was examined: in one transaction, with its rows in the history. */
import type { RequestContext } from '../../../context.ts'
import { signedIn } from '../../../db/tenant.ts'
import { withCatalog } from '../../catalog.ts'
import { type DdlStep, sqlOf } from '../../providers/provider.ts'
import type { Datatable } from '../schema.ts'
import { insertMigration, runStep, selectDatatablesByName } from '../store.ts'
import type { Table } from '../table.ts'
import { asDatatable, type DatatableRow } from '../views.ts'
import { schemaChangedMeanwhile } from './errors.ts'
import { type SchemaChange, unchanged } from './examine.ts'
import { planMigration } from './plan.ts'
import { lockTable, updateDatatable } from './store.ts'

/** `aheadMs`: what each step took of what was done ahead of the transaction. */
export const commit = (ctx: RequestContext, change: SchemaChange, description: string | null, aheadMs: readonly number[] = []): Promise<Datatable> =>
  withCatalog(ctx, change.path.app, 'schema', (catalog) => {
    const { userId } = signedIn(ctx)
    const { after, kept, online } = change
    const before = unchanged(catalog, change.path, change.before)
    const steps = before.isMaterialized ? planMigration(catalog, before, after, kept, online) : []
    // What was done ahead was done for these steps and no others.
    if (online && scripts(steps) !== scripts(change.steps)) throw schemaChangedMeanwhile(before.name)
    const migration = crypto.randomUUID()
    const renames = Object.fromEntries([...kept].filter(([name, origin]) => name !== origin))
    const history = [
      insertMigration(userId, catalog.app.id, { id: migration, table: before.name, isMaterialized: true, renames }),
      ...(steps.length > 0 ? steps : [withoutDdl(after)]).flatMap((step, position) =>
        runStep(userId, catalog.app.id, step, { migration, aheadMs: aheadMs[position] }),
      ),
    ]
    return {
      statements: [
        ...(steps.length > 0 ? lockTable(before) : []),
        ...(before.isMaterialized ? history : []),
        updateDatatable(userId, after, description),
        selectDatatablesByName(catalog.app.id, [before.name]),
      ],
      finish: (results) => asDatatable(results.one<DatatableRow>(-1)),
    }
  })

const scripts = (steps: readonly DdlStep[]): string => steps.map(sqlOf).join('\n')

/** A schema can change without its table: a title, the order of fields. It is a change like others, to be rolled back in its turn. */
const withoutDdl = ({ name }: Table): DdlStep => ({
  table: name,
  operation: 'alter_table',
  description: 'Change the schema and nothing of the table',
  statements: [],
  rollback: [],
})
