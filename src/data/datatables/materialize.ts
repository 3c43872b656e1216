/** Creates the physical table of a datatable that exists without one. D7. */

import type { RequestContext } from '../../kernel/context.ts'
import { requireCaller } from '../../kernel/db/entering.ts'
import { planOf } from '../catalog/catalog.ts'
import { ownTableOf, type TablePath } from '../catalog/find-table.ts'
import { changeSchema } from './change-schema.ts'
import { alreadyMaterialized } from './errors.ts'
import { makeTables } from './make-tables.ts'
import type { Datatable } from './schema.ts'
import { markMaterialized, selectDatatablesByName } from './store.ts'
import { asDatatable, datatableAgain } from './views.ts'

/**
 * Materializes a datatable. Throws 422 if it is materialized, and 400 or 422 if its foreign keys do not
 * resolve.
 */
export const materialize = (ctx: RequestContext, path: TablePath): Promise<Datatable> =>
  changeSchema(
    ctx,
    path.app,
    [path.table],
    (catalog) => {
      const table = ownTableOf(catalog, path)
      if (table.isMaterialized) throw alreadyMaterialized(table.name)
      return planOf({
        statements: {
          made: makeTables(ctx, catalog, table.datasource.providerType, [table]),
          marked: markMaterialized(requireCaller(ctx).userId, table.id),
          datatable: selectDatatablesByName(catalog.app.id, [table.name]),
        },
        finish: ({ datatable }) => asDatatable(datatable.one),
      })
    },
    datatableAgain,
  )
