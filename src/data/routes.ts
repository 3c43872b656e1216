/** The operations of the data service. */
import type { Route } from '../kernel/http/route.ts'
import { appRoutes } from './apps/routes.ts'
import { batchRoutes } from './batch/routes.ts'
import { datasourceRoutes } from './datasources/routes.ts'
import { datatableRoutes, tableRoutes } from './datatables/routes.ts'
import { edgeRoutes } from './edges/routes.ts'
import { explanationRoutes } from './explanations/routes.ts'
import { historyRoutes } from './history/routes.ts'
import { recordRoutes } from './records/routes.ts'
import { accessRoutes } from './schema-changes/access-routes.ts'
import { schemaChangeRoutes } from './schema-changes/routes.ts'

/** The routes of apps, datasources, datatables, their schema changes, records, versions and edges. */
export const dataRoutes: readonly Route[] = [
  ...appRoutes,
  ...datasourceRoutes,
  ...datatableRoutes,
  ...tableRoutes,
  ...schemaChangeRoutes,
  ...accessRoutes,
  ...explanationRoutes,
  ...recordRoutes,
  ...historyRoutes,
  ...edgeRoutes,
  ...batchRoutes,
]
