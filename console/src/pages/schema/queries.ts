/** The requests of the schema pages. docs/guide/schema-changes.md. */
import { queryOptions } from '@tanstack/react-query'
import { clientOf, queryClient } from '../../session/client.ts'
import type { TableItem } from '../../session/queries.ts'
import type { Schema } from './draft.ts'

/** A step of a change. */
export interface Step {
  operation: string
  description: string
  sql: string
  /** Whether it loses values. */
  destructive: boolean
  /** Whether records can be read and written during the step. */
  online?: true
  /** About how many milliseconds readers and writers wait, if that is long. */
  blocks_ms?: number
}

/** The effects of a change. */
export interface Plan {
  changes: Step[]
  /** The values that a rollback cannot restore. */
  warnings?: string[]
  /** The tables that a deletion would delete. */
  datatables?: string[]
}

/** The answer to a change: its plan, the table, or the table with the operation that goes on. */
export type ChangeAnswer = Plan & { operation?: { id: number } }

/** An applied step. */
export interface Operation {
  id: number
  operation_type: string
  description: string
  sql: string
  status: 'success' | 'failed' | 'rolled_back' | 'running' | 'cancelled'
  /** How far a running change of a large table is. */
  progress?: { rows_done: number; rows_total: number }
  execution_time_ms: number
  created_at: string
  migration_id: string | null
}

/** A deleted table that can be restored. */
export interface DeletedTable extends TableItem {
  id: number
  deleted_at: string
  drop_at: string
}

const part = encodeURIComponent

/** Returns the path of an app; `/api/apps/` without one. */
export const appPath = (app?: string): string =>
  app === undefined ? '/api/apps/' : `/api/apps/${part(app)}/`

export const tablesPath = (app: string): string => `${appPath(app)}datatables/`

export const tablePath = (app: string, table: string): string => `${tablesPath(app)}${part(table)}/`

/** A set of tables that store records in the same way. */
interface Datasource {
  name: string
  slug: string
  provider_type: string
  table_count: number
}

export const datasourcesQuery = (site: string, app: string) =>
  queryOptions({
    queryKey: [site, 'apps', app, 'datasources'],
    queryFn: async ({ signal }) =>
      (await clientOf(site).request<{ datasources: Datasource[] }>({ path: appPath(app), signal }))
        .datasources,
  })

/** A collection in the database of a datasource in MongoDB. */
interface Collection {
  name: string
  kind: string
  documents: number | null
  is_ours: boolean
  datatable: string | null
}

export const collectionsQuery = (site: string, app: string, datasource: string) =>
  queryOptions({
    queryKey: [site, 'apps', app, 'collections', datasource],
    queryFn: ({ signal }) =>
      clientOf(site).request<Collection[]>({
        path: `${appPath(app)}datasources/${part(datasource)}/collections/`,
        signal,
      }),
  })

/** Makes a table of a collection that was there before. */
export const adoptCollection = (
  site: string,
  app: string,
  { datasource, collection, name }: { datasource: string; collection: string; name: string },
) =>
  clientOf(site).request<{ name: string; findings: string[] }>({
    method: 'POST',
    path: `${appPath(app)}datasources/${part(datasource)}/datatables/`,
    query: { materialize: true },
    body: { name, collection },
  })

/** The deleted tables of an app, latest first. */
export const deletedQuery = (site: string, app: string) =>
  queryOptions({
    queryKey: [site, 'apps', app, 'deleted'],
    queryFn: ({ signal }) =>
      clientOf(site).request<DeletedTable[]>({ path: tablesPath(app), query: { deleted: true }, signal }),
  })

/** The number of steps of the history to show. */
const operationsMax = 100

/** The steps that were applied to a table, latest first. */
export const operationsQuery = (site: string, app: string, table: string) =>
  queryOptions({
    queryKey: [site, 'apps', app, 'operations', table],
    queryFn: ({ signal }) =>
      clientOf(site).request<{ data: Operation[]; total: number }>({
        path: `${tablePath(app, table)}operation-history/`,
        query: { page_size: operationsMax },
        signal,
      }),
  })

/** Plans or creates the tables of a data package. */
export const createTable = (
  site: string,
  app: string,
  resource: { name: string; description: string; schema: Schema },
  { isDry, datasource }: { isDry: boolean; datasource: string | undefined },
) =>
  clientOf(site).request<Plan>({
    method: 'POST',
    path: `${tablesPath(app)}create_schema/`,
    query: { materialize: true, dry_run: isDry || undefined, datasource },
    body: { resources: [resource] },
    ...(isDry ? {} : { key: true }),
  })

/** Plans or applies a change of a table. It is rejected if the schema's hash is no longer `hash`. */
export const changeTable = (
  site: string,
  { app, table, hash }: { app: string; table: string; hash: string },
  body: { json_schema: Schema; description: string },
  { isDry, allowsLoss = false }: { isDry: boolean; allowsLoss?: boolean },
) =>
  clientOf(site).request<ChangeAnswer>({
    method: 'PATCH',
    path: tablePath(app, table),
    query: { dry_run: isDry || undefined, allow_data_loss: allowsLoss || undefined },
    headers: { 'if-match': `"${hash}"` },
    body,
    ...(isDry ? {} : { key: true }),
  })

/** Loads the schema data of a site again. */
export const refreshSchema = async (site: string): Promise<void> => {
  await queryClient.invalidateQueries({ queryKey: [site, 'apps'] })
}
