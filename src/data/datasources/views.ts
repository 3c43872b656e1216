/** What clients see of a datasource. Spec: Datasource. */
import type { Catalog, Datasource as Known } from '../catalog.ts'
import { tablesOf, totalsOf } from '../datatables/stats.ts'
import type { Datasource, DatasourceListItem, DatasourceStats } from './schema.ts'

export type DatasourceRow = Datasource

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

/** Only active ones have an address. */
export const asStats = (catalog: Catalog, datasource: Known): DatasourceStats => ({
  ...totalsOf(tablesOf(catalog, datasource)),
  provider_type: datasource.providerType,
  is_active: true,
})
