/** The errors of tables that cannot be read or written. */
import { AppError, partNotFound } from '../../kernel/errors.ts'
import type { TableSource } from '../model/table-origin.ts'

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
  new AppError(422, 'not_materialized', {
    error: 'Datatable is not materialized',
    detail:
      `"${name}" has no physical table yet. ` +
      `Create it first: POST /api/apps/${app}/datatables/${name}/materialize/`,
  })

/** The 422 for a reference whose source is in an app or a datasource that was deleted. D18 */
export const sourceIsAway = (name: string, { app, table }: TableSource) =>
  new AppError(422, 'source_inactive', {
    error: 'Source is not active',
    detail:
      `"${name}" is a reference to "${table}" of the app "${app}", which was deleted or whose datasource ` +
      'was. Restore it, or delete the reference.',
  })

/** The 403 for a write to a reference. */
export const referenceIsReadOnly = (name: string, { app, table }: TableSource) =>
  new AppError(403, 'read_only', {
    detail: `"${name}" is a reference to "${table}" of the app "${app}": here it can only be read.`,
  })

/**
 * The 409 if tables outside of an app or a datasource reference its tables. `dependents` are names; in other
 * apps `<app>/<name>`. D18.
 */
export const containerReferenced = (
  kind: 'app' | 'datasource',
  name: string,
  dependents: readonly string[],
) =>
  new AppError(409, 'still_referenced', {
    error: kind === 'app' ? 'App is referenced' : 'Datasource is referenced',
    detail:
      `"${name}" cannot be deleted while others reference its datatables: ${dependents.join(', ')}. ` +
      'With force=true it is deleted all the same, and they cannot be read until it is restored.',
    referenced_by: [...dependents],
  })
