/** The errors of datatables. */
import { AppError, invalidFields } from '../../errors.ts'
import { limitProblems } from '../../lib/problem-list.ts'

/** The schema has problems. 400 with at most 100 of them. Spec: Errors, datatable schema errors. */
export const invalidSchema = (messages: readonly string[]) =>
  invalidFields({ json_schema: limitProblems(messages) })

/** The problem of a schema whose table or edge table would get the name of another table. */
export const physicalNameTaken =
  'another datatable already has the physical name that this one or its edge table would get'

/** The database has no trigrams, which an index of the schema needs. 422. */
export const trigramsUnavailable = () =>
  new AppError(422, {
    error: 'Trigram indexes are not available',
    detail:
      'This database does not have the extension pg_trgm, which indexes of the method "trigram" need. ' +
      'Remove these indexes from the schema, or ask the operator to install the extension.',
  })

/** The app has a datatable of this name. 400. */
export const tableExists = (name: string) =>
  invalidFields({ name: [`A datatable named "${name}" already exists in this app.`] })

/** The message for an invalid table name. D3. */
export const tableNameRule =
  'A table name begins with a lower-case letter, has up to 48 lower-case letters, digits and underscores, ' +
  'and is not "create_schema" or "stats".'

/** The name of the datatable is invalid. 400. */
export const invalidTableName = () => invalidFields({ name: [tableNameRule] })

/** The app has no active datasource with this slug. 400. */
export const unknownDatasource = (slug: string) =>
  invalidFields({ datasource: [`There is no datasource "${slug}" in this app.`] })

/** An inactive datasource has the slug that the default datasource would get. 400. D13. */
export const defaultDatasourceInactive = () =>
  invalidFields({
    datasource: [
      'The slug of the default datasource belongs to an inactive datasource of this app. Activate ' +
        'it, or select ' +
        'another one with ?datasource=.',
    ],
  })

/** The datatable has a physical table. 422. */
export const alreadyMaterialized = (name: string) =>
  new AppError(422, {
    error: 'Datatable is already materialized',
    detail: `"${name}" already has a physical table.`,
  })

/** Other tables reference the datatable. 409. `dependents` are names; in other apps `<app>/<name>`. D10. */
export const datatableReferenced = (name: string, dependents: readonly string[]) =>
  new AppError(409, {
    error: 'Datatable is referenced',
    detail: `"${name}" cannot be deleted while others reference it: ${dependents.join(', ')}.`,
    referenced_by: dependents,
  })

/** A foreign key references a table without a physical table. 422. */
export const referenceNotMaterialized = (name: string, resource: string) =>
  new AppError(422, {
    error: 'Referenced datatable is not materialized',
    detail:
      `"${name}" references "${resource}", which has no physical table yet. ` +
      'Materialize it first, or create both with create_schema/.',
  })
