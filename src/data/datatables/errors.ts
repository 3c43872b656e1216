import { AppError, invalidFields } from '../../errors.ts'
import type { TableSource } from './table.ts'

/** Everything that is wrong with a schema, in one answer. Spec: Errors, datatable schema errors. */
export const invalidSchema = (messages: readonly string[]) =>
  invalidFields({
    json_schema:
      messages.length <= messagesMax ? messages : [...messages.slice(0, messagesMax), `… and ${messages.length - messagesMax} problems more.`],
  })
const messagesMax = 100

/** Of a table, or of its edges. */
export const physicalNameTaken = 'another datatable has the name in Postgres that this one, or the table of its edges, would have'

export const tableExists = (name: string) => invalidFields({ name: [`A datatable named "${name}" exists in this app already.`] })

export const tableNameRule =
  'A table name begins with a lower-case letter, has up to 48 lower-case letters, digits and underscores, and is not "create_schema" or "stats".'
export const invalidTableName = () => invalidFields({ name: [tableNameRule] })

export const unknownDatasource = (slug: string) => invalidFields({ datasource: [`There is no datasource "${slug}" in this app.`] })

/** D13: the catalog knows active ones alone. */
export const mainIsInactive = () =>
  invalidFields({
    datasource: ['An inactive datasource of this app has the slug that a new one would get: activate it, or name another one by ?datasource=.'],
  })

/** D12 */
export const notMaterialized = (name: string) =>
  new AppError(422, { error: 'Datatable is not materialized', detail: `"${name}" has no physical table yet: POST to its materialize/ first.` })

export const alreadyMaterialized = (name: string) =>
  new AppError(422, { error: 'Datatable is already materialized', detail: `"${name}" has its physical table.` })

export const referenceIsReadOnly = (name: string, { app, table }: TableSource) =>
  new AppError(403, { detail: `"${name}" is a reference to "${table}" of the app "${app}": here it can only be read.` })

/** D10. `dependents` of this app by their names, of others as `<app>/<name>`. */
export const datatableReferenced = (name: string, dependents: readonly string[]) =>
  new AppError(409, {
    error: 'Datatable is referenced',
    detail: `"${name}" cannot be deleted while others reference it: ${dependents.join(', ')}.`,
    referenced_by: dependents,
  })

export const referenceNotMaterialized = (name: string, resource: string) =>
  new AppError(422, {
    error: 'Referenced datatable is not materialized',
    detail: `"${name}" references "${resource}", which has no physical table yet: materialize it first, or create both by create_schema/.`,
  })
