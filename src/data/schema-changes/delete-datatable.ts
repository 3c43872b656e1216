/** Deletes datatables: puts them in the trash, or drops them with their records. D9, D10, D13, D17. */

import type { RequestContext } from '../../kernel/context.ts'
import { requireCaller } from '../../kernel/db/entering.ts'
import { DatabaseFailure, sqlstates } from '../../kernel/db/failures.ts'
import type { Sql } from '../../kernel/db/sql.ts'
import { planOf, withCatalog } from '../catalog/catalog.ts'
import { type TablePath, tableOrAway } from '../catalog/find-table.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { dropCollection, putAside as putCollectionAside } from '../datatables/collections.ts'
import { datatableReferenced, datatableRuled } from '../datatables/errors.ts'
import { deleteDatatable as deleteRow, insertSchemaChange, runStep } from '../datatables/store.ts'
import { remakeViews } from '../guests/remake.ts'
import { isToItself, type ResolvedKey } from '../model/keys.ts'
import { rulesNaming } from '../model/named-tables.ts'
import type { Table } from '../model/table.ts'
import { dropEdges } from '../providers/ddl/edge-table.ts'
import { dropObject as dropKey } from '../providers/ddl/object-steps.ts'
import { foreignKeyOf } from '../providers/ddl/objects.ts'
import { dropHistory } from '../providers/history/history-table.ts'
import { ask } from '../providers/mongodb/ask.ts'
import { hasOwnCollection, isInMongodb } from '../providers/mongodb/capabilities.ts'
import { connectionOf } from '../providers/mongodb/elsewhere.ts'
import type { Ask } from '../providers/mongodb/wire.ts'
import type { DdlStep } from '../providers/provider.ts'
import { providers } from '../providers/registry.ts'
import { changeInProgress, tableBusy } from './errors.ts'
import { dropPending } from './orphan-statements.ts'
import { retryOnLock } from './retry-on-lock.ts'
import { lockTable, stopIfChanging } from './store.ts'
import { putAside, targetIds } from './trash/aside.ts'
import type { DeletionPlan, DeletionQuery } from './trash/schema.ts'
import { moveAside } from './trash/store.ts'
import { asChange } from './views.ts'

/**
 * Deletes a datatable. `purge` drops it permanently; `cascade` also deletes the tables of the app that
 * reference it. For a reference to another app, only the reference is deleted. A dry run returns the plan and
 * changes nothing. Throws 409 if other tables reference it, if rules of the app name it, if a change of it is
 * not over, or if it cannot be locked.
 */
export async function deleteDatatable(
  ctx: RequestContext,
  path: TablePath,
  query: DeletionQuery,
): Promise<DeletionPlan | undefined> {
  try {
    return await retryOnLock(() =>
      withCatalog(ctx, path.app, 'schema', (catalog) => {
        const tables = tablesToDelete(catalog, tableOrAway(catalog, path), query.cascade)
        const deletion = { catalog, tables, purge: query.purge }
        const elsewhere = tables.filter(
          (table) => hasOwnCollection(table) && table.isMaterialized && !table.source,
        )
        // Foreign keys do not leave a datasource.
        const [first] = elsewhere
        return planOf({
          statements: {
            changing: query.dry_run ? undefined : stopIfChanging(tables),
            reach: first && connectionOf(catalog.app.id, first.datasource.slug ?? ''),
            deleted: query.dry_run ? undefined : statementsOf(ctx, deletion),
          },
          async finish({ changing, reach }) {
            if (query.dry_run) return deletionPlanOf(deletion)
            if (changing.first) throw changeInProgress(path.table)
            for (const table of elsewhere) await ask(ctx, reach.one, leavingCollection(deletion, table))
            return undefined
          },
        })
      }),
    )
  } catch (error) {
    if (error instanceof DatabaseFailure && error.sqlstate === sqlstates.lockNotAvailable)
      throw tableBusy(path.table)
    throw error
  }
}

/** Returns the question that drops the collection of a table, or gives it the name of a deleted one. */
const leavingCollection = ({ catalog: { siteId }, purge }: Deletion, table: Table): Ask =>
  purge ? dropCollection(siteId, table) : putCollectionAside(siteId, table)

interface Deletion {
  catalog: Catalog
  /** In the order of their deletion. */
  tables: readonly Table[]
  purge: boolean
}

/**
 * Returns the table, and with `cascade` the tables that reference it. Unless references form a cycle, a table
 * comes before the tables that it references. Throws 409 if a table outside of the result references one of
 * them, or a rule of the app names one.
 */
