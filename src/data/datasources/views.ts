/** Creates the answers about datasources. Spec: Datasource. */

import type { Catalog, Datasource as CatalogDatasource } from '../catalog/load-catalog.ts'
import { tablesOf, totalsOf } from '../catalog/stats.ts'
import type { Datasource, DatasourceListItem, DatasourceStats } from './schema.ts'

/** A datasource as a row of the query. */
export type DatasourceRow = Datasource

/** Returns a datasource in full. */
export const asDatasource = (row: DatasourceRow): Datasource => ({
  id: row.id,
  app: row.app,
  app_name: row.app_name,
  app_slug: row.app_slug,
  name: row.name,
  slug: row.slug,
  provider_type: row.provider_type,
  provider_config: row.provider_config,
  description: row.description,
  is_active: row.is_active,
  table_count: row.table_count,
  materialized_count: row.materialized_count,
  created_at: row.created_at,
  updated_at: row.updated_at,
  created_by: row.created_by,
  modified_by: row.modified_by,
})

/** Returns a datasource as a member of a list. */
export const asListItem = (row: DatasourceRow): DatasourceListItem => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  app_name: row.app_name,
  app_slug: row.app_slug,
  provider_type: row.provider_type,
  description: row.description,
  is_active: row.is_active,
  table_count: row.table_count,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** Returns the counts of the tables of an active datasource. */
export const asStats = (catalog: Catalog, datasource: CatalogDatasource): DatasourceStats => ({
  ...totalsOf(tablesOf(catalog, datasource)),
  provider_type: datasource.providerType,
  is_active: true,
})
