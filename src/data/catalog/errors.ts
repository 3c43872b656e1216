/** The errors of tables that cannot be read or written. */
import { AppError, partNotFound } from '../../errors.ts'
import type { TableSource } from '../model/table.ts'

/** The 404 for a datasource that the app does not have, or that is inactive. */
export const datasourceNotFound = (datasource: string, app: string) =>
  partNotFound('datasource', datasource, ` in the app "${app}"`)

/** The 404 for a table that the app does not have. `datasource` is the slug of the path, if it has one. */
export const tableNotFound = (table: string, app: string, datasource?: string) =>
  partNotFound(
    'table',
    table,
    datasource === undefined
      ? ` in the app "${app}"`
      : ` in the datasource "${datasource}" of the app "${app}"`,
  )

/** The 422 for a table that has no physical table yet. D12 */
export const notMaterialized = (name: string, app: string) =>
  new AppError(422, {
    error: 'Datatable is not materialized',
    detail:
      `"${name}" has no physical table yet. ` +
      `Create it first: POST /api/apps/${app}/datatables/${name}/materialize/`,
  })

/** The 403 for a write to a reference. */
export const referenceIsReadOnly = (name: string, { app, table }: TableSource) =>
  new AppError(403, {
    detail: `"${name}" is a reference to "${table}" of the app "${app}": here it can only be read.`,
  })
