/** Functions in the forms of the API. E2. */
import { type FunctionRecord, managedFields, type ShownFunction } from './schema.ts'

/** A function as store.ts selects it. */
export type FunctionRow = FunctionRecord

/** Returns a function with all fields. */
export const asFunction = (row: FunctionRow): FunctionRecord => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  description: row.description,
  app_name: row.app_name,
  app_slug: row.app_slug,
  execution_mode: row.execution_mode,
  code: row.code,
  allowed_hosts: row.allowed_hosts,
  webhook_url: row.webhook_url,
  headers: row.headers,
  system_function: row.system_function,
  timeout_seconds: row.timeout_seconds,
  is_active: row.is_active,
  filter_conditions: row.filter_conditions,
  as: row.as,
  schedule: row.schedule,
  schedule_zone: row.schedule_zone,
  ordering: row.ordering,
  secrets: row.secrets,
  variables: row.variables,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/**
 * Returns a function for a reader of the site: without code and credentials unless the reader has
 * `manage_site`.
 */
export function asShown(row: FunctionRow, isManager: boolean): ShownFunction {
  const shown: ShownFunction = asFunction(row)
  if (!isManager) for (const field of managedFields) delete shown[field]
  return shown
}
