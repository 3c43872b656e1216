/** Creates the physical table of a datatable that exists without one. D7. */

import type { RequestContext } from '../../kernel/context.ts'
import { requireCaller } from '../../kernel/db/entering.ts'
import { planOf } from '../catalog/catalog.ts'
import { ownTableOf, type TablePath } from '../catalog/find-table.ts'
import { ask } from '../providers/mongodb/ask.ts'
import { isInMongodb, notInMongodb } from '../providers/mongodb/capabilities.ts'
import { connectionOf } from '../providers/mongodb/elsewhere.ts'
import { changeSchema } from './change-schema.ts'
import { makeCollection } from './collections.ts'
import { alreadyMaterialized } from './errors.ts'
import { makeTables } from './make-tables.ts'
import type { Datatable } from './schema.ts'
import { markMaterialized, selectDatatablesByName } from './store.ts'
import { asDatatable, datatableAgain } from './views.ts'

/**
 * Materializes a datatable. `isMade`: its collection in MongoDB is made already. Without it, that is made
 * first, so that a table never counts as materialized without its collection. Throws 422 if it is
 * materialized, and 400 or 422 if its foreign keys do not resolve.
 */
export const materialize = (ctx: RequestContext, path: TablePath, isMade = false): Promise<Datatable> =>
  changeSchema(
    ctx,
    path.app,
    [path.table],
    (catalog) => {
      const table = ownTableOf(catalog, path)
      if (table.isMaterialized) throw alreadyMaterialized(table.name)
      const isElsewhere = isInMongodb(table) && !isMade
      if (isElsewhere && ctx.requestKey) throw notInMongodb('repeatable')
      return planOf({
        statements: {
          reach: isElsewhere ? connectionOf(catalog.app.id, table.datasource.slug ?? '') : undefined,
          made: isElsewhere ? [] : makeTables(ctx, catalog, table.datasource.providerType, [table]),
          marked: isElsewhere ? undefined : markMaterialized(requireCaller(ctx).userId, table.id),
          datatable: selectDatatablesByName(catalog.app.id, [table.name]),
        },
        async finish({ datatable, reach }) {
          if (!isElsewhere) return asDatatable(datatable.one)
          await ask(ctx, reach.one, makeCollection(catalog.siteId, table, catalog.tables))
          return materialize(ctx, path, true)
        },
      })
    },
    datatableAgain,
  )