function tablesToDelete(catalog: Catalog, table: Table, cascade: boolean): Table[] {
  const included = new Set([table])
  if (cascade) {
    for (const one of included) {
      for (const other of referencingTables(catalog, one)) included.add(other)
    }
  }
  const tables = [...included].toReversed()
  for (const one of tables) {
    const dependents = [
      ...referencingTables(catalog, one).filter((other) => !included.has(other)),
      ...catalog.dependents.filter(({ on }) => on === one.name),
    ].map(({ name }) => name)
    if (dependents.length > 0) throw datatableReferenced(one.name, [...new Set(dependents)])
    const rules = rulesNaming(catalog.app.rules, one.name)
    if (rules.length > 0) throw datatableRuled(one.name, rules)
  }
  return tables
}

/** Returns the tables of the app with a foreign key to this one, materialized or not. */
const referencingTables = (catalog: Catalog, table: Table): Table[] =>
  [...catalog.tables.values()].filter(
    (other) =>
      other !== table &&
      !other.source &&
      other.schema.foreignKeys?.some((key) => key.reference.resource === table.name),
  )

const deletionPlanOf = (deletion: Deletion): DeletionPlan => ({
  datatables: deletion.tables.map(({ name }) => name),
  changes: deletion.tables
    .filter(({ isMaterialized, source }) => isMaterialized && !source)
    .flatMap((table) => stepsOf(deletion, table).map(asChange)),
})

function statementsOf(ctx: RequestContext, deletion: Deletion): Sql[] {
  const { tables, purge } = deletion
  const remove = purge ? dropStatements : moveAsideStatements
  const views = remakeViews(deletion.catalog, { removed: tables })
  return [
    ...views.dropped,
    ...tables
      .filter((one) => one.isMaterialized && !one.source && !isInMongodb(one))
      .flatMap((one) => [...lockTable(one), dropPending(one)]),
    ...tables.flatMap((table) => (table.source ? [deleteRow(table.id)] : remove(ctx, deletion, table))),
    ...views.created,
  ]
}

function moveAsideStatements(ctx: RequestContext, deletion: Deletion, table: Table): Sql[] {
  const { userId } = requireCaller(ctx)
  const appId = deletion.catalog.app.id
  const days = ctx.config.TRASH_DAYS
  const aside = { tableId: table.id, days, targets: targetIds(deletion.catalog, table) }
  if (!table.isMaterialized) return [moveAside(userId, { ...aside, changeId: null })]
  const changeId = crypto.randomUUID()
  return [
    insertSchemaChange(userId, appId, {
      id: changeId,
      table: table.name,
      isMaterialized: true,
      isDeletion: true,
    }),
    ...stepsOf(deletion, table).flatMap((step) => runStep(userId, appId, step, { changeId })),
    moveAside(userId, { ...aside, changeId }),
  ]
}

function dropStatements(ctx: RequestContext, deletion: Deletion, table: Table): Sql[] {
  const { userId } = requireCaller(ctx)
  const steps = table.isMaterialized ? stepsOf(deletion, table) : []
  return [
    ...steps.flatMap((step) => runStep(userId, deletion.catalog.app.id, step, { changeId: null })),
    deleteRow(table.id),
  ]
}

function stepsOf({ catalog, tables, purge }: Deletion, table: Table): DdlStep[] {
  if (!purge) return [putAside(catalog, table)]
  const provider = providers.get(table.datasource.providerType)
  const materialized = tables.filter(({ isMaterialized }) => isMaterialized)
  // In a cycle of references, the first table is still referenced by the others, so their keys are dropped
  // before it.
  const keySteps =
    materialized[0] === table ? materialized.flatMap((other) => dropKeys(catalog, other, tables)) : []
  return [
    ...keySteps,
    ...dropEdges(table),
    ...dropHistory(table),
    ...(provider ? [provider.dropTable(table, resolvedKeysOf(catalog, table))] : []),
  ]
}

/** Returns the steps that drop the keys of a table to other tables of the deletion. */
const dropKeys = (catalog: Catalog, table: Table, tables: readonly Table[]): DdlStep[] =>
  resolvedKeysOf(catalog, table)
    .filter(({ referenced }) => !isInMongodb(table) && referenced !== table && tables.includes(referenced))
    .map(({ key, referenced }) => dropKey(table, foreignKeyOf(table, key, referenced)))

/** Returns the keys to existing tables. The rollback of a step can create only these again. */
const resolvedKeysOf = (catalog: Catalog, table: Table): ResolvedKey[] =>
  (table.schema.foreignKeys ?? []).flatMap((key) => {
    const referenced = isToItself(table, key) ? table : catalog.tables.get(key.reference.resource)
    return referenced ? [{ table, key, referenced }] : []
  })
